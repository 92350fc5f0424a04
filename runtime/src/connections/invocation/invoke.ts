import { isAdapterError, type Log } from '@linker/sdk'
import { collectMarked, collectSecrets, createAnswerRedactor, type CallEffects } from '@linker/sdk/host'
import type { Adapters } from '../../adapters/adapters.ts'
import { CapabilityNotSupportedException, InvalidRequestError } from '../../errors.ts'
import type { Connections } from '../connections.ts'
import type { OpenConnection } from '../open-connection.ts'
import type { Invocation, InvocationBody, SentRequest } from './schemas.ts'

const timeoutMs = 30_000
const mostRequests = 100

export interface Invoker {
  connections: Pick<Connections, 'openEnabled'>
  adapters: Pick<Adapters, 'call'>
}

/** The request that asks for the call. */
export interface InvocationRequest {
  requestId: string
  log: Pick<Log, 'error'>
}

/**
 * Calls one method of a capability for a person. A failure of the call is a result and is not
 * thrown, because its requests tell how far it came.
 */
export async function invokeCapability (
  { connections, adapters }: Invoker,
  connectionId: string,
  { capability, method, args, dryRun }: InvocationBody,
  { requestId, log }: InvocationRequest
): Promise<Invocation> {
  const opened = await connections.openEnabled(connectionId)
  const { adapter, snapshot } = opened
  refuseUnknown(opened, capability, method)

  const requests: SentRequest[] = []
  let effects: CallEffects | undefined
  const startedAt = performance.now()
  const ended = await adapters.call(adapter, snapshot, { kind: 'capability', capability, method }, args, {
    signal: AbortSignal.timeout(timeoutMs),
    requestId,
    isDryRun: dryRun,
    onRequest (request, unsent) {
      if (requests.length < mostRequests) requests.push({ ...request, ...unsent, sent: unsent === undefined })
    },
    ...(dryRun ? { keep: (kept: CallEffects) => effects = kept } : {})
  }).then(
    (value: unknown) => ({ success: true, value }),
    (error: unknown) => {
      if (!isAdapterError(error)) {
        log.error({ err: error, connectionId, adapter: adapter.manifest.adapterKey, requestId }, 'an invocation failed')
      }
      return { success: false, error: describeFailure(error) }
    }
  )
  const result = {
    adapter: `${adapter.manifest.adapterKey}@${adapter.version}`,
    dryRun,
    latencyMs: Math.round(performance.now() - startedAt)
  }
  return { ...result, ...redacted(opened, { ...ended, requests, ...(effects === undefined ? {} : { effects }) }) }
}

function refuseUnknown ({ connection, adapter }: OpenConnection, capability: string, method: string): void {
  const { capabilities, adapterKey } = connection
  if (!capabilities.includes(capability)) throw new CapabilityNotSupportedException(adapterKey, capability)
  const methods = adapter.description.capabilities[capability] ?? null
  // A method that only a client can tell of is looked for during the call.
  const isKnown = methods === null ? !Reflect.has(Object.prototype, method) : methods.includes(method)
  if (isKnown) return
  const known = methods === null ? '' : `. It has ${methods.join(', ')}`
  throw Object.assign(new InvalidRequestError(`${adapterKey} has no ${capability}.${method}${known}`), {
    errors: [{ pointer: '/method', code: 'unknown', message: `is no method of ${capability}` }]
  })
}

function describeFailure (error: unknown): NonNullable<Invocation['error']> {
  const { code, message, fields } = error as { code?: unknown, message?: unknown, fields?: unknown }
  return {
    code: typeof code === 'string' ? code : 'LNK_ADAPTER_FAILED',
    message: String(message ?? error),
    ...(Array.isArray(fields) && fields.length > 0 ? { fields } : {})
  }
}

type Told = Omit<Invocation, 'adapter' | 'dryRun' | 'latencyMs'>

/** Removes the secrets of the connection from everything that the adapter made. */
function redacted ({ adapter: { description }, snapshot }: OpenConnection, told: Told): Told {
  const redact = createAnswerRedactor([
    ...collectSecrets(description.credentials, snapshot.credentials),
    ...collectMarked(description.config, snapshot.config)
  ])
  return redact(told) as Told
}
