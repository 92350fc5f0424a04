import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Flows } from '../route.ts'
import type { AdapterCall } from './carrier.ts'
import { abortError } from './errors.ts'
import { leaseMsOf } from './locks.ts'
import type { CallSecrets } from './redact.ts'
import type { PlatformServices, TakenFlow } from './services.ts'
import { checkedFlowData, checkedLifetime } from './storable.ts'

/** 256 bits as base64url. */
const statePattern = /^[A-Za-z0-9_-]{43}$/
const lookEveryMs = 100

export interface FlowsOptions {
  services: Pick<PlatformServices, 'beginFlow' | 'takeFlow' | 'endFlow'>
  call: Pick<AdapterCall, 'signal' | 'deadline'>
  secrets: CallSecrets
  now: () => Date
}

/** Creates the flows of a platform for one call. */
export function createFlows ({ services, call: { signal, deadline }, secrets, now }: FlowsOptions): Flows {
  /**
   * Waits while another caller works on the flow: until there is an answer, the other's lease has
   * lapsed, or this call ends.
   */
  async function take (state: string): Promise<Exclude<TakenFlow, { kind: 'busy' }> | undefined> {
    for (;;) {
      if (signal.aborted) throw abortError(signal)
      const taken = await services.takeFlow(state, leaseMsOf(deadline, now()))
      if (taken?.kind !== 'busy') return taken
      await sleep(lookEveryMs, undefined, { signal }).catch(() => undefined)
    }
  }

  async function run (
    state: string,
    { token, data }: Extract<TakenFlow, { kind: 'taken' }>,
    work: (data: unknown) => Promise<unknown>,
    proof: string | null
  ): Promise<unknown> {
    try {
      // The call may have ended during the request to the host.
      if (signal.aborted) throw abortError(signal)
      const answer = checkedFlowData(await work(data), 'the answer of the work of a flow')
      secrets.add(answer)
      await services.endFlow(state, token, { answer: { proof, answer } satisfies Spent })
      return answer
    } catch (error) {
      // Ignore a failure here: the lapsed lease then ends the flow.
      await services.endFlow(state, token, undefined).catch(() => undefined)
      throw error
    }
  }

  return Object.freeze<Flows>({
    async begin (data, { ttlSeconds }) {
      const kept = checkedFlowData(data, 'the data of a flow')
      secrets.add(kept)
      const state = await services.beginFlow(kept, checkedLifetime(ttlSeconds))
      secrets.add(state)
      return state
    },
    async complete<Answer> (
      state: string,
      work: (data: unknown) => Promise<Answer>,
      { proof: given }: { proof?: string | undefined } = {}
    ) {
      // Anybody may send any value to a public route.
      if (typeof state !== 'string' || !statePattern.test(state)) return undefined
      secrets.add(state)
      const taken = await take(state)
      if (taken === undefined) return undefined
      const proof = given === undefined ? null : createHash('sha256').update(given).digest('base64url')
      if (taken.kind === 'taken') {
        secrets.add(taken.data)
        return await run(state, taken, work, proof) as Answer
      }
      const spent: unknown = taken.answer
      if (!isSpent(spent) || spent.proof !== proof) return undefined
      secrets.add(spent.answer)
      return spent.answer as Answer
    }
  })
}

/** The answer of a flow, and the hash of the proof with which it was completed. */
interface Spent {
  proof: string | null
  answer: unknown
}

/** A hub of an earlier version kept the answer alone: nobody knows then who may have it. */
function isSpent (value: unknown): value is Spent {
  return typeof value === 'object' && value !== null && 'proof' in value && 'answer' in value
}
