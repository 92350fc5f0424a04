import { Migration } from '@mikro-orm/migrations'

/** Adds the result of the test event that the hub sends to itself after an install of webhooks. */
export class WebhookPings extends Migration {
  override up (): void {
    this.addSql(`
      alter table webhook_secrets
        -- Null: no test event was sent, or a hub before this migration sent it.
        add column pinged_at timestamptz,
        -- Null: the test event arrived, or none was sent.
        add column ping_problem text;
    `)
  }
}
