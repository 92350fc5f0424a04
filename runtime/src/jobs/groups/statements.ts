import { isoOf } from '../../database/iso-of.ts'
import { statusConditions } from '../statements.ts'

const selectGroups = (found: string): string => `
  with found as (${found}),
  counted as (select * from found limit $1)
  select connection_id as "connectionId", job_type as "jobType", code, count(*)::integer as count,
    ${isoOf('min(at)')} as "firstAt", ${isoOf('max(at)')} as "lastAt",
    (array_agg(id order by at desc, id))[1] as "sampleJobId",
    (select count(*) from found) > $1 as "hasMore"
  from counted
  group by connection_id, job_type, code, part
  order by count desc, max(at) desc, job_type`

const selectDead = (conditions: string): string => `
    select id, connection_id, job_type, problem ->> 'code' as code, null as part, died_at as at
    from jobs
    where died_at is not null ${conditions}
    order by created_at desc, id
    limit $1::bigint + 1
  `

/**
 * SQL: whether no later job has done what a dead command should have done. Jobs of state are not
 * looked up: an object may have thousands of them, but it has few commands.
 */
const isLeft = `
      and not (
        lane = 'command' and exists (
          select from jobs as later
          where later.object_key = jobs.object_key
            and later.state is null
            and later.job_type = jobs.job_type
            and later.payload::jsonb = jobs.payload::jsonb
            and later.outcome = 'succeeded'
            and later.finished_at > jobs.died_at
        )
      )`

/** Groups the newest dead jobs. One row more than wanted tells whether there are others. */
export const selectDeadGroups = selectGroups(selectDead(''))

/** Groups the newest dead jobs that still have to be done. */
export const selectLeftGroups = selectGroups(selectDead(isLeft))

/** Groups those of connection `$2` that were made in the last `$3` days. */
export const selectLeftGroupsOf = selectGroups(selectDead(`
      and connection_id = $2
      and created_at >= now() - interval '1 day' * $3
      ${isLeft}`))

/**
 * Groups jobs that wait for a later time or for their connection. Jobs with the same code may wait
 * for different parts of it.
 */
export const selectWaitingGroups = selectGroups(`
    select id, connection_id, job_type, problem ->> 'code' as code, waits_for_part as part, created_at as at
    from jobs
    where ${statusConditions.waiting}
    limit $1::bigint + 1
  `)

export const selectSamples = `
  select
    id, connection_id as "connectionId", job_type as "jobType", problem ->> 'message' as message,
    payload ->> 'offerId' as "offerId", payload ->> 'orderId' as "orderId",
    payload ->> 'externalId' as "externalId"
  from jobs
  where id = any($1::uuid[])`
