import { isUniqueViolation } from '../../database/conflict.ts'
import type { Database } from '../../database/database.ts'
import { hubGroup } from '../identity.ts'
import type { Lane } from '../job.ts'
import { takeDue, takeSuspect, type ClaimedRow, type Turn } from './store.ts'

/** A job that this process may run until it settles it. */
export interface ClaimedJob extends Omit<ClaimedRow, 'groupId'> {
  /** Whether the worker that ran it last has died. */
  isSuspect: boolean
}

export interface ClaimLimits {
  slots: number
  perConnection: number
}

export interface Claims {
  /** Takes due jobs, but no suspects. */
  jobs(limits: ClaimLimits): Promise<ClaimedJob[]>
  /** Takes the suspect of a lane that has waited longest. */
  suspect(lane: Lane, limits: Pick<ClaimLimits, 'perConnection'>): Promise<ClaimedJob[]>
}

const mostTries = 10
const firstTurn: Turn = { lane: '', group: hubGroup }

/**
 * Returns the functions that take due jobs for this process. The one for jobs remembers whose turn
 * it was: each connection gets its share before the first gets its second.
 */
export function createClaims ({ query }: Pick<Database, 'query'>): Claims {
  let turn = firstTurn

  return {
    async jobs ({ slots, perConnection }) {
      const take = (after: Turn, limit: number): Promise<ClaimedRow[]> =>
        repeatOnRace(() => takeDue(query, { after, limit, perConnection }))
      const rows = await take(turn, slots)
      const rest = rows.length < slots && turn !== firstTurn ? await take(firstTurn, slots - rows.length) : []
      turn = rows.length + rest.length < slots ? firstTurn : lastTurnOf(rest.length > 0 ? rest : rows)
      return [...rows, ...rest].map(row => claimedJobOf(row, false))
    },
    async suspect (lane, { perConnection }) {
      const rows = await repeatOnRace(() => takeSuspect(query, lane, perConnection))
      return rows.map(row => claimedJobOf(row, true))
    }
  }
}

async function repeatOnRace (take: () => Promise<ClaimedRow[]>): Promise<ClaimedRow[]> {
  for (let tries = 1;; tries++) {
    try {
      return await take()
    } catch (error) {
      // Another worker took a job of the same object between our look and our update.
      if (tries === mostTries || !isUniqueViolation(error)) throw error
    }
  }
}

function claimedJobOf ({ groupId: _groupId, ...job }: ClaimedRow, isSuspect: boolean): ClaimedJob {
  return { ...job, isSuspect }
}

function lastTurnOf (rows: readonly ClaimedRow[]): Turn {
  return rows.map(({ lane, groupId }) => ({ lane, group: groupId }))
    .reduce(
      (last, turn) => turn.lane > last.lane || (turn.lane === last.lane && turn.group > last.group) ? turn : last,
      firstTurn
    )
}
