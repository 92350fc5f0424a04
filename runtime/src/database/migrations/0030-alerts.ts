import { Migration } from '@mikro-orm/migrations'

/** Adds what people were told of that needs them, and the index that finds tokens that end. */
export class Alerts extends Migration {
  override up (): void {
    this.addSql(`
      create table alert_channels (
        channel text primary key,
        next_look_at timestamptz(3) not null,
        last_sent_at timestamptz(3),
        failures integer not null default 0,
        failing_since timestamptz(3),
        problem text
      );
      create table alert_tellings (
        channel text not null,
        key text not null,
        item jsonb not null,
        told_at timestamptz(3) not null,
        is_open boolean not null,
        primary key (channel, key)
      );
      create index api_tokens_ending on api_tokens (expires_at) where revoked_at is null and parent_hash is null;
    `)
  }
}
