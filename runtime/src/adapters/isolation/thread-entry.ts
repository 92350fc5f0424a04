import {
  callRecorder,
  createAddressPolicy,
  createCurrentCall,
  createHttpClientFactory,
  createInlineCarrier,
  encodeError,
  type HostServices,
  importAdapter,
  type InlineCarrier,
  redactEvent,
  watchGlobals
} from '@linker/sdk/host'
import { createBirpc } from 'birpc'
import { parentPort, workerData } from 'node:worker_threads'
import { watchAdapterGlobals } from './globals-watch.ts'
import type { CallData, HubFunctions, Outcome, ThreadData, ThreadFunctions } from './protocol.ts'

// The thread of one adapter version: the adapter runs here as it would inline, and asks the hub for
// everything that is the hub's.

delete process.env.NODE_COMPILE_CACHE

// Keep the function before the adapter can replace it.
const { memoryUsage } = process

const port = parentPort
if (port === null) throw new Error('this module is the entry of a worker thread')
const { adapter, entry, manifest, platformSettings, outboundAllow } = workerData as ThreadData

const currentCall = createCurrentCall()
const aborts = new Map<number, AbortController>()
let hasCalls = false
// An adapter that replaces globals harms only itself here. Its author must still hear of it,
// because inline the adapter would harm everybody.
const globals = watchAdapterGlobals({
  suspects: { any: () => hasCalls, list: () => [adapter], forget: () => undefined },
  adapterOf: () => undefined,
  onReplaced ({ names, stay }) {
    const shown = String(carrier?.redact(names.join(', ')) ?? '')
    services.log(
      'error',
      { globals: shown, stay: carrier?.redact(stay.join(', ')) },
      `the adapter ${adapter} replaced ${shown} in its own thread; ${
        stay.length === 0 ? 'they were restored' : 'some could not be restored'
      }`
    )
  }
})
let carrier: InlineCarrier | undefined

// The error ends the thread as it would without this listener, but the error that the hub gets has
// none of the connections' secrets.
process.on('uncaughtException', error => {
  throw carrier?.redact(error) ?? error
})

const hub = createBirpc<HubFunctions, ThreadFunctions>({
  load: () =>
    settled(async () => {
      const changedGlobals = watchGlobals()
      const { definition, description } = await importAdapter(entry)
      const patched = changedGlobals()
      const redact = (text: string): string => carrier?.redactOfCall(text) ?? text
      const { http } = createHttpClientFactory({
        addressPolicy: createAddressPolicy({ allow: [...outboundAllow] }),
        currentCall: () => currentCall.getStore()?.call,
        async admit (area) {
          const { connection, traceId, renewsToken = false } = currentCall.getStore()?.call ?? {}
          return connection === undefined
            ? undefined
            : services.admitRequest(connection.id, traceId, { renewsToken, area })
        },
        onRequest: event => {
          const { connection, traceId } = currentCall.getStore()?.call ?? {}
          hub.upstream.asEvent(redactEvent(event, redact), connection?.id, traceId)
        },
        recorder: () => callRecorder(currentCall.getStore())
      })
      carrier = createInlineCarrier({
        adapter,
        definition,
        manifest,
        services,
        http,
        platformSettings,
        now: () => new Date(),
        currentCall,
        onWork () {
          hasCalls = true
          return globals.look
        }
      })
      return { description, patched }
    }),
  call: (id, call) => settled(() => run(id, call)),
  abort (id) {
    aborts.get(id)?.abort()
  },
  forget (connectionId) {
    carrier?.forget(connectionId)
  },
  ping () {
    const { heapTotal: heap, external, arrayBuffers } = memoryUsage()
    return { heap, external, arrayBuffers }
  }
}, {
  post: data => {
    port.postMessage(data)
  },
  on: listener => {
    port.on('message', listener)
  },
  timeout: -1,
  eventNames: ['log', 'count', 'observe', 'upstream']
})

const services: HostServices = {
  readValue: (...args) => hub.readValue(...args),
  writeValue: (...args) => hub.writeValue(...args),
  deleteValue: (...args) => hub.deleteValue(...args),
  listValues: (...args) => hub.listValues(...args),
  readCursor: (...args) => hub.readCursor(...args),
  listCursors: (...args) => hub.listCursors(...args),
  acquireLock: (...args) => hub.acquireLock(...args),
  releaseLock: (...args) => hub.releaseLock(...args),
  readCredentials: (...args) => hub.readCredentials(...args),
  renewCredentials: (...args) => hub.renewCredentials(...args),
  refuseRefresh: (...args) => hub.refuseRefresh(...args),
  identifyJob: (...args) => hub.identifyJob(...args),
  callCapability: (...args) => hub.callCapability(...args),
  admitRequest: (...args) => hub.admitRequest(...args),
  beginFlow: (...args) => hub.beginFlow(...args),
  takeFlow: (...args) => hub.takeFlow(...args),
  endFlow: (...args) => hub.endFlow(...args),
  getConnection: (...args) => hub.getConnection(...args),
  createConnection: (...args) => hub.createConnection(...args),
  replaceConnectionCredentials: (...args) => hub.replaceConnectionCredentials(...args),
  count (...args) {
    hub.count.asEvent(...args)
  },
  observe (...args) {
    hub.observe.asEvent(...args)
  },
  log (...args) {
    hub.log.asEvent(...args)
  },
  upstream (event, connectionId, traceId) {
    hub.upstream.asEvent(event, connectionId, traceId)
  }
}

async function run (id: number, call: CallData) {
  if (carrier === undefined) throw new Error('the adapter is not loaded')
  const controller = new AbortController()
  aborts.set(id, controller)
  try {
    return await carrier.call({ ...call, signal: controller.signal })
  } finally {
    aborts.delete(id)
  }
}

/** Returns an error as plain data: a structured clone would rob the error of its code. */
async function settled<Value> (work: () => Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { value: await work() }
  } catch (error) {
    return { error: encodeError(error) }
  }
}
