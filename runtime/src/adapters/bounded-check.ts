import { createCallSecrets, fits, type CallTarget, type CurrentCallStorage } from '@linker/sdk/host'
import { Script } from 'node:vm'
import { AdapterCheckStoppedError } from '../errors.ts'
import type { InlineCalls } from './inline-calls.ts'

export interface BoundedCheckOptions {
  currentCall: CurrentCallStorage
  inlineCalls: Pick<InlineCalls, 'begin' | 'end'>
  limitMs?: number
}

/**
 * Runs a check of an adapter's schemas in this thread. `target`: the call that it comes before;
 * `input`: what is checked.
 */
export type RunCheck = <Answer>(adapter: string, target: CallTarget, input: unknown, check: () => Answer) => Answer

// Longer than the watchdog waits: what takes this long is named by it, too.
const defaultLimitMs = 1_500

// The clock of a check costs a thread. With what a schema may take for each byte, so little input
// needs none.
const smallBytes = 4_096

const workKey = Symbol.for('linker.boundedCheck')
const script = new Script(`globalThis[Symbol.for('${workKey.description}')]()`)

/**
 * Makes the function that runs checks of schemas that adapters brought. They run in the hub's own
 * thread wherever the adapter runs. So they count as its calls for the watchdog, and one that does
 * not end is broken off: nothing but the check itself is lost.
 */
export function createRunCheck ({ currentCall, inlineCalls, limitMs = defaultLimitMs }: BoundedCheckOptions): RunCheck {
  return function runCheck (adapter, target, input, check) {
    const call = { target, args: [], signal: new AbortController().signal }
    const effects = { cursors: {}, jobs: [] }
    const store = { adapter, call, effects, secrets: createCallSecrets(), breakOff: () => undefined }
    inlineCalls.begin(adapter)
    try {
      if (fits(input, smallBytes)) return currentCall.run(store, check)
      const late = (): Error => new AdapterCheckStoppedError(adapter, limitMs)
      return currentCall.run(store, () => runWithin(limitMs, check, late))
    } finally {
      inlineCalls.end(adapter)
    }
  }
}

function runWithin<Answer> (limitMs: number, work: () => Answer, late: () => Error): Answer {
  const outer: unknown = Reflect.get(globalThis, workKey)
  Reflect.set(globalThis, workKey, work)
  try {
    return script.runInThisContext({ timeout: limitMs, displayErrors: false }) as Answer
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? late() : error
  } finally {
    if (outer === undefined) Reflect.deleteProperty(globalThis, workKey)
    else Reflect.set(globalThis, workKey, outer)
  }
}
