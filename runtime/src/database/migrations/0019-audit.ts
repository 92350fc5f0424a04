import { Migration } from '@mikro-orm/migrations'

/** Adds the record of who changed what. */
export class Audit extends Migration {
  override up (): void {
    this.addSql(`
      create table audit_entries (
        id uuid primary key,
        at timestamptz not null,
        actor_kind text not null,
        actor_name text not null,
        token_id uuid,
        request_id text,
        action text not null,
        connection_id uuid,
        object_id text,
        object_name text,
        changes jsonb not null
      )
    `)
    this.addSql('create index audit_entries_order on audit_entries (at, id)')
    this.addSql('create index audit_entries_connection on audit_entries (connection_id, at, id)')
  }
}
