import { Migration } from '@mikro-orm/migrations'

/** Adds pauses of a connection, or of single capabilities of it. */
export class Pauses extends Migration {
  override up (): void {
    this.addSql(`
      create table connection_pauses (
        connection_id uuid not null references connections (id) on delete cascade,
        -- Empty: the whole connection.
        capability text not null,
        reason text,
        -- Null: until somebody ends the pause.
        until timestamptz,
        since timestamptz not null,
        paused_by jsonb not null,
        primary key (connection_id, capability)
      )
    `)
    this.addSql(`
      alter table job_holds
        -- Empty: no job of the group begins. A name: jobs begin, and one that needs this part waits.
        add column part text not null default '',
        drop constraint job_holds_pkey,
        add primary key (group_id, part, reason)
    `)
    this.addSql('alter table job_holds alter column part drop default')
    this.addSql(`
      alter table jobs
        -- The paused part of a group that the last run of a waiting job needed.
        add column waits_for_group uuid,
        add column waits_for_part text
    `)
    this.addSql(`
      create index jobs_waiting_for on jobs (waits_for_group, waits_for_part)
      where state = 'returned' and waits_for_group is not null
    `)
  }
}
