import { Migration } from '@mikro-orm/migrations'

/** Adds indexes for lists of the console that would read a whole table. */
export class ConsoleLists extends Migration {
  override up (): void {
    this.addSql(`
      create index connections_page on connections (created_at, id);
      -- A job that succeeds gets no entry: only the condition of the index names the outcome, and
      -- the end of a job writes new entries anyway, because other conditions name its state.
      create index jobs_cancelled on jobs (created_at desc, id) where outcome = 'cancelled';
    `)
  }
}
