import type { HttpClientFactory } from '@linker/sdk'
import { createAddressPolicy, createHttpClientFactory, createValueRedactor } from '@linker/sdk/host'
import fp from 'fastify-plugin'
import { toRouteFailure } from '../adapters/adapter-failure.ts'
import { outboundAllowOf, type Adapters } from '../adapters/adapters.ts'
import { nameOf } from '../adapters/load.ts'
import type { Config } from '../config.ts'
import { keptOf } from '../connections/adapter-for.ts'
import type { Connections } from '../connections/connections.ts'
import { inTurn } from '../connections/install-turn.ts'
import type { OpenConnection } from '../connections/open-connection.ts'
import { refusePaused } from '../connections/pauses/refuse-paused.ts'
import { setMembers } from '../connections/store.ts'
import { createSealing, type Sealing } from '../credentials/sealing.ts'
import type { Database } from '../database/database.ts'
import { toStorable } from '../database/storable-json.ts'
import {
  AdapterTimeoutError,
  ConnectionDisabledException,
  ConnectionMovingError,
  WebhookInstallUnsupportedError,
  WebhookNotInstalledError
} from '../errors.ts'
import { readLastDelivery } from '../events/receipts.ts'
import { CredentialsRefusedError } from '../jobs/refused-credentials.ts'
import { callbackPathOf, callbackUrlOf, findCallbackUrl } from './callback-url.ts'
import type { Installed, WebhookStatus, WebhookTest } from './install-schemas.ts'
import { secretNamesOf } from './secrets.ts'
import { pingSelf } from './self-test.ts'
import { findInstalledSecret, readInstallStates, storeOutcome, storePing } from './store.ts'
import { createSecretOpener, markInstalled, storeNewSecret, type NewSecret } from './stored-secrets.ts'

declare module 'fastify' {
  interface FastifyInstance {
    webhookInstalls: WebhookInstalls
  }
}

export interface WebhookInstallsOptions {
  database: Database
  connections: Connections
  adapters: Pick<Adapters, 'call'>
  sealing: Sealing
  /** For the self-test. */
  http: HttpClientFactory
  /** `LINKER_WEBHOOK_SECRET__…` → secret. */
  variables: ReadonlyMap<string, string>
  now: () => Date
}

export type WebhookInstalls = ReturnType<typeof createInstalls>

type Redact = (value: unknown) => unknown

const callTimeoutMs = 30_000
const longestWarning = 500

