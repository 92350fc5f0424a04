import type { Database } from '../../database/database.ts'
import { prepared } from '../../database/prepared.ts'
import { isUniqueViolation } from '../../database/conflict.ts'
import { isHeld } from '../holds/statements.ts'
import { groupOf, hubGroup } from '../identity.ts'
import type { Lane } from '../job.ts'

/**
 * A job that this process may run until it settles it. `claim` identifies this claim: a worker with
 * an older claim is refused when it settles.
 */
export interface ClaimedJob {
  id: string
  lane: Lane
  claim: number
  jobType: string
  connectionId: string | null
  payload: Readonly<Record<string, unknown>>
  requestId: string | null
  /** When it was claimed, by the clock of the database. */
  claimedAt: string
  /** Runs that failed before. */
  failures: number
  /** Workers that died while they ran it. */
  crashes: number
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

interface Turn {
  lane: string
  group: string
}
type Row = Omit<ClaimedJob, 'isSuspect'> & { groupId: string }

const mostTries = 10
const firstTurn: Turn = { lane: '', group: hubGroup }

/**
 * Whether no other job of its object comes first. A job that was claimed, and runs or waits for
 * another try, comes before all that were not. Commands then come in their order; of state jobs
 * only one waits.
 */
// Written as `(select … limit 1) is null`: for `not exists` the planner hashes every waiting job.
const isNext = `
  (
    select true
    from jobs as other
    where other.object_key = candidate.object_key
      and other.lane = candidate.lane
      and other.state in ('returned', 'running')
      and other.id <> candidate.id
    limit 1
  ) is null
  and (
    candidate.lane = 'state'
    or candidate.state = 'returned'
    or candidate.id = (
      select first.id
      from jobs as first
      where first.object_key = candidate.object_key and first.command_order is not null
      order by first.command_order
      limit 1
    )
  )`

/** The free part of a group's share; zero while the group is held. */
const roomOf = (group: string, perGroup: string): string => `
  case
    when ${isHeld(group)} then 0
    else greatest(0, ${perGroup} - (
      select count(*)
      from jobs as busy
      where ${groupOf('busy')} = ${group} and busy.state = 'running'
    ))
  end`

const claimChosen = ({ haveCrashed }: { haveCrashed: boolean }): string => `
  update jobs
  set state = 'running', claims = claims + 1, claimed_at = now(), heartbeat_at = now(), is_suspect = false,
    crashes = crashes + ${Number(haveCrashed)}
  where id = any(array(select id from chosen))
  returning id, lane, claims as claim, job_type as "jobType", connection_id as "connectionId", payload,
    request_id as "requestId", claimed_at::text as "claimedAt", failures, crashes, ${groupOf('jobs')} as "groupId"`

/** The first (lane, group) with waiting jobs behind another, in their order. */
const turnAfter = (lane: string, group: string): string => `
  select lane, ${groupOf('jobs')} as group_id
  from jobs
  where state in ('queued', 'returned')
    and (lane, ${groupOf('jobs')}) > (${lane}, ${group})
  order by lane, ${groupOf('jobs')}
  limit 1`

// turn: every (lane, group) with waiting jobs, from the one after the last claim on; read lazily,
// as far as the slots need. lateral: its due jobs, oldest first, up to what is left of the group's
// share.
const jobsStatement = prepared(`
  with recursive turn as (
    (${turnAfter('$1', '$2::uuid')})
    union all
    select next.lane, next.group_id
    from turn
    cross join lateral (${turnAfter('turn.lane', 'turn.group_id')}) next
  ),
  chosen as (
    select job.id
    from turn
    cross join lateral (
      select id
      from jobs as candidate
      where candidate.lane = turn.lane
        and ${groupOf('candidate')} = turn.group_id
        and candidate.state in ('queued', 'returned')
        and candidate.due_at <= now()
        and not candidate.is_suspect
        and ${isNext}
      order by candidate.due_at
      limit ${roomOf('turn.group_id', '$4')}
      for update of candidate skip locked
    ) as job
    limit $3
  )
  ${claimChosen({ haveCrashed: false })}`)

const suspectStatement = prepared(`
  with chosen as (
    select id
    from jobs as candidate
    where candidate.lane = $1
      and candidate.is_suspect
      and candidate.due_at <= now()
      and ${isNext}
      and ${roomOf(groupOf('candidate'), '$2')} > 0
    order by candidate.due_at
    limit 1
    for update of candidate skip locked
  )
  ${claimChosen({ haveCrashed: true })}`)

/**
 * Answers the functions that take due jobs for this process. The one for jobs remembers whose turn
 * it was: each connection gets its share before the first gets its second.
 */
export function createClaims (database: Database): Claims {
  let turn = firstTurn

  async function claim (statement: string, parameters: readonly unknown[]): Promise<Row[]> {
    for (let tries = 1;; tries++) {
      try {
        return await database.query<Row>(statement, parameters)
      } catch (error) {
        // Another worker took a job of the same object between our look and our update.
        if (tries === mostTries || !isUniqueViolation(error)) throw error
      }
    }
  }

  return {
    async jobs ({ slots, perConnection }) {
      const rows = await claim(jobsStatement, [turn.lane, turn.group, slots, perConnection])
      const rest = rows.length < slots && turn !== firstTurn
        ? await claim(jobsStatement, [firstTurn.lane, firstTurn.group, slots - rows.length, perConnection])
        : []
      turn = rows.length + rest.length < slots ? firstTurn : lastTurnOf(rest.length > 0 ? rest : rows)
      return [...rows, ...rest].map(row => claimedJobOf(row, false))
    },
    async suspect (lane, { perConnection }) {
      return (await claim(suspectStatement, [lane, perConnection])).map(row => claimedJobOf(row, true))
    }
  }
}

function claimedJobOf ({ groupId: _groupId, ...job }: Row, isSuspect: boolean): ClaimedJob {
  return { ...job, isSuspect }
}

function lastTurnOf (rows: readonly Row[]): Turn {
  return rows.map(({ lane, groupId }) => ({ lane, group: groupId }))
    .reduce(
      (last, turn) => turn.lane > last.lane || (turn.lane === last.lane && turn.group > last.group) ? turn : last,
      firstTurn
    )
}
