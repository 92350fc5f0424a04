import { Redis } from 'ioredis'
import pg from 'pg'
import type { Mode } from '../support/modes.ts'
import { withStoredState } from './stored-state.ts'

const stream = 'events.inbound.webhooks'

/** Returns the event id of every entry that a stopped hub left in the inbound stream. */
export async function dumpEvents (mode: Mode, variables: Record<string, string>, directory: string): Promise<string[]> {
  if (mode === 'full') {
    const redis = new Redis(variables.REDIS_URL ?? '')
    const entries = await redis.xrange(stream, '-', '+')
    redis.disconnect()
    return entries.map(([, fields]) => fields[fields.indexOf('eventId') + 1] ?? '')
  }
  if (mode === 'postgres') {
    // A hub of another version may have changed the schema, and this one would refuse to open it.
    const client = new pg.Client({ connectionString: variables.DATABASE_URL })
    await client.connect()
    const { rows } = await client.query<Row>(statement, [stream])
    await client.end()
    return rows.map(eventIdOf)
  }
  return withStoredState(
    { variables, directory },
    async ({ query }) => (await query<Row>(statement, [stream])).map(eventIdOf)
  )
}

interface Row {
  fields: { eventId: string }
}

const statement = 'select fields from stream_messages where stream = $1'
const eventIdOf = ({ fields }: Row): string => fields.eventId
