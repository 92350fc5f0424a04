import { Migration } from '@mikro-orm/migrations'

/** Adds the warning with which the adapter ended an install of webhooks. */
export class InstallWarnings extends Migration {
  override up (): void {
    this.addSql(`
      alter table webhook_secrets
        -- Null: the install ended without a warning, or a hub before this migration made it.
        add column install_warning text,
        -- When the install ended. The hub's own test event arrived before, so it proves nothing
        -- about the platform.
        add column warned_at timestamptz;
    `)
  }
}
