import { AdapterErrorCode, isAdapterError, RejectedError, type Log } from '@linker/sdk'
import {
  collectMarked,
  collectSecrets,
  createAnswerRedactor,
  createRecording,
  joinTraffic,
  type CallEffects,
  type RecordedTraffic,
  type Recording
} from '@linker/sdk/host'
import type { Adapters } from '../../adapters/adapters.ts'
import { isInfrastructureError } from '../../database/infrastructure-error.ts'
import { CapabilityNotSupportedException, InvalidRequestError } from '../../errors.ts'
import type { Connections } from '../connections.ts'
import type { OpenConnection } from '../open-connection.ts'
import type { Invocation, InvocationBody, SentRequest } from './schemas.ts'

const timeoutMs = 30_000
const mostRequests = 100
/** The limit of all calls together: a recording is one answer, which a person reads. */
const mostRecordedBytes = 16 * 1024 * 1024

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
  { capability, method, args, dryRun, record }: InvocationBody,
  { requestId, log }: InvocationRequest
): Promise<Invocation> {
  const opened = await connections.openEnabled(connectionId)
  const { adapter, snapshot } = opened
  refuseUnknown(opened, capability, method)

  const requests: SentRequest[] = []
  let effects: CallEffects | undefined
  const recorded: RecordedTraffic[] = []
  const keep = (kept: CallEffects, ofConnection: string): void => {
    if (ofConnection === snapshot.id) effects = kept
  }
  const call = (given: readonly unknown[]): Promise<unknown> =>
    adapters.call(adapter, snapshot, { kind: 'capability', capability, method }, given, {
      signal: AbortSignal.timeout(timeoutMs),
      requestId,
      isDryRun: dryRun,
      redactsAnswer: true,
      onRequest (sentRequest, unsent) {
        // The caller of a dry run wants to see the requests that were not sent.
        if (requests.length < mostRequests || (unsent !== undefined && requests.length < 2 * mostRequests)) {
          requests.push({ ...sentRequest, ...unsent, sent: unsent === undefined })
        }
      },
      onRecorded: record === false
        ? undefined
        : traffic => {
          recorded.push(traffic)
          refuseMuch(recorded)
        },
      ...(dryRun ? { keep } : {})
    })
  const startedAt = performance.now()
  const ended = await callAll(call, args, typeof record === 'object' ? record : {}).then(
    value => refuseUnreadable(value),
    (error: unknown) => {
      if (isOfHub(error)) throw error
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
  const told = {
    ...ended,
    requests,
    ...(effects === undefined ? {} : { effects }),
    ...(recorded.length === 0 || !ended.success ? {} : { recording: recordingOf(recorded, requests) })
  }
  return { ...result, ...redacted(opened, told) }
}

/** Calls, follows the cursors of a listing and calls again. Returns the last answer. */
async function callAll (
  call: (args: readonly unknown[]) => Promise<unknown>,
  args: readonly unknown[],
  { pages = 1, twice = false }: { pages?: number, twice?: boolean }
): Promise<unknown> {
  let value = await call(args)
  for (let page = 1; page < pages; page += 1) {
    const cursor = cursorOf(value)
    if (cursor === undefined) break
    value = await call([{ ...Object(args[0]) as object, cursor }, ...args.slice(1)])
  }
  return twice ? call(args) : value
}

/** The cursor to the next page of a listing, or of a journal that has more events. */
function cursorOf (value: unknown): string | undefined {
  const { nextCursor, cursor, hasMore } = Object(value) as Record<string, unknown>
  const found = nextCursor ?? (hasMore === true ? cursor : undefined)
  return typeof found === 'string' ? found : undefined
}

function refuseMuch (recorded: readonly RecordedTraffic[]): void {
  const bytes = Buffer.byteLength(JSON.stringify(recorded))
  if (bytes <= mostRecordedBytes) return
  throw new RejectedError(`the traffic is too large to record: ${bytes} bytes, at most ${mostRecordedBytes}. ` +
    'Ask for fewer items or pages')
}

function recordingOf (recorded: readonly RecordedTraffic[], [first]: readonly SentRequest[]): Recording {
  return createRecording(joinTraffic(recorded), first === undefined ? {} : { at: new Date(first.at) })
}

/** Throws when the adapter of a connection does not have the method. */
export function refuseUnknown ({ connection, adapter }: OpenConnection, capability: string, method: string): void {
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

/** A failure of the hub itself says nothing about the adapter. */
function isOfHub (error: unknown): boolean {
  if (isAdapterError(error)) return false
  const { code } = error as { code?: unknown }
  return isInfrastructureError(error) ||
    (typeof code === 'string' && code.startsWith('LNK_') && !code.startsWith('LNK_ADAPTER_'))
}

/** Some values cross between threads and are no JSON. */
function refuseUnreadable (value: unknown): Pick<Invocation, 'success' | 'value' | 'error'> {
  try {
    JSON.stringify(value)
    return { success: true, value }
  } catch (error) {
    const message = `The method returned a value that is no JSON: ${describeFailure(error).message}`
    return { success: false, error: { code: AdapterErrorCode.rejected, message } }
  }
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
