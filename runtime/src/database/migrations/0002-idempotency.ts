import { Migration } from '@mikro-orm/migrations'

/** Adds the requests that came with an Idempotency-Key, and their answers. */
export class Idempotency extends Migration {
  override up (): void {
    this.addSql(`
      -- A row without an answer is a request under way, or one whose process died: lease_until tells.
      create table idempotency_keys (
        route text not null,
        key text not null,
        body_hash text not null,
        operation_id uuid not null,
        lease_until timestamptz not null,
        answer_status integer,
        answer_headers jsonb,
        answer_body text,
        expires_at timestamptz not null,
        primary key (route, key)
      );
      create index idempotency_keys_expired on idempotency_keys (expires_at);
    `)
  }
}
