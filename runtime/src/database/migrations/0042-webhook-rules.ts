import { Migration } from '@mikro-orm/migrations'

/** Adds how the webhooks of each connection are verified and read, as its adapter declares it. */
export class WebhookRules extends Migration {
  override up (): void {
    this.addSql(`
      -- Kept so that deliveries are accepted while the adapter is missing. Null: they are as the hub defines them.
      alter table connections add column webhook_rules jsonb;
    `)
  }
}
