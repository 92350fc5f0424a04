import {
  collectMarked,
  collectSecrets,
  createAnswerRedactor,
  withInitialValues,
  type SchemaProblem
} from '@linker/sdk/host'
import type { Adapters } from '../adapters/adapters.ts'
import type { LoadedAdapter } from '../adapters/load.ts'
import { runTest, type TestRequest } from './connection-test.ts'
import type { ConnectionTest } from './schemas.ts'
import { examineConnection, needsNoCredentials } from './validate.ts'

export interface Settings {
  config: Record<string, unknown>
  credentials?: unknown
}

export interface Judged {
  errors: SchemaProblem[]
  warnings: SchemaProblem[]
  /** Absent when the settings are not valid, because then the platform is not called. */
  test?: ConnectionTest
}

/** Checks settings as the creation of a connection does, without calling the platform. */
export async function checkSettings (adapter: LoadedAdapter, settings: Settings): Promise<Judged> {
  const config = withInitialValues(adapter.description.config, settings.config)
  const { errors, warnings } = await examineConnection(adapter, config, settings.credentials)
  return withoutSecrets(adapter, settings, { errors: [...errors], warnings: [...warnings] })
}

/**
 * Checks settings and then tests them at the platform. The adapter works for a connection that does
 * not exist: the hub drops what the adapter stores, and no job or stored connection notices.
 */
export async function trySettings (
  adapters: Pick<Adapters, 'call' | 'beginTrial'>,
  adapter: LoadedAdapter,
  settings: Settings,
  request: TestRequest
): Promise<Judged> {
  const config = withInitialValues(adapter.description.config, settings.config)
  const { errors, warnings, credentials } = await examineConnection(adapter, config, settings.credentials)
  const missing = settings.credentials === undefined && !needsNoCredentials(adapter) ? [missingCredentials] : []
  const judged = { errors: [...errors, ...missing], warnings: [...warnings] }
  if (judged.errors.length > 0) return withoutSecrets(adapter, settings, judged)

  const trial = adapters.beginTrial(credentials)
  try {
    const snapshot = {
      id: trial.connectionId,
      platformType: adapter.manifest.platformType,
      config,
      credentials,
      version: trial.connectionId,
      credentialsVersion: trial.connectionId
    }
    const { result: test } = await runTest(adapters, { adapter, snapshot }, request, { keep: () => undefined })
    const renewed = trial.hasRenewed() ? [renewedCredentials] : []
    return withoutSecrets(adapter, settings, { ...judged, warnings: [...judged.warnings, ...renewed], test })
  } finally {
    trial.end()
  }
}

const missingCredentials: SchemaProblem = {
  pointer: '/credentials',
  code: 'required',
  message: 'are required for the test'
}

const renewedCredentials: SchemaProblem = {
  pointer: '/credentials',
  code: 'renewed',
  message: 'were renewed by the adapter during the test, so the platform may refuse the given ones from now on. ' +
    'Get new ones before you create the connection'
}

/** Removes secrets from the texts of the adapter, which may quote the settings. */
function withoutSecrets (adapter: LoadedAdapter, { config, credentials }: Settings, judged: Judged): Judged {
  const { description } = adapter
  const redact = createAnswerRedactor([
    ...collectMarked(description.config, config),
    ...collectSecrets(description.credentials, credentials)
  ])
  const redactMessage = (problem: SchemaProblem): SchemaProblem => ({
    ...problem,
    message: String(redact(problem.message))
  })
  return {
    ...judged,
    errors: judged.errors.map(redactMessage),
    warnings: judged.warnings.map(redactMessage)
  }
}
