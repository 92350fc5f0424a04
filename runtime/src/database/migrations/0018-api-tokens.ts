import { Migration } from '@mikro-orm/migrations'

/** Adds named tokens of the API, and the sessions that people begin with a token. */
export class ApiTokens extends Migration {
  override up (): void {
    this.addSql(`
      create table api_tokens (
        id uuid primary key,
        name text not null,
        scope text not null,
        token_hash text not null,
        -- The token that a session was begun with; null: no session.
        parent_hash text,
        created_at timestamptz not null,
        created_by text not null,
        expires_at timestamptz,
        revoked_at timestamptz,
        last_used_at timestamptz
      )
    `)
    this.addSql('create unique index api_tokens_hash on api_tokens (token_hash)')
    this.addSql(`
      create unique index api_tokens_name on api_tokens (name) where revoked_at is null and parent_hash is null
    `)
    this.addSql('create index api_tokens_order on api_tokens (created_at, id)')
  }
}
