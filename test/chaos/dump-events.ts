import { openDatabase } from '@linker/runtime'
import { Redis } from 'ioredis'
import { join } from 'node:path'
import type { Mode } from '../support/modes.ts'

const stream = 'events.inbound.webhooks'

/** The event id of every entry of the inbound stream, read where the stopped hub kept it. */
export async function dumpEvents (mode: Mode, variables: Record<string, string>, projectDirectory: string): Promise<string[]> {
  if (mode === 'full') {
    const redis = new Redis(variables.REDIS_URL ?? '')
    const entries = await redis.xrange(stream, '-', '+')
    redis.disconnect()
    return entries.map(([, fields]) => fields[fields.indexOf('eventId') + 1] ?? '')
  }
  const database = await openDatabase({ dataDirectory: join(projectDirectory, '.linker'), ...(variables.DATABASE_URL === undefined ? {} : { databaseUrl: variables.DATABASE_URL }) }, { warn: () => undefined })
  try {
    const rows = await database.query<{ fields: { eventId: string } }>('select fields from stream_messages where stream = $1', [stream])
    return rows.map(row => row.fields.eventId)
  } finally {
    await database.close()
  }
}
