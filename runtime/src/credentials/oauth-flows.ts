import type { PlatformServices } from '@linker/sdk/host'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Database } from '../database/database.ts'
import type { Sealed, Sealing } from './sealing.ts'
import { addFlow, readFlowAnswer, removeFlow, storeFlowAnswer, takeFlowData } from './store.ts'

export interface FlowsOptions {
  database: Pick<Database, 'query'>
  sealing: Sealing
  platformType: string
}

/**
 * The flows of one platform. Times are those of the database, which all processes share.
 *
 *     begun ──taken──▶ being worked on ──answered──▶ kept for five minutes ──▶ gone
 *       │                  │      └──failed──▶ gone
 *       └──expired──▶ gone └──lease lapsed──▶ gone
 */
export function createFlowServices ({ database, sealing, platformType }: FlowsOptions): Pick<
  PlatformServices,
  'beginFlow' | 'takeFlow' | 'endFlow'
> {
  const { query } = database
  const seal = (hash: string, part: string, value: unknown): Sealed =>
    sealing.seal({ value }, flowContext(hash, platformType, part))
  const open = (hash: string, part: string, sealed: Sealed): unknown =>
    sealing.open(sealed, flowContext(hash, platformType, part)).value

  return {
    async beginFlow (data, ttlSeconds) {
      const state = randomBytes(32).toString('base64url')
      const stateHash = hashOf(state)
      await addFlow(query, { stateHash, platformType }, seal(stateHash, 'data', data), ttlSeconds)
      return state
    },
    async takeFlow (state, leaseMs) {
      const stateHash = hashOf(state)
      const token = randomUUID()
      const flow = { stateHash, platformType }
      const taken = await takeFlowData(query, flow, { token, leaseMs: Math.ceil(leaseMs) })
      if (taken !== undefined) return { kind: 'taken', token, data: open(stateHash, 'data', taken) }
      const answer = await readFlowAnswer(query, flow)
      if (answer === undefined) return undefined
      const { json, encrypted } = answer
      return json === null
        ? { kind: 'busy' }
        : { kind: 'answered', answer: open(stateHash, 'answer', { json, encrypted }) }
    },
    async endFlow (state, token, ending) {
      const stateHash = hashOf(state)
      if (ending === undefined) await removeFlow(query, { stateHash, token })
      else await storeFlowAnswer(query, { stateHash, token }, seal(stateHash, 'answer', ending.answer))
    }
  }
}

/** Returns the hash under which the hub knows a state, which it stores nowhere. */
export function hashOf (state: string): string {
  return createHash('sha256').update(state).digest('hex')
}

/** Returns the text to which the envelope of a part of a flow is bound. */
export function flowContext (hash: string, platformType: string, part: string): string {
  return `flows/${hash}/${platformType}/${part}`
}