/** Makes platforms send their webhooks here, and says how that went. */
export function createInstalls ({ database, connections, adapters, sealing, http, variables, now }:
  WebhookInstallsOptions)
{
  const { query } = database
  const open = createSecretOpener(sealing)

  /**
   * An install may be repeated after any outcome. Each install makes a new secret. The hub keeps
   * the secrets that the platform may have until a newer one is installed, five at most.
   */
  async function install (id: string, requestId: string): Promise<Installed> {
    const { connection, adapter } = await connections.openEnabled(id)
    refusePaused(connection)
    if (adapter.description.webhooks?.canInstall !== true) {
      throw new WebhookInstallUnsupportedError(
        nameOf(adapter),
        callbackPathOf(connection),
        secretNamesOf(connection)[0]
      )
    }
    callbackUrlOf(connection)
    return inTurn(query, id, async () => {
      const opened = await connections.openEnabled(id)
      const callbackUrl = callbackUrlOf(opened.connection)
      const made = await store(opened)
      const hideSecret = createValueRedactor([made.secret])
      const hideCredentials = (await connections.redactorsOf([id]))(id)
      const redact: Redact = value => hideSecret(hideCredentials(value))
      const told = await tell(opened, { callbackUrl, secret: made.secret }, { requestId, redact })
      await connections.renew(
        id,
        'webhooks.install',
        (_connection, transaction) => markInstalled(transaction.query, id, made.id, now())
      )
      const pingedAt = now()
      const seen = await pingSelf(http, {
        connection: { ...opened.connection, ...keptOf(opened.adapter) },
        callbackUrl,
        secret: made.secret,
        now: pingedAt
      })
      const pingProblem = seen === undefined ? null : textOf(redact(seen))
      await storeOutcome(query, made.id, {
        pingedAt: pingedAt.toISOString(),
        pingProblem,
        installWarning: told,
        warnedAt: told === null ? null : now().toISOString()
      })
      const warnings = [told, pingProblem].filter(warning => warning !== null)
      return {
        webhooksConfigured: true,
        testPingTriggered: pingProblem === null,
        warning: warnings.length === 0 ? undefined : warnings.join('; ')
      }
    })
  }

  /**
   * Sends a test event through the public address of the hub, with the secret that the platform
   * uses: that of the last install, else that of the environment.
   */
  async function test (id: string): Promise<WebhookTest> {
    const connection = await connections.get(id)
    if (connection.status === 'disabled') throw new ConnectionDisabledException(id)
    const callbackUrl = callbackUrlOf(connection)
    const testedAt = now()
    const stored = await findInstalledSecret(query, id, testedAt)
    const secret = stored === undefined ? secretOfEnvironment(connection) : open(stored, connection.platformType)
    const seen = await pingSelf(http, { connection, callbackUrl, secret, now: testedAt })
    const problem = seen === undefined ? null : textOf(createValueRedactor([secret])(seen))
    if (stored !== undefined) {
      await storePing(query, stored.id, { pingedAt: testedAt.toISOString(), pingProblem: problem })
    }
    return { arrived: problem === null, problem, callbackUrl, testedAt: testedAt.toISOString() }
  }

  function secretOfEnvironment (connection: { id: string, platformType: string }): string {
    const names = secretNamesOf(connection)
    // An empty secret counts as absent.
    const found = names.map(name => variables.get(name) ?? '').find(secret => secret !== '')
    if (found === undefined) throw new WebhookNotInstalledError(connection.id, names[0])
    return found
  }

  /**
   * Stores a new secret, and the adapter's present description of its webhooks: the adapter may
   * have been upgraded since the connection was made.
   */
  async function store ({ connection: { id, adapterKey, adapterVersion }, adapter }: OpenConnection): Promise<
    NewSecret
  > {
    let made: NewSecret | undefined
    await connections.renew(id, 'webhook-secret.create', async (connection, { em, query }) => {
      if (connection.status === 'disabled') throw new ConnectionDisabledException(id)
      if (connection.adapterKey !== adapterKey || connection.adapterVersion !== adapterVersion) {
        throw new ConnectionMovingError(id)
      }
      setMembers(em, connection, keptOf(adapter))
      made = await storeNewSecret(query, sealing, connection, now())
    })
    if (made === undefined) throw new TypeError('no secret was made')
    return made
  }

  /** Gives the platform the address and the secret. Returns the adapter's warning, redacted. */
  async function tell (
    { adapter, snapshot }: OpenConnection,
    installation: { callbackUrl: string, secret: string },
    { requestId, redact }: { requestId: string, redact: Redact }
  ): Promise<string | null> {
    const signal = AbortSignal.timeout(callTimeoutMs)
    try {
      const answer = await adapters.call(adapter, snapshot, { kind: 'installWebhooks' }, [installation], {
        signal,
        deadline: now().getTime() + callTimeoutMs,
        requestId
      })
      const warning = warningOf(answer)
      return warning === undefined ? null : textOf(redact(warning))
    } catch (error) {
      if (error instanceof CredentialsRefusedError) await connections.suspend(error, String(redact(error.message)))
      if (signal.aborted) throw new AdapterTimeoutError(nameOf(adapter), callTimeoutMs)
      throw toFailure(error, nameOf(adapter), redact)
    }
  }

  /**
   * The ids of the connections to which webhooks can arrive: the environment holds a secret for the
   * connection, or its last install succeeded.
   */
  async function configuredOf (of: readonly { id: string, platformType: string }[]): Promise<ReadonlySet<string>> {
    const states = await readInstallStates(query, of.map(({ id }) => id))
    return new Set(of.filter(connection =>
      secretNamesOf(connection).some(name => variables.has(name)) || states.get(connection.id)?.isInstalled === true
    ).map(({ id }) => id))
  }

  async function status (id: string): Promise<WebhookStatus> {
    const connection = await connections.get(id)
    const [configured, states, last] = [
      await configuredOf([connection]),
      await readInstallStates(query, [connection.id]),
      await readLastDelivery(query, connection.id)
    ]
    const state = states.get(connection.id)
    const madeAtMs = state?.madeAtMs ?? null
    return {
      webhooksConfigured: configured.has(connection.id),
      lastDeliveryAt: last?.at ?? null,
      lastDeliveryEvent: last?.event ?? null,
      lastDeliveryResult: last?.result ?? null,
      secretAgeSeconds: madeAtMs === null ? null : Math.max(0, Math.floor((now().getTime() - madeAtMs) / 1_000)),
      testPingAt: state?.pingedAt ?? null,
      testPingProblem: state?.pingProblem ?? null,
      installWarning: state?.installWarning ?? null,
      installWarningAt: state?.warnedAt ?? null,
      callbackUrl: findCallbackUrl(connection) ?? null
    }
  }

  return { install, test, status, configuredOf }
}

/**
 * Makes the error that the routes of adapters would answer, and hides the new secret in it: the
 * redaction of the connection does not know that secret.
 */
function toFailure (error: unknown, adapter: string, redact: Redact): Error {
  const { error: failure, retryAfterSeconds } = toRouteFailure(error, adapter)
  const errors = 'errors' in failure ? { errors: redact(failure.errors) } : {}
  return Object.assign(failure, {
    message: String(redact(failure.message)),
    stack: String(redact(failure.stack)),
    cause: redact(failure.cause),
    retryAfterSeconds,
    ...errors
  })
}

function warningOf (answer: unknown): string | undefined {
  const warning: unknown = typeof answer === 'object' && answer !== null && 'warning' in answer
    ? answer.warning
    : undefined
  return typeof warning === 'string' && warning !== '' ? warning : undefined
}

/** Cuts a redacted text. A secret that is cut before would not be found, and half of it shown. */
function textOf (redacted: unknown): string {
  return toStorable(String(redacted).slice(0, longestWarning))
}

export default fp<{ config: Config, now: () => Date }>(async (app, { config, now }) => {
  const { http, close } = createHttpClientFactory({
    addressPolicy: createAddressPolicy({ allow: outboundAllowOf(config) }),
    currentCall: () => undefined
  })
  app.addHook('onClose', close)
  app.decorate(
    'webhookInstalls',
    createInstalls({
      database: app.database,
      connections: app.connections,
      adapters: app.adapters,
      sealing: createSealing(config),
      http,
      variables: config.webhookSecrets,
      now
    })
  )
}, { name: 'webhook-installs', dependencies: ['database', 'connections', 'adapters'] })
