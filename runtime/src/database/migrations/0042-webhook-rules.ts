import { Migration } from '@mikro-orm/migrations'

/** Adds how the webhooks of each connection are verified, as its adapter declares it. */
export class WebhookRules extends Migration {
  override up (): void {
    this.addSql(`
      -- Kept so that deliveries are verified while the adapter is missing. Null: webhook_scheme says how.
      alter table connections add column webhook_rules jsonb;
    `)
  }
}
