import { Migration } from '@mikro-orm/migrations'

/** Adds the pages of the console to which the browser returns after an authorisation. */
export class AuthorisationReturns extends Migration {
  override up (): void {
    this.addSql(`
      -- A table of its own: the row of a failed flow is deleted, and the browser still returns.
      create table authorisation_returns (
        -- SHA-256 of the state, as in the table flows.
        state_hash text primary key,
        platform_type text not null,
        page text not null,
        -- The page with the result. Null: the authorisation has not ended.
        location text,
        expires_at timestamptz not null
      );
      create index authorisation_returns_expired on authorisation_returns (expires_at);
    `)
  }
}
