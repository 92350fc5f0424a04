import { Redis } from 'ioredis'
import type { Mode } from '../support/modes.ts'
import { withStoredState } from './stored-state.ts'

const stream = 'events.inbound.webhooks'

/** The event id of every entry of the inbound stream, read where the stopped hub kept it. */
export async function dumpEvents (mode: Mode, variables: Record<string, string>, directory: string): Promise<string[]> {
  if (mode === 'full') {
    const redis = new Redis(variables.REDIS_URL ?? '')
    const entries = await redis.xrange(stream, '-', '+')
    redis.disconnect()
    return entries.map(([, fields]) => fields[fields.indexOf('eventId') + 1] ?? '')
  }
  return withStoredState({ variables, directory }, async ({ query }) => {
    const rows = await query<{ fields: { eventId: string } }>('select fields from stream_messages where stream = $1', [
      stream
    ])
    return rows.map(row => row.fields.eventId)
  })
}
