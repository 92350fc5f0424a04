import { isoOf } from '../../database/iso-of.ts'
import { standingHolds } from '../holds/statements.ts'
import { groupOf } from '../statements.ts'

// `run` is the job that stands for the given one. `claimed` is the job of its object that runs or
// ran, and `first` the next of its commands: the order in which a claim takes them.
export const selectWaits = `
  select jobs.id, run.due_at <= clock_timestamp() as "isDue", ${isoOf('run.due_at')} as "dueAt",
    run.problem, run.waits_for_part as part, ${
  standingHolds(groupOf('run'))
} as holds, coalesce(claimed.ahead, first.ahead) as ahead
  from jobs
  join jobs as run on run.id = coalesce(jobs.coalesced_into, jobs.id)
  left join lateral (
    select json_build_object(
      'id', other.id, 'jobType', other.job_type, 'isRunning', other.state = 'running',
      'dueAt', case when other.state = 'returned' and other.due_at > now() then ${isoOf('other.due_at')} end
    ) as ahead
    from jobs as other
    where other.object_key = run.object_key
      and other.lane = run.lane
      and other.state in ('returned', 'running')
      and other.id <> run.id
    limit 1
  ) as claimed on true
  left join lateral (
    select other.id,
      json_build_object('id', other.id, 'jobType', other.job_type, 'isRunning', false, 'dueAt', null) as ahead
    from jobs as other
    where run.lane = 'command'
      and run.state = 'queued'
      and other.object_key = run.object_key
      and other.command_order is not null
    order by other.command_order
    limit 1
  ) as first on first.id <> run.id
  where jobs.id = any($1::uuid[]) and run.state in ('queued', 'returned')`
