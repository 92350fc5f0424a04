/**
 * Tells whether code of an inline adapter may be running: in a call, or for a while after the call,
 * in timers and promises that it left behind.
 */
export interface InlineCalls {
  onBegin: () => void
  onEnd: () => void
  begin(adapter: string): void
  end(adapter: string): void
  /** Whether code of any adapter may have run since `forget` dropped it. */
  any(): boolean
  /** The adapters whose code may have run, as `key@version`. */
  list(): readonly string[]
  /** Forgets the adapters that have no call under way and had none lately. */
  forget(): void
  isQuiet(): boolean
}

const echoMs = 5_000

export function createInlineCalls (): InlineCalls {
  const ran = new Map<string, { underWay: number, lastEndedAt: number }>()
  let hasRun = false
  let underWay = 0
  let lastEndedAt = -Infinity
  const calls: InlineCalls = {
    onBegin: () => undefined,
    onEnd: () => undefined,
    begin (adapter) {
      underWay += 1
      hasRun = true
      const known = ran.get(adapter) ?? { underWay: 0, lastEndedAt: -Infinity }
      ran.set(adapter, known)
      known.underWay += 1
      calls.onBegin()
    },
    end (adapter) {
      underWay -= 1
      lastEndedAt = performance.now()
      const known = ran.get(adapter)
      if (known !== undefined) {
        known.underWay -= 1
        known.lastEndedAt = lastEndedAt
      }
      calls.onEnd()
    },
    any: () => hasRun,
    list: () => [...ran.keys()],
    forget () {
      const now = performance.now()
      for (const [adapter, known] of ran) {
        if (known.underWay === 0 && now - known.lastEndedAt > echoMs) ran.delete(adapter)
      }
      hasRun = ran.size > 0
    },
    isQuiet: () => underWay === 0 && performance.now() - lastEndedAt > echoMs
  }
  return calls
}
