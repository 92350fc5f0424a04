import { Migration } from '@mikro-orm/migrations'

/**
 * Adds holds. A hold keeps the jobs of a group from beginning, because its connection is not active
 * or is being moved. Until now, the queue read this from the connections.
 */
export class JobHolds extends Migration {
  override up (): void {
    this.addSql(`
      -- lapses_at is null: until it is released.
      create table job_holds (
        group_id uuid not null,
        reason text not null,
        lapses_at timestamptz,
        primary key (group_id, reason)
      )
    `)
    this.addSql(`
      insert into job_holds (group_id, reason) select id, 'inactive' from connections where status <> 'active'
    `)
    this.addSql(`
      insert into job_holds (group_id, reason, lapses_at)
      select id, 'moving', moving_until from connections where moving_until > now()
    `)
    this.addSql('alter table connections drop column moving_until')
  }
}
