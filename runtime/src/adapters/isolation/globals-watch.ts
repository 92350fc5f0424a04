import { guardGlobals, type ChangedGlobal } from '@linker/sdk/host'
import { clearInterval as stop, setInterval as every, setTimeout as later } from 'node:timers'
import { sourceOf } from './function-source.ts'

/** Built-ins that were found replaced, and whose doing that may be. */
export interface ReplacedGlobals {
  /** `adapterKey@version`. One, unless several ran and nothing shows which it was. */
  adapters: readonly string[]
  /** The first of their names; `stay` are those that could not be put back. */
  names: readonly string[]
  stay: readonly string[]
}

export interface GlobalsWatchOptions {
  /**
   * Adapters whose code may have run in this thread since they were forgotten: when there is none,
   * what is another thing is somebody else's doing.
   */
  suspects: { any(): boolean, list(): readonly string[], forget(): void }
  /** The adapter that a module belongs to, by the `file:` URL of the module. */
  adapterOf(url: string): string | undefined
  onReplaced(found: ReplacedGlobals): void
}

export interface GlobalsWatch {
  /**
   * A call of an adapter has ended. What it replaced is put back before whoever waits for it goes
   * on, or, when calls end faster than that can be looked at, a moment later.
   */
  look(): void
  close(): void
}

/** Between two looks after calls: a look takes some 30 microseconds. */
const restMs = 2
/**
 * Timers of an adapter run outside of its calls, so the watch also looks without one. Until it
 * does, requests of others are refused for what `JSON.parse` has become.
 */
const quickMs = 50
/** One look in so many also sees accessors and new members. */
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
    // Before anything else is called: what was replaced may be what the rest is made of.
    const changed = guard.restore(how)
    if (changed.length > 0) tell(suspects.list(), changed)
    else if (how === 'thorough') suspects.forget()
  }

  function tell (running: readonly string[], changed: readonly ChangedGlobal[]): void {
    // Where it was written says more than who ran, which may be many.
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
