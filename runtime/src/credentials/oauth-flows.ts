import type { PlatformServices } from '@linker/sdk/host'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Sealed, Sealing } from './sealing.ts'
import type { Database, Query } from '../database/database.ts'
import { removeInSteps } from '../database/remove-in-steps.ts'

export interface FlowsOptions {
  database: Pick<Database, 'query'>
  sealing: Sealing
  platformType: string
}

interface Taken {
  json: Record<string, unknown>
  encrypted: boolean
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
    sealing.seal({ value }, contextOf(hash, platformType, part))
  const open = (hash: string, part: string, sealed: Sealed): unknown =>
    sealing.open(sealed, contextOf(hash, platformType, part)).value

  return {
    async beginFlow (data, ttlSeconds) {
      const state = randomBytes(32).toString('base64url')
      const hash = hashOf(state)
      const { json, encrypted } = seal(hash, 'data', data)
      await query(
        'insert into flows (state_hash, platform_type, data, encrypted, expires_at) values ($1, $2, $3::jsonb, $4, ' +
          "now() + interval '1 second' * $5)",
        [hash, platformType, JSON.stringify(json), encrypted, ttlSeconds]
      )
      return state
    },
    async takeFlow (state, leaseMs) {
      const hash = hashOf(state)
      const token = randomUUID()
      // A second process waits for the lock of the row and then finds no data: only one process
      // takes a flow.
      const [taken] = await query<Taken>(
        `
        with found as (
          select state_hash, data, encrypted
            from flows
            where state_hash = $1 and platform_type = $2 and data is not null and expires_at > now()
            for update),
        taken as (
          update flows
            set data = null, taken_by = $3, expires_at = now() + interval '1 millisecond' * $4
            from found
            where flows.state_hash = found.state_hash)
        select data as json, encrypted from found`,
        [hash, platformType, token, Math.ceil(leaseMs)]
      )
      if (taken !== undefined) return { kind: 'taken', token, data: open(hash, 'data', taken) }
      const [row] = await query<{ json: Taken['json'] | null, encrypted: boolean }>(
        'select answer as json, encrypted from flows where state_hash = $1 and platform_type = $2 and data is null ' +
          'and expires_at > now()',
        [hash, platformType]
      )
      if (row === undefined) return undefined
      return row.json === null
        ? { kind: 'busy' }
        : { kind: 'answered', answer: open(hash, 'answer', { json: row.json, encrypted: row.encrypted }) }
    },
    async endFlow (state, token, ending) {
      const hash = hashOf(state)
      if (ending === undefined) {
        await query('delete from flows where state_hash = $1 and taken_by = $2', [hash, token])
        return
      }
      const { json, encrypted } = seal(hash, 'answer', ending.answer)
      await query(
        "update flows set answer = $3::jsonb, encrypted = $4, expires_at = now() + interval '5 minutes' where " +
          'state_hash = $1 and taken_by = $2',
        [hash, token, JSON.stringify(json), encrypted]
      )
    }
  }
}

function hashOf (state: string): string {
  return createHash('sha256').update(state).digest('hex')
}

function contextOf (hash: string, platformType: string, part: string): string {
  return `flows/${hash}/${platformType}/${part}`
}

/** Removes expired flows, because their data must not stay much longer than their time. */
export async function removeExpiredFlows (query: Query): Promise<number> {
  return removeInSteps(query, removalStatement)
}

// Skips locked rows: another process is removing them.
const removalStatement = `
  delete from flows where state_hash in (
    select state_hash from flows where expires_at <= now() order by expires_at limit $1 for update skip locked)
  returning true as removed`
