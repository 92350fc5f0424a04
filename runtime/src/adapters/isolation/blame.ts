import type { Log } from '@linker/sdk'
import { describeTarget, type CurrentCall, type CurrentCallStorage } from '@linker/sdk/host'
import { AdapterCrashedError } from '../../errors.ts'
import type { AdapterCarrier } from '../carriers.ts'
import type { InlineCalls } from '../inline-calls.ts'
import { watchAdapterGlobals, type ReplacedGlobals } from './globals-watch.ts'
import { startLoopWatchdog, type BlockedEvent } from './loop-watchdog.ts'

export interface BlameOptions {
  currentCall: CurrentCallStorage
  inlineCalls: InlineCalls
  /** The carrier of `adapterKey@version`. */
  carrierOf(adapter: string): AdapterCarrier | undefined
  /** The inline adapter that a module belongs to, by the `file:` URL of the module. */
  adapterOf(url: string): string | undefined
  log: Pick<Log, 'warn' | 'error'>
  onBlocked(adapter: string | undefined, seconds: number): void
  /**
   * Called when this process cannot go on as it is: a global stays replaced, or the watchdog broke
   * code off, and code that waited in the same turn of the loop may never go on.
   */
  onBroken(adapter: string, reason: string): void
  /** Settings of the watchdog, for tests. */
  times?: { blockedMs: number, terminateMs: number }
}

/** Console output belongs to an inline adapter while one is running. */
export interface AdapterOutput {
  isRunning(): boolean
  onPrinted(): void
}

export interface Blame {
  output: AdapterOutput
  /**
   * Whether an adapter's code led to an error that nobody handled. If so, the log names the
   * adapter, and the adapter moves to its own thread, where it harms only itself.
   */
  take(error: unknown): boolean
  /** Moves an inline adapter to a thread of its own. */
  isolate(adapter: string): void
  close(): Promise<void>
}

const mostSeen = 100

/**
 * Finds the adapter to blame for an error or a block in the hub's own thread. Every continuation
 * and timer of an inline adapter inherits the call that it belongs to, and the call names the
 * adapter.
 */
export async function startBlame ({ currentCall, inlineCalls, carrierOf, adapterOf, log, onBlocked, onBroken, times }:
  BlameOptions): Promise<Blame>
{
  const ids = new WeakMap<CurrentCall, string>()
  const seen = new Map<string, CurrentCall>()
  let lastId = 0

  /**
   * Returns the same id for a call at every look: the watchdog breaks off only a call that it sees
   * twice.
   */
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
    log.error({ adapter }, 'the hub moved the adapter to its own thread; set "isolation": "worker" for it')
  }

  function noteBlocked ({ call, blockedMs, frames, wasTerminated }: BlockedEvent): void {
    onBlocked(call?.adapter, blockedMs / 1_000)
    if (call === undefined) {
      log.warn({ blockedMs, frames }, 'the event loop was blocked, but not by an adapter')
      return
    }
    const store = seen.get(call.callId)
    log.error({ ...call, blockedMs, frames, wasTerminated }, `the adapter ${call.adapter} blocked the event loop`)
    isolate(call.adapter)
    if (!wasTerminated) return
    store
      ?.breakOff(new AdapterCrashedError(
        call.adapter,
        `it blocked the event loop for ${Math.round(blockedMs)} ms, so the hub stopped it`
      ))
    onBroken(call.adapter, 'it blocked the event loop until the hub stopped it')
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
      return {
        callId,
        adapter: store.adapter,
        target: describeTarget(target),
        connectionId: connection?.id
      }
    },
    onBlocked: noteBlocked
  })

  function noteReplaced ({ adapters, names, stay }: ReplacedGlobals): void {
    for (const adapter of adapters) {
      // An adapter may make up the name of a member, even from a secret.
      const textOf = (list: readonly string[]): string => String(carrierOf(adapter)?.redact(list.join(', ')) ?? '')
      const shown = textOf(names)
      const whose = adapters.length === 1
        ? `the adapter ${adapter} replaced`
        : `the adapter ${adapter}, or another that ran with it, replaced`
      log.error(
        { adapter, globals: shown, stay: textOf(stay) },
        `${whose} ${shown}, which all code of the process shares; ${
          stay.length === 0 ? 'the hub restored them' : `the hub could not restore ${textOf(stay)}`
        }`
      )
      isolate(adapter)
    }
    const [first] = adapters
    if (stay.length > 0 && first !== undefined) {
      const lost = String(carrierOf(first)?.redact(stay.join(', ')) ?? '')
      onBroken(first, `it replaced ${lost}, which the hub cannot restore`)
    }
  }

  const globals = watchAdapterGlobals({ suspects: inlineCalls, adapterOf, onReplaced: noteReplaced })
  inlineCalls.onBegin = watchdog.endQuiet
  inlineCalls.onEnd = globals.look
  const printing = new Set<string>()
  return {
    output: {
      isRunning: () => currentCall.getStore() !== undefined,
      onPrinted () {
        const { adapter } = currentCall.getStore() ?? {}
        if (adapter === undefined || printing.has(adapter)) return
        printing.add(adapter)
        log.warn(
          { adapter },
          `the adapter ${adapter} prints to the console. The hub discards this output; use context.log instead`
        )
      }
    },
    isolate,
    take (error) {
      const store = currentCall.getStore()
      if (store === undefined) return false
      const { connection, target } = store.call
      log.error({
        err: carrierOf(store.adapter)?.redact(error),
        adapter: store.adapter,
        connectionId: connection?.id,
        target: describeTarget(target)
      }, `the adapter ${store.adapter} caused an unhandled error`)
      isolate(store.adapter)
      store.breakOff(new AdapterCrashedError(store.adapter, 'it caused an unhandled error, which the log shows'))
      return true
    },
    async close () {
      globals.close()
      await watchdog.close()
    }
  }
}
