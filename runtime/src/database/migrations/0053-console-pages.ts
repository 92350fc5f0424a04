import { Migration } from '@mikro-orm/migrations'

/** Adds indexes for pages of the console that read far more rows than they show. */
export class ConsolePages extends Migration {
  override up (): void {
    this.addSql(`
      create index orders_of_connection on orders (connection_id, created_at, id);
      -- The status is the only member of it that changes, so a written quantity makes no new entry.
      create index offers_status on offers (status, created_at, id);
      create index inventory_sweeps_page on inventory_sweeps (started_at desc, id);
      create index audit_entries_actor on audit_entries (actor_name, at, id);
      create index audit_entries_action on audit_entries (action, at, id);
      create index ignored_events_reason on ignored_events (reason, ignored_at desc, id desc);
      create index ignored_events_of_connection on ignored_events (connection_id, ignored_at desc, delivery_id);
    `)
  }
}
