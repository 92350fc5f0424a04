import { Migration } from '@mikro-orm/migrations'

/** Adds the codes with which a person signs in once, without typing a token. */
export class SignInCodes extends Migration {
  override up (): void {
    this.addSql(`
      create table sign_in_codes (
        code_hash text primary key,
        -- The token that made the code: a named one, or one of the hub's own.
        parent_hash text not null,
        name text not null,
        scope text not null,
        created_at timestamptz not null,
        expires_at timestamptz not null
      )
    `)
  }
}
