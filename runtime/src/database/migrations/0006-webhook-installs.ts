import { Migration } from '@mikro-orm/migrations'

/**
 * Adds the secrets that the hub makes when it installs webhooks, the rules for reading foreign
 * bodies, and the last delivery of each connection.
 */
export class WebhookInstalls extends Migration {
  override up (): void {
    this.addSql(`
      -- How bodies in the platform's own form are read, as the adapter declared it. Null: there are none.
      alter table connections add column webhook_body jsonb;
      -- While it lies ahead webhooks are being installed. Lapses: the process that installs them may die.
      alter table connections add column installing_until timestamptz;

      -- installed_at: null until the platform took it. expires_at: null until a newer one was installed.
      create table webhook_secrets (
        id uuid primary key,
        position bigserial not null,
        connection_id uuid not null references connections (id) on delete cascade,
        secret_json jsonb not null,
        encrypted boolean not null,
        created_at timestamptz not null,
        installed_at timestamptz,
        expires_at timestamptz
      );
      create index webhook_secrets_newest on webhook_secrets (connection_id, position desc);

      -- The last delivery of each connection. job_id is null when its event was ignored.
      create table webhook_receipts (
        connection_id uuid primary key references connections (id) on delete cascade,
        delivered_at timestamptz(3) not null,
        event_type text not null,
        job_id uuid
      );
    `)
  }
}
