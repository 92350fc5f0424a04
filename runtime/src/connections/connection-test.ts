import { AdapterErrorCode, isAdapterError, type Log, type TestResult } from '@linker/sdk'
import type { Adapters } from '../adapters/adapters.ts'
import type { Connections } from './connections.ts'
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
  connections: Pick<Connections, 'open' | 'resume' | 'suspend'>,
  adapters: Pick<Adapters, 'call' | 'forget'>,
  id: string,
  { requestId, log }: TestRequest,
  credentials?: unknown
): Promise<ConnectionTest> {
  const opened = await connections.open(id, credentials)
  const startedAt = performance.now()
  const elapsed = (): number => Math.round(performance.now() - startedAt)
  if (!opened.adapter.description.hasTest) {
    return {
      success: true,
      message: 'The adapter has no connection test; config and credentials fit its schemas',
      latencyMs: 0,
      checks: [{ name: 'schema', ok: true, ms: 0 }]
    }
  }
  try {
    const found = await adapters.call(opened.adapter, opened.snapshot, { kind: 'test' }, [], {
      signal: AbortSignal.timeout(testTimeoutMs),
      requestId
    }) as TestResult | undefined
    if (opened.connection.status === 'error' && credentials === undefined) await connections.resume(id)
    const ms = elapsed()
    const warnings = warningsOf(found).map(hint => ({ name: 'warning', ok: true, ms: 0, hint }))
    const message = shortened(found?.message ?? 'Connection reachable and credentials accepted')
    const checks = [{ name: 'upstream', ok: true, ms }, ...warnings]
    return { success: true, status: 200, message, latencyMs: ms, checks }
  } catch (error) {
    const ms = elapsed()
    const failure = 'The adapter failed. The log of the hub shows the reason'
    const message = isAdapterError(error) ? shortened(error.message) : failure
    if (!isAdapterError(error)) {
      log.error(
        { err: error, connectionId: id, adapter: opened.connection.adapterKey, requestId },
        'the connection test of an adapter failed'
      )
    }
    const status = isAdapterError(error) ? error.status : undefined
    if (credentials === undefined && isAdapterError(error) && error.code === AdapterErrorCode.authentication) {
      await connections.suspend(id, message, opened.credentialsVersion)
    }
    return {
      success: false,
      status,
      message,
      latencyMs: ms,
      checks: [{ name: 'upstream', ok: false, ms, hint: message }]
    }
  } finally {
    if (credentials !== undefined) adapters.forget(id)
  }
}

/** The text of an adapter, as long as an answer shows it. */
export function shortened (text: string): string {
  return String(text).slice(0, longestMessage)
}

/** The first warnings of a test of an adapter, each as long as an answer shows it. */
export function warningsOf (found: TestResult | undefined): string[] {
  return (found?.warnings ?? []).slice(0, mostWarnings).map(shortened)
}
