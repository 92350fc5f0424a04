import { Migration } from '@mikro-orm/migrations'

/** Adds the states of the traffic to platforms: budgets, asked pauses and circuit breakers. */
export class UpstreamStates extends Migration {
  override up (): void {
    this.addSql(`
      create table upstream_states (
        connection_id uuid primary key,
        version bigint not null,
        state jsonb not null,
        is_guarded boolean not null
      ) with (fillfactor = 50);

      -- Few connections are guarded, and every process looks for them again and again.
      create index upstream_states_guarded on upstream_states (connection_id) where is_guarded;
    `)
  }
}
