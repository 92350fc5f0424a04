import { Migration } from '@mikro-orm/migrations'

/** Adds the versions of the hubs that changed the schema. An older hub names the last one. */
export class HubVersions extends Migration {
  override up (): void {
    this.addSql(`
      create table hub_versions (
        version text primary key,
        migrated_at timestamptz not null default now()
      );
    `)
  }
}
