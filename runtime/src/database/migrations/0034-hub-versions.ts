import { Migration } from '@mikro-orm/migrations'

/** Adds the versions of the hubs that changed the schema: an older hub names them when it refuses. */
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
