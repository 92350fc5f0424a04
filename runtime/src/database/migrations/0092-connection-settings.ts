import { Migration } from '@mikro-orm/migrations'

/** Keeps the hub's own settings of a connection beside the config of its adapter. */
export class ConnectionSettings extends Migration {
  override up (): void {
    this.addSql("alter table connections add column settings jsonb not null default '{}'")
  }
}
