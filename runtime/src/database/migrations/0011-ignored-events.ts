import { Migration } from '@mikro-orm/migrations'

/** Adds accepted events that started no job. The hub keeps their whole messages for a while. */
export class IgnoredEvents extends Migration {
  override up (): void {
    this.addSql(`
      create table ignored_events (
        id bigserial primary key,
        connection_id uuid not null references connections (id) on delete cascade,
        event_id text not null,
        event_type text not null,
        message text not null,
        ignored_at timestamptz not null default now(),
        unique (connection_id, event_id)
      );
      create index ignored_events_age on ignored_events (ignored_at);
    `)
  }
}
