import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'
import { isUniqueViolation } from '../database/conflict.ts'
import type { Lane } from './job.ts'

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
type Row = Omit<ClaimedJob, 'claim' | 'isSuspect'> & { retry_count: number, group_id: string }

const mostTries = 10
const firstTurn: Turn = { lane: '', group: '' }

// Own statements instead of `boss.fetch`, for pg-boss 12.35.0, whose version is pinned: on a
// `stately` queue its fetch updates a waiting job whose key is active already, meets the unique
// index, and answers [] for the whole batch, again and again, until the monitor refreshes its cache
// of active keys. A test beside those of the claim shows it. What must stay as in `fetchNextJob` of
// its plans.js: the columns that are set, and retry_count, which counts claims and so names one.

/**
 * The condition for a suspect: a job whose claim ended without a word. It is also the condition of
 * the index of suspects.
 */
export const isSuspect = "state = 'retry' and (output ->> 'released') is distinct from retry_count::text"

/**
 * Whether no other job of its object comes first. Written as `(select … limit 1) is null`, because
 * for `not exists` the planner hashes every waiting job.
 */
const isNext = `
  case name
    -- A state job waits while another of its key is active or waits for another try.
    when 'state' then
      (
        select true
        from pgboss.job as other
        where other.name = 'state'
          and other.policy = 'stately'
          and other.state = 'active'
          and coalesce(other.singleton_key, '') = candidate.singleton_key
        limit 1
      ) is null
      and (
        state = 'retry'
        or (
          select true
          from pgboss.job as other
          where other.name = 'state'
            and other.policy = 'stately'
            and other.state = 'retry'
            and coalesce(other.singleton_key, '') = candidate.singleton_key
          limit 1
        ) is null
      )
    -- A command waits while an older one of its object is unfinished; one that waits for another
    -- try is always the oldest.
    else
      (
        select true
        from pgboss.job as other
        where other.name = 'command'
          and other.policy = 'key_strict_fifo'
          and other.state in ('retry', 'active')
          and other.singleton_key = candidate.singleton_key
          and other.id <> candidate.id
        limit 1
      ) is null
      and (
        state = 'retry'
        or id = (
          select first.id
          from jobs as first
          where first.object_key = candidate.singleton_key and first.command_order is not null
          order by first.command_order
          limit 1
        )
      )
  end`

/**
 * The free part of a connection's share. It is zero while the connection is not active or moves to
 * another adapter version. The mark of a move lapses, because the process that set it may have
 * died.
 */
const roomOf = (group: string, perConnection: string): string => `
  case
    when coalesce(
      (
        select status = 'active' and coalesce(moving_until <= now(), true)
        from connections
        where connections.id = ${group}::uuid
      ),
      true
    )
    then greatest(0, ${perConnection} - (
      select count(*)
      from pgboss.job as busy
      where busy.name in ('command', 'state') and busy.group_id = ${group} and busy.state = 'active'
    ))
    else 0
  end`

const claimChosen = ({ haveCrashed }: { haveCrashed: boolean }): string => `
  claimed as (
    update pgboss.job
    set state = 'active', started_on = now(), heartbeat_on = now(), output = null,
      retry_count = case when started_on is null then retry_count else retry_count + 1 end
    where name in ('command', 'state') and id = any(array(select id from chosen))
    returning id, name, group_id, retry_count, started_on
  ),
  counted as (
    update jobs
    set crashes = crashes + 1
    where ${haveCrashed} and id = any(array(select id from chosen))
    returning id, crashes
  )
  select jobs.id, jobs.lane, jobs.job_type as "jobType", jobs.connection_id as "connectionId",
    jobs.payload, jobs.request_id as "requestId", jobs.failures,
    coalesce(counted.crashes, jobs.crashes) as crashes, claimed.started_on::text as "claimedAt",
    claimed.retry_count, claimed.group_id
  from claimed
  join jobs on jobs.id = claimed.id
  left join counted on counted.id = claimed.id`

/** The first (lane, connection) with waiting jobs behind another, in their order. */
const turnAfter = (name: string, group: string): string => `
  select name, group_id
  from pgboss.job
  where group_id is not null
    and state < 'active'
    and not blocked
    and (name, group_id) > (${name}, ${group})
  order by name, group_id
  limit 1`

// turn: every (lane, connection) with waiting jobs, from the one after the last claim on; read
// lazily, as far as the slots need. lateral: its due jobs, oldest first, up to what is left of the
// connection's share.
const jobsStatement = prepared(`
  with recursive turn as (
    (${turnAfter('$1', '$2')})
    union all
    select next.name, next.group_id
    from turn
    cross join lateral (${turnAfter('turn.name', 'turn.group_id')}) next
  ),
  chosen as (
    select job.id
    from turn
    cross join lateral (
      select id
      from pgboss.job as candidate
      where name = turn.name
        and group_id = turn.group_id
        and state < 'active'
        and not blocked
        and start_after <= now()
        and not (${isSuspect})
        and ${isNext}
      order by start_after
      limit ${roomOf('turn.group_id', '$4')}
      for update of candidate skip locked
    ) as job
    limit $3
  ),
  ${claimChosen({ haveCrashed: false })}`)

const suspectStatement = prepared(`
  with chosen as (
    select id
    from pgboss.job as candidate
    where name = $1
      and ${isSuspect}
      and not blocked
      and start_after <= now()
      and ${isNext}
      and ${roomOf('group_id', '$2')} > 0
    order by start_after
    limit 1
    for update of candidate skip locked
  ),
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

function claimedJobOf (
  { id, lane, jobType, connectionId, payload, requestId, claimedAt, failures, crashes, retry_count: claim }: Row,
  isSuspect: boolean
): ClaimedJob {
  return { id, lane, claim, jobType, connectionId, payload, requestId, claimedAt, failures, crashes, isSuspect }
}

function lastTurnOf (rows: readonly Row[]): Turn {
  return rows.map(row => ({ lane: row.lane, group: row.group_id }))
    .reduce(
      (last, turn) => turn.lane > last.lane || (turn.lane === last.lane && turn.group > last.group) ? turn : last,
      firstTurn
    )
}
