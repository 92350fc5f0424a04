import type { Query } from '../database/database.ts'

/** How long the ledger keeps jobs that have ended. */
export interface Retention {
  finishedDays: number
  deadDays: number
}

const mostInOneStatement = 1_000

/**
 * Removes jobs that ended long ago, a thousand at a time, so that no other work waits for it.
 * Answers how many. Keeps jobs that have not ended, and coalesced jobs as long as the job that
 * stands for them exists.
 */
export async function removeOldJobs (query: Query, { finishedDays, deadDays }: Retention): Promise<number> {
  let total = 0
  for (
    let position: { createdAt: string, id: string } | undefined = {
      createdAt: '-infinity',
      id: 'ffffffff-ffff-ffff-ffff-ffffffffffff'
    };
    position !== undefined;
  ) {
    const [step]: Step[] = await query<Step>(removeStatement, [
      position.createdAt,
      position.id,
      finishedDays,
      deadDays,
      mostInOneStatement
    ])
    total += Number(step?.removed ?? 0)
    position = step === undefined || step.id === null ? undefined : { createdAt: step.createdAt, id: step.id }
  }
  return total
}

interface Step {
  removed: string
  createdAt: string
  id: string | null
}

// Walks the index on created_at backwards from the oldest on, past the dead ones that stay longer,
// so that a step never reads more rows than it may remove.
const removeStatement = `
  with old as (
    select id, created_at, coalesced_into, finished_at, died_at
    from jobs
    where created_at >= $1
      and (created_at > $1 or id < $2)
      and created_at < now() - $3::integer * interval '1 day'
    order by created_at, id desc
    limit $5
  ),
  removed as (
    delete from jobs
    using old
    where jobs.id = old.id
      and case
        when old.coalesced_into is not null
          then not exists (select from jobs as run where run.id = old.coalesced_into)
        when old.died_at is not null then old.died_at < now() - $4::integer * interval '1 day'
        else old.finished_at < now() - $3::integer * interval '1 day'
      end
    returning jobs.id
  ),
  last as (
    select created_at, id from old order by created_at desc, id limit 1
  )
  select (select count(*) from removed) as removed,
    (select created_at::text from last) as "createdAt",
    (select id from last) as id`
