import { guardGlobals, type ChangedGlobal } from '@linker/sdk/host'
import { clearInterval as stop, setInterval as every, setTimeout as later } from 'node:timers'
import { sourceOf } from './function-source.ts'

/** Built-ins that the watch found replaced, and the adapters that may have replaced them. */
export interface ReplacedGlobals {
  /** `adapterKey@version`. One adapter, unless several ran and nothing shows which one did it. */
  adapters: readonly string[]
  /** The first names of the built-ins. `stay` names those that the watch could not put back. */
  names: readonly string[]
  stay: readonly string[]
}

export interface GlobalsWatchOptions {
  /**
   * Adapters whose code may have run in this thread since `forget` dropped them. When there is
   * none, somebody else replaced the built-in.
   */
  suspects: { any(): boolean, list(): readonly string[], forget(): void }
  /** The adapter that a module belongs to, by the `file:` URL of the module. */
  adapterOf(url: string): string | undefined
  onReplaced(found: ReplacedGlobals): void
}

export interface GlobalsWatch {
  /**
   * Call it when a call of an adapter has ended. The watch puts replaced built-ins back before the
   * caller goes on, or, when calls end faster than the watch may look, a moment later.
   */
  look(): void
  close(): void
}

/** Shortest time between two looks after calls, because a look takes about 30 microseconds. */
const restMs = 2
/**
 * Timers of an adapter run outside of its calls, so the watch also looks without a call. Until it
 * looks, a replaced `JSON.parse` can make the hub refuse the requests of others.
 */
const quickMs = 50
/** One look in this many also sees accessors and new members. */
const thoroughShare = 20
/** An adapter may replace thousands of globals, and finding the author of one takes 0.1 s. */
const mostAsked = 3
const mostNames = 5
const longestName = 100

export function watchAdapterGlobals ({ suspects, adapterOf, onReplaced }: GlobalsWatchOptions): GlobalsWatch {
  const guard = guardGlobals()
  // An adapter may replace the clock, too.
  const now = performance.now.bind(performance)
  let lastAt = -Infinity
  let isPlanned = false

  function lookNow (how: 'quick' | 'thorough'): void {
    isPlanned = false
    lastAt = now()
    if (!suspects.any()) return
    // Restore before any other call: the rest of this code may use a replaced built-in.
    const changed = guard.restore(how)
    if (changed.length > 0) tell(suspects.list(), changed)
    else if (how === 'thorough') suspects.forget()
  }

  function tell (running: readonly string[], changed: readonly ChangedGlobal[]): void {
    // The module in which a function was written says more than the list of adapters that ran,
    // which may be many.
    const authors = new Set(changed.slice(0, mostAsked).flatMap(({ value }) => adapterOf(sourceOf(value) ?? '') ?? []))
    onReplaced({
      adapters: authors.size > 0 ? [...authors] : running,
      names: namesOf(changed),
      stay: namesOf(changed.filter(({ isBack }) => !isBack))
    })
  }

  let turn = 0
  const timer = every(() => {
    turn += 1
    lookNow(turn % thoroughShare === 0 ? 'thorough' : 'quick')
  }, quickMs).unref()
  return {
    look () {
      if (now() - lastAt >= restMs) return lookNow('quick')
      if (isPlanned) return
      isPlanned = true
      later(() => {
        lookNow('quick')
      }, restMs).unref()
    },
    close () {
      stop(timer)
    }
  }
}

function namesOf (changed: readonly ChangedGlobal[]): string[] {
  return changed.slice(0, mostNames).map(({ name }) => name.slice(0, longestName))
}
