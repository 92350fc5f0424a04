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
 * Runs a check of an adapter's schemas in this thread. `target`: the call that the check precedes;
 * `input`: the value that is checked.
 */
export type RunCheck = <Answer>(adapter: string, target: CallTarget, input: unknown, check: () => Answer) => Answer

// Longer than the watchdog waits, so that the watchdog also names a check that takes this long.
const defaultLimitMs = 1_500

// A time limit costs a thread. A check of input this small needs none, because the hub limits the
// time that a schema takes for each byte.
const smallBytes = 4_096

const workKey = Symbol.for('linker.boundedCheck')
const script = new Script(`globalThis[Symbol.for('${workKey.description}')]()`)

/**
 * Makes the function that runs the checks of adapters' schemas. A check runs in the hub's own
 * thread, wherever its adapter runs. So the watchdog counts the check as a call of the adapter, and
 * V8 breaks off a check that does not end; only the check itself is lost.
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
