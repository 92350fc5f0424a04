import { Migration } from '@mikro-orm/migrations'

/** Adds the adapter key that served each platform first. */
export class PlatformDefaults extends Migration {
  override up (): void {
    this.addSql(`
      create table platform_defaults (
        platform_type text primary key,
        adapter_key text not null
      );
    `)
  }
}
