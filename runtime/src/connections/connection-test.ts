import { isAdapterError, type Log, type TestResult } from '@linker/sdk'
import type { Adapters, CallOptions } from '../adapters/adapters.ts'
import { CredentialsRefusedError } from '../jobs/refused-credentials.ts'
import type { Connections } from './connections.ts'
import type { OpenConnection } from './open-connection.ts'
import type { ConnectionTest } from './schemas.ts'

const testTimeoutMs = 10_000
const longestMessage = 2_000
const mostWarnings = 20

/**
 * The request that asks for the test. The hub logs a fault of the adapter for the adapter's author;
 * the caller does not see it.
 */
export interface TestRequest {
  requestId: string
  log: Pick<Log, 'error'>
}

/**
 * Calls the platform with the stored credentials, or with `credentials` to try them before they are
 * stored. Returns a failure of the call as a result and does not throw it. For stored credentials,
 * the platform's answer also sets the connection's status.
 */
export async function testConnection (
  connections: Pick<Connections, 'open' | 'resume' | 'suspend' | 'checkAccount'>,
  adapters: Pick<Adapters, 'call' | 'forget'>,
  id: string,
  { requestId, log }: TestRequest,
  credentials?: unknown
): Promise<ConnectionTest> {
  const opened = await connections.open(id, credentials)
  try {
    const { result, failure } = await runTest(adapters, opened, { requestId, log }, { connectionId: id })
    if (credentials !== undefined) return result
    const account = result.success ? await connections.checkAccount(opened) : undefined
    if (account?.ok === false) {
      return { ...result, success: false, message: account.hint, checks: [...result.checks, account] }
    }
    if (account !== undefined) result.checks.push(account)
    if (result.success && opened.adapter.description.hasTest && opened.connection.status === 'error') {
      await connections.resume(id)
    }
    if (failure instanceof CredentialsRefusedError) await connections.suspend(failure, result.message)
    return result
  } finally {
    if (credentials !== undefined) adapters.forget(id)
  }
}

export interface TestOptions {
  /** Names the stored connection in the log. Absent: the settings are not stored. */
  connectionId?: string
  /** Takes what the adapter wants stored. Absent: the hub stores it. */
  keep?: CallOptions['keep']
}

/**
 * Calls the test of an adapter. Returns a failure of the call beside its result and does not throw
 * it.
 */
export async function runTest (
  adapters: Pick<Adapters, 'call'>,
  { adapter, snapshot }: Pick<OpenConnection, 'adapter' | 'snapshot'>,
  { requestId, log }: TestRequest,
  { connectionId, keep }: TestOptions
): Promise<{ result: ConnectionTest, failure?: unknown }> {
  if (!adapter.description.hasTest) return { result: noTest }
  const startedAt = performance.now()
  const elapsed = (): number => Math.round(performance.now() - startedAt)
  try {
    const found = await adapters.call(adapter, snapshot, { kind: 'test' }, [], {
      signal: AbortSignal.timeout(testTimeoutMs),
      requestId,
      ...(keep === undefined ? {} : { keep })
    }) as TestResult | undefined
    const ms = elapsed()
    const warnings = warningsOf(found).map(hint => ({ name: 'warning', ok: true, ms: 0, hint }))
    const message = shortened(found?.message ?? 'Connection reachable and credentials accepted')
    const checks = [{ name: 'upstream', ok: true, ms }, ...warnings]
    return { result: { success: true, status: 200, message, latencyMs: ms, checks } }
  } catch (failure) {
    const ms = elapsed()
    const message = isAdapterError(failure)
      ? shortened(failure.message)
      : 'The adapter failed. The log of the hub shows the reason'
    if (!isAdapterError(failure)) {
      log.error(
        { err: failure, connectionId, adapter: adapter.manifest.adapterKey, requestId },
        'the connection test of an adapter failed'
      )
    }
    const status = isAdapterError(failure) ? failure.status : undefined
    const checks = [{ name: 'upstream', ok: false, ms, hint: message }]
    return { result: { success: false, status, message, latencyMs: ms, checks }, failure }
  }
}

const noTest: ConnectionTest = {
  success: true,
  message: 'The adapter has no connection test; config and credentials fit its schemas',
  latencyMs: 0,
  checks: [{ name: 'schema', ok: true, ms: 0 }]
}

/** The text of an adapter, as long as an answer shows it. */
export function shortened (text: string): string {
  return String(text).slice(0, longestMessage)
}

/** The first warnings of a test of an adapter, each as long as an answer shows it. */
export function warningsOf (found: TestResult | undefined): string[] {
  return (found?.warnings ?? []).slice(0, mostWarnings).map(shortened)
}
