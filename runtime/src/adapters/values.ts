import { valueBytes, type CheckedListOptions, type HostServices } from '@linker/sdk/host'
import type { Query } from '../database/database.ts'
import { createValueRoom } from './value-room.ts'

type ValueServices = Pick<HostServices, 'readValue' | 'writeValue' | 'deleteValue' | 'listValues'>

const readStatement = `
  select value
  from connection_values
  where connection_id = $1
    and key = $2
    and (expires_at is null or expires_at > now())`

const writeStatement = `
  with old as (
    select octet_length(value::text) as bytes
    from connection_values
    where connection_id = $1 and key = $2
  )
  insert into connection_values (connection_id, key, value, expires_at)
  values ($1, $2, $3::jsonb, now() + interval '1 second' * $4)
  on conflict (connection_id, key) do update
    set value = excluded.value, expires_at = excluded.expires_at
  returning (select bytes from old) as replaced`

/**
 * Stores the values that adapters keep for a connection, up to a number of bytes: the table
 * `connection_values`.
 */
export function createValues (query: Query): ValueServices {
  const room = createValueRoom(query)

  /** The bytes that the present value counts for. */
  async function readBytes (connectionId: string, key: string): Promise<number> {
    const [row] = await query<{ bytes: number }>(
      'select octet_length(value::text) as bytes from connection_values where connection_id = $1 and key = $2',
      [connectionId, key]
    )
    return row === undefined ? 0 : valueBytes(key, '') + row.bytes
  }

  async function hasRoom (connectionId: string, key: string, bytes: number): Promise<boolean> {
    return await room.has(connectionId, bytes) ||
      room.has(connectionId, bytes - await readBytes(connectionId, key))
  }

  return {
    async readValue (connectionId, key) {
      const [row] = await query<{ value: unknown }>(readStatement, [connectionId, key])
      return row?.value
    },
    async writeValue (connectionId, key, value, ttlSeconds) {
      const json = JSON.stringify(value)
      const bytes = valueBytes(key, json)
      if (!await hasRoom(connectionId, key, bytes)) return false
      const values = [connectionId, key, json, ttlSeconds ?? null]
      const [row] = await query<{ replaced: number | null }>(writeStatement, values)
      const replaced = row?.replaced ?? undefined
      room.add(connectionId, replaced === undefined ? bytes : Buffer.byteLength(json) - replaced)
      return true
    },
    async deleteValue (connectionId, key) {
      const gone = await query<{ bytes: number }>(
        `
        delete from connection_values
        where connection_id = $1 and key = $2
        returning octet_length(value::text) as bytes`,
        [connectionId, key]
      )
      for (const { bytes } of gone) room.add(connectionId, -valueBytes(key, '') - bytes)
    },
    listValues: (connectionId, options) => listValues(query, connectionId, options)
  }
}

/** Writes the values that an adapter's route stores together with its connection. */
export async function writeValues (
  query: Query,
  connectionId: string,
  values: Readonly<Record<string, unknown>>
): Promise<void> {
  if (Object.keys(values).length === 0) return
  await query(
    `
    insert into connection_values (connection_id, key, value) select $1, key, value from jsonb_each($2::jsonb)
    on conflict (connection_id, key) do update set value = excluded.value, expires_at = null`,
    [connectionId, JSON.stringify(values)]
  )
}

/**
 * Selects a range of keys instead of a pattern: no character of a prefix has a special meaning, and
 * the index on the keys' bytes serves the range.
 */
async function listValues (
  query: Query,
  connectionId: string,
  { prefix, after, limit, order }: CheckedListOptions
): Promise<{ key: string, value: unknown }[]> {
  const [beyond, direction] = order === 'ascending' ? ['>', 'asc'] : ['<', 'desc']
  return query<{ key: string, value: unknown }>(
    `
    select key, value
    from connection_values
    where connection_id = $1
      and key collate "C" >= $2
      and ($3::text is null or key collate "C" < $3)
      and ($4::text is null or key collate "C" ${beyond} $4)
      and (expires_at is null or expires_at > now())
    order by key collate "C" ${direction}
    limit $5`,
    [connectionId, prefix, endOfPrefix(prefix) ?? null, after ?? null, limit]
  )
}

/**
 * Returns the first text, in the order of bytes, after all texts that start with the prefix;
 * undefined when there is none.
 */
function endOfPrefix (prefix: string): string | undefined {
  const points = Array.from(prefix, character => character.codePointAt(0) ?? 0)
  const last = points.findLastIndex(point => point < 0x10_ffff)
  if (last === -1) return undefined
  const next = (points[last] ?? 0) + 1
  // Halves of surrogate pairs are no characters of their own.
  return String.fromCodePoint(...points.slice(0, last), next === 0xd800 ? 0xe000 : next)
}
