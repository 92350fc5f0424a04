import { Redis } from 'ioredis'
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
  return withStoredState({ variables, directory }, async ({ query }) => {
    const statement = 'select fields from stream_messages where stream = $1'
    const rows = await query<{ fields: { eventId: string } }>(statement, [stream])
    return rows.map(row => row.fields.eventId)
  })
}
