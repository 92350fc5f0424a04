import {
  createCurrentCall,
  createInlineCarrier,
  type Carrier,
  type CurrentCallStorage,
  type HostServices,
  type InlineCarrier
} from '@linker/sdk/host'
import { createAddressPolicy, createHttpClientFactory, type Adapter, type HttpClientFactory } from '@linker/sdk'
import { findPackageJSON } from 'node:module'
import { pathToFileURL } from 'node:url'
import { createRunCheck, type RunCheck } from './bounded-check.ts'
import type { GrowthWatch } from './isolation/inline-growth.ts'
import type { ThreadData } from './isolation/protocol.ts'
import type { AdapterThread } from './isolation/thread.ts'
import { createWorkerCarrier, type Health, type WorkerCarrier, type WorkerLimits } from './isolation/worker-carrier.ts'
import { createInlineCalls, type InlineCalls } from './inline-calls.ts'

/** The carrier of one adapter version, which may change under its callers. */
export interface AdapterCarrier extends Carrier {
  isolation(): 'inline' | 'worker'
  health(): Health
  /**
   * From the next call on the adapter runs in a thread of its own; calls under way end where they
   * are.
   */
  moveToWorker(): void
  /** A copy of what the adapter left behind in the hub's own thread, without its secrets. */
  redact(value: unknown): unknown
  close(): Promise<void>
}

/** The parts that the carriers of all adapters share. */
export interface CarrierHost {
  /**
   * Where the running code of every inline adapter finds its call, and where blame finds the
   * adapter.
   */
  readonly currentCall: CurrentCallStorage
  readonly inlineCalls: InlineCalls
  /**
   * Runs a check of an adapter's schemas, which has an end and is blamed as a call of the adapter
   * is.
   */
  readonly runCheck: RunCheck
  inline(data: ThreadData, definition: Adapter, services: HostServices): AdapterCarrier
  worker(data: ThreadData, thread: AdapterThread, services: HostServices): AdapterCarrier
  close(): Promise<void>
}

export interface CarrierHostOptions {
  outboundAllow: readonly string[]
  now: () => Date
  limits?: Partial<WorkerLimits>
  /** Told of the inline adapters and their calls. */
  growth?: Pick<GrowthWatch, 'add' | 'begin'>
}

/** Where the code of an adapter is, as a URL. */
function folderOf (entry: string): string {
  const packageJson = findPackageJSON(entry)
  return packageJson === undefined ? new URL('.', entry).href : new URL('.', pathToFileURL(packageJson)).href
}

export function createCarrierHost ({ outboundAllow, now, limits = {}, growth }: CarrierHostOptions): CarrierHost {
  const currentCall = createCurrentCall()
  const inlineCalls = createInlineCalls()
  const opened: AdapterCarrier[] = []
  const closes: (() => Promise<void>)[] = []

  /** One per adapter, so that its requests are counted as its own; all share the policy. */
  function httpOf (services: HostServices, redact: (text: string) => string): HttpClientFactory {
    const { http, close } = createHttpClientFactory({
      addressPolicy: createAddressPolicy({ allow: [...outboundAllow] }),
      currentCall: () => currentCall.getStore()?.call,
      onRequest: event => {
        services.upstream({ ...event, path: redact(event.path) }, currentCall.getStore()?.call.connection?.id)
      }
    })
    closes.push(close)
    return http
  }

  function onWork (adapter: string): () => void {
    inlineCalls.begin(adapter)
    const onEnd = growth?.begin(adapter)
    return () => {
      onEnd?.()
      inlineCalls.end(adapter)
    }
  }

  function keep (carrier: AdapterCarrier): AdapterCarrier {
    opened.push(carrier)
    return carrier
  }

  return {
    currentCall,
    inlineCalls,
    runCheck: createRunCheck({ currentCall, inlineCalls }),
    inline (data, definition, services) {
      const { adapter, manifest, platformSettings } = data
      const inline: InlineCarrier = createInlineCarrier({
        adapter,
        definition,
        manifest,
        services,
        http: httpOf(services, text => inline.redactOfCall(text)),
        platformSettings,
        now,
        currentCall,
        onWork: () => onWork(adapter)
      })
      growth?.add(adapter, folderOf(data.entry))
      let worker: WorkerCarrier | undefined
      return keep({
        call: call => (worker ?? inline).call(call),
        forget (connectionId) {
          ;(worker ?? inline).forget(connectionId)
        },
        isolation: () => worker === undefined ? 'inline' : 'worker',
        health: () => worker?.health() ?? { state: 'ready' },
        moveToWorker () {
          worker ??= createWorkerCarrier({ data, services, limits })
        },
        redact: value => inline.redact(value),
        close: async () => worker?.close()
      })
    },
    worker (data, thread, services) {
      const worker = createWorkerCarrier({ data, services, first: thread, limits })
      return keep({ ...worker, isolation: () => 'worker', moveToWorker: () => undefined, redact: value => value })
    },
    async close () {
      await Promise.all([...opened.map(carrier => carrier.close()), ...closes.map(close => close())])
    }
  }
}
