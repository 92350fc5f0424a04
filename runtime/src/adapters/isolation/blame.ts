import type { Log } from '@linker/sdk'
import { describeTarget, type CurrentCall, type CurrentCallStorage } from '@linker/sdk/host'
import { AdapterCrashedError } from '../../errors.ts'
import type { AdapterCarrier, InlineCalls } from '../carriers.ts'
import { startLoopWatchdog, type BlockedEvent } from './loop-watchdog.ts'

export interface BlameOptions {
  currentCall: CurrentCallStorage
  inlineCalls: InlineCalls
  /** The carrier of `adapterKey@version`. */
  carrierOf (adapter: string): AdapterCarrier | undefined
  log: Pick<Log, 'warn' | 'error'>
  onBlocked (adapter: string | undefined, seconds: number): void
  /** Called when code was broken off: what waited in the same turn of the loop, the hub's own code included, may never go on. */
  onBrokenOff (adapter: string): void
  /** Of the watchdog, for tests. */
  times?: { blockedMs: number, terminateMs: number }
}

export interface Blame {
  /** Whether an adapter's code led to an error that nobody handled. Then it is named, and moved to a thread where it harms only itself. */
  take (error: unknown): boolean
  /** Moves an inline adapter to a thread of its own. */
  isolate (adapter: string): void
  close (): Promise<void>
}

const mostSeen = 100

/**
 * Finds the adapter to blame for what reaches the hub's own thread: by the call that the running code belongs to, which every
 * continuation and timer of an inline adapter inherits.
 */
export async function startBlame ({ currentCall, inlineCalls, carrierOf, log, onBlocked, onBrokenOff, times }: BlameOptions): Promise<Blame> {
  const ids = new WeakMap<CurrentCall, string>()
  const seen = new Map<string, CurrentCall>()
  let lastId = 0

  /** The same at every look: only a call that is seen twice is broken off. */
  function idOf (store: CurrentCall): string {
    const known = ids.get(store)
    if (known !== undefined) return known
    const id = String(++lastId)
    ids.set(store, id)
    return id
  }

  function isolate (adapter: string): void {
    const carrier = carrierOf(adapter)
    if (carrier?.isolation() !== 'inline') return
    carrier.moveToWorker()
    log.error({ adapter }, 'the adapter runs in a thread of its own from now on; set "isolation": "worker" for it')
  }

  function noteBlocked ({ call, blockedMs, frames, wasTerminated }: BlockedEvent): void {
    onBlocked(call?.adapter, blockedMs / 1_000)
    if (call === undefined) {
      log.warn({ blockedMs, frames }, 'the event loop was blocked, by no adapter')
      return
    }
    const store = seen.get(call.callId)
    log.error({ ...call, blockedMs, frames, wasTerminated }, `the adapter ${call.adapter} blocked the event loop`)
    isolate(call.adapter)
    if (!wasTerminated) return
    store?.breakOff(new AdapterCrashedError(call.adapter, `it blocked the event loop for ${Math.round(blockedMs)} ms and was broken off`))
    onBrokenOff(call.adapter)
  }

  const watchdog = await startLoopWatchdog({
    ...times,
    isQuiet: () => inlineCalls.isQuiet(),
    currentCall () {
      const store = currentCall.getStore()
      if (store === undefined) return undefined
      const callId = idOf(store)
      if (seen.size === mostSeen) seen.clear()
      seen.set(callId, store)
      const { connection, target } = store.call
      return { callId, adapter: store.adapter, target: describeTarget(target), ...(connection === undefined ? {} : { connectionId: connection.id }) }
    },
    onBlocked: noteBlocked
  })

  inlineCalls.onBegin = watchdog.endQuiet
  return {
    isolate,
    take (error) {
      const store = currentCall.getStore()
      if (store === undefined) return false
      const { connection, target } = store.call
      log.error({ err: carrierOf(store.adapter)?.redact(error), adapter: store.adapter, connectionId: connection?.id, target: describeTarget(target) }, `the adapter ${store.adapter} left an error that nobody handled`)
      isolate(store.adapter)
      store.breakOff(new AdapterCrashedError(store.adapter, 'it left an error that nobody handled; the log has it'))
      return true
    },
    close: () => watchdog.close()
  }
}
