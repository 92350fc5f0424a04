import { openSource, type State } from '../../src/backup/open-source.ts'
import { messagesTable } from '../../src/backup/plan.ts'
import { readSequences, readTables } from '../../src/backup/store.ts'
import type { Query } from '../../src/database/database.ts'
import type { MessageRow } from '../../src/streams/stored/message.ts'
import { readRedisMessages } from '../../src/streams/stored/read-redis.ts'

/** Everything in a state that a backup must keep, in a form in which two states can be compared. */
export interface Contents {
  /** The rows of each table as PostgreSQL writes them. */
  tables: Record<string, string[]>
  sequences: string[][]
  waiting: string[]
  dead: string[]
  markers: string[]
}

export async function readContents (state: State): Promise<Contents> {
  const source = await openSource(state)
  try {
    const { query, redis } = source
    const messages = await readMessages(query)
    if (redis !== undefined) { for await (const rows of readRedisMessages(redis, new Date())) messages.push(...rows) }
    return {
      tables: await readRows(query),
      sequences: (await readSequences(query)).filter(([name = '']) => !name.startsWith(messagesTable)),
      ...sortMessages(messages)
    }
  } finally {
    await source.close()
  }
}

async function readRows (query: Query): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {}
  for (const { name } of await readTables(query)) {
    if (name === messagesTable) continue
    const rows = await query<{ text: string }>(`select "${name}"::text as text from "${name}" order by 1`)
    tables[name] = rows.map(({ text }) => text)
  }
  return tables
}

// The columns are those of `messageColumns`, in their order.
const selectMessages = `
  select array[
    stream, key, fields::text, connection, published_at::text, expires_at::text, acked_at::text
  ] as message
  from stream_messages
  where acked_at is null or expires_at > now()
  order by id`

async function readMessages (query: Query): Promise<MessageRow[]> {
  const rows = await query<{ message: MessageRow }>(selectMessages)
  return rows.map(({ message }) => message)
}

/** A waiting message on a table is its own marker; in Redis, and after it, they are two. */
function sortMessages (messages: readonly MessageRow[]): Pick<Contents, 'waiting' | 'dead' | 'markers'> {
  const describe = ([stream, , fields, connection]: MessageRow): string =>
    `${stream} ${JSON.stringify(JSON.parse(fields))} ${connection}`
  const isDead = ([stream]: MessageRow): boolean => stream.endsWith('.dead')
  return {
    waiting: messages.filter(([, , , , , , ackedAt]) => ackedAt === null).map(describe),
    dead: messages.filter(isDead).map(describe),
    markers: messages.flatMap(([stream, key]) => key === null ? [] : `${stream} ${key}`).toSorted()
  }
}
