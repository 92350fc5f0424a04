import { Migration } from '@mikro-orm/migrations'

/**
 * Adds the flows of adapters, such as an authorisation in a browser, and an index for listing
 * values.
 */
export class Flows extends Migration {
  override up (): void {
    this.addSql(`
      -- data: kept until somebody takes it; answer: what came of it. Neither, with taken_by: being
      -- worked on, until expires_at at the latest.
      create table flows (
        -- SHA-256 of the text that names it, which is stored nowhere.
        state_hash text primary key,
        platform_type text not null,
        data jsonb,
        answer jsonb,
        -- Of whichever of them is there.
        encrypted boolean not null,
        taken_by uuid,
        expires_at timestamptz not null
      );
      create index flows_expired on flows (expires_at);

      -- In the order of bytes, whatever the database's own collation.
      create index connection_values_listed on connection_values (connection_id, key collate "C");
    `)
  }
}
