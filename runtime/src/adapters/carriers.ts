import type { Adapter, HttpClientFactory } from '@linker/sdk'
import {
  callRecorder,
  type Carrier,
  createAddressPolicy,
  createCurrentCall,
  createHttpClientFactory,
  createInlineCarrier,
  type CurrentCallStorage,
  type HostServices,
  type InlineCarrier,
  redactEvent
} from '@linker/sdk/host'
import { findPackageJSON } from 'node:module'
import { pathToFileURL } from 'node:url'
import { createRunCheck, type RunCheck } from './bounded-check.ts'
import { createInlineCalls, type InlineCalls } from './inline-calls.ts'
import type { GrowthWatch } from './isolation/inline-growth.ts'
import { createProofThread, type ProofThread } from './isolation/proof-thread.ts'
import type { ThreadData } from './isolation/protocol.ts'
import type { CarrierThread } from './isolation/thread.ts'
import { createWorkerCarrier, type Health, type WorkerCarrier, type WorkerLimits } from './isolation/worker-carrier.ts'

/** The carrier of one adapter version, which may change under its callers. */
export interface AdapterCarrier extends Carrier {
  isolation(): 'inline' | 'worker'
  health(): Health
  /**
   * Moves the adapter to its own thread from the next call on. Calls under way end where they
   * began.
   */
  moveToWorker(): void
  /**
   * Returns a copy of a value that the adapter left in the hub's own thread, without its secrets.
   */
  redact(value: unknown): unknown
  /** Ends the thread of the adapter, at once or as soon as the calls under way have ended. */
  close(when?: 'now' | 'after calls'): Promise<void>
}

/** The parts that the carriers of all adapters share. */
export interface CarrierHost {
  /** The running code of an inline adapter finds its call here, and blame finds the adapter. */
  readonly currentCall: CurrentCallStorage
  readonly inlineCalls: InlineCalls
  /**
   * Runs a check of an adapter's schemas with a time limit. Blame treats the check as a call of the
   * adapter.
   */
  readonly runCheck: RunCheck
  inline(data: ThreadData, definition: Adapter, services: HostServices): AdapterCarrier
  worker(data: ThreadData, thread: CarrierThread, services: HostServices): AdapterCarrier
  /** Makes the thread in which the adapter's own function judges deliveries. */
  proofs(data: ThreadData, services: Pick<HostServices, 'log'>): ProofThread
  close(): Promise<void>
}

export interface CarrierHostOptions {
  outboundAllow: readonly string[]
  now: () => Date
  limits?: Partial<WorkerLimits>
  /** The watch over memory, which is told of every inline adapter and its calls. */
  growth?: Pick<GrowthWatch, 'add' | 'begin'>
}

/** Returns the folder of an adapter's code as a URL. */
function folderOf (entry: string): string {
  const packageJson = findPackageJSON(entry)
  return packageJson === undefined ? new URL('.', entry).href : new URL('.', pathToFileURL(packageJson)).href
}

export function createCarrierHost ({ outboundAllow, now, limits = {}, growth }: CarrierHostOptions): CarrierHost {
  const currentCall = createCurrentCall()
  const inlineCalls = createInlineCalls()
  const opened = new Set<AdapterCarrier>()
  const closes = new Set<() => Promise<void>>()

  /**
   * Makes one HTTP client per adapter, so that the hub counts the requests of each. All have the
   * same address policy.
   */
  function httpOf (services: HostServices, redact: (text: string) => string): HttpClientFactory {
    const { http, close } = createHttpClientFactory({
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
        services.upstream(redactEvent(event, redact), connection?.id, traceId)
      },
      recorder: () => callRecorder(currentCall.getStore())
    })
    closes.add(close)
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
    opened.add(carrier)
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
        close: async when => worker?.close(when)
      })
    },
    worker (data, thread, services) {
      const worker = createWorkerCarrier({ data, services, first: thread, limits })
      const carrier: AdapterCarrier = {
        ...worker,
        isolation: () => 'worker',
        moveToWorker: () => undefined,
        redact: value => value,
        async close (when) {
          await worker.close(when)
          opened.delete(carrier)
        }
      }
      return keep(carrier)
    },
    proofs ({ adapter, entry }, services) {
      const proofs = createProofThread({
        adapter,
        entry,
        onFailure (reason) {
          services.log(
            'warn',
            { reason },
            `the adapter ${adapter} could not judge a webhook, which was answered 503: ${reason}`
          )
        }
      })
      const close = async (): Promise<void> => {
        closes.delete(close)
        await proofs.close()
      }
      closes.add(close)
      return { ...proofs, close }
    },
    async close () {
      await Promise.all([...[...opened].map(carrier => carrier.close()), ...[...closes].map(close => close())])
    }
  }
}
