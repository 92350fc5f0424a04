import { Migration } from '@mikro-orm/migrations'

/**
 * Adds to each snapshot where its move led and who made it. For older snapshots, the next snapshot
 * or the present connection tells where the move led. It does not when the move was rolled back
 * before the next one.
 */
export class PastMoves extends Migration {
  override up (): void {
    this.addSql(`
      alter table connection_snapshots
        -- Null: not known, because an older version of the hub made the move.
        add column to_adapter_key text,
        -- Null with a key: the connection followed the newest version.
        add column to_adapter_version text,
        add column moved_by jsonb
    `)
    this.addSql(`
      with chain as (
        select
          id, connection_id, restored_at,
          lead(adapter_key) over later as next_key,
          lead(adapter_version) over later as next_version,
          lead(created_at) over later as next_at
        from connection_snapshots
        window later as (partition by connection_id order by created_at, id)
      )
      update connection_snapshots
      set
        to_adapter_key = case when chain.next_at is null then connections.adapter_key else chain.next_key end,
        to_adapter_version = case
          when chain.next_at is null then connections.adapter_version
          else chain.next_version
        end
      from chain
      join connections on connections.id = chain.connection_id
      where connection_snapshots.id = chain.id
        and (chain.restored_at is null or chain.next_at < chain.restored_at)
    `)
  }
}
