import { Migration } from '@mikro-orm/migrations'

/** Adds what operators need who run a job again, cancel it, or look for the jobs of an object. */
export class OperatedJobs extends Migration {
  override up (): void {
    this.addSql(`
      -- operation_id: the request that last ran it again or cancelled it. A repetition of the request
      -- finds the work done.
      -- cancellation: who wants the job to end, and why. A worker reads it while the job runs.
      alter table jobs
        add column operation_id uuid,
        add column cancellation jsonb;
      -- Live jobs have indexes of their own. A job enters this one once, when it ends or when another
      -- job begins to stand for it.
      create index jobs_past on jobs (object_key) where state is null;
    `)
  }
}
