import type { HostServices } from '@linker/sdk/host'
import { randomUUID } from 'node:crypto'
import type { Query } from '../database/database.ts'

const acquireStatement = `
  insert into connection_locks (connection_id, name, token, lapses_at)
  values ($1, $2, $3, now() + interval '1 millisecond' * $4)
  on conflict (connection_id, name) do update
    set token = excluded.token, lapses_at = excluded.lapses_at
    where connection_locks.lapses_at <= now()
  returning token`

/** Locks of adapters, which lapse because their holder may die: the table `connection_locks`. */
export function createLocks (query: Query): Pick<HostServices, 'acquireLock' | 'releaseLock'> {
  return {
    async acquireLock (connectionId, name, leaseMs) {
      const values = [connectionId, name, randomUUID(), Math.ceil(leaseMs)]
      const [row] = await query<{ token: string }>(acquireStatement, values)
      return row?.token
    },
    async releaseLock (connectionId, name, token) {
      await query(
        'delete from connection_locks where connection_id = $1 and name = $2 and token = $3',
        [connectionId, name, token]
      )
    }
  }
}
