import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { State } from '../../src/backup/open-source.ts'
import { messagesTable } from '../../src/backup/plan.ts'
import { transferState } from '../../src/backup/transfer.ts'
import { openDatabase } from '../../src/database/database.ts'
import { copyEmbeddedDatabase, createServerDatabase } from '../databases.ts'
import { openOwnRedis } from '../streams/own-redis.ts'
import { readContents } from './contents.ts'
import { fillTables } from './fill-tables.ts'

const serverUrl = process.env.LINKER_TEST_DATABASE_URL
const silent = { warn: () => undefined }

async function openDirectory (t: Test): Promise<{ dataDirectory: string }> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'linker-backup-'))
  t.teardown(() => rm(dataDirectory, { recursive: true, force: true }))
  return { dataDirectory }
}

async function openServer (t: Test): Promise<{ databaseUrl: string }> {
  const { url, drop } = await createServerDatabase(serverUrl ?? '')
  t.teardown(drop)
  return { databaseUrl: url }
}

const connectionId = randomUUID()
const metadata = JSON.stringify({ schemaVersion: 1, connectionId })
const event = JSON.stringify({ eventId: '1', text: '\0 \u2028 é', metadataJson: metadata })

const insertMessages = `
  insert into stream_messages (stream, key, fields, connection, acked_at, expires_at, consumer, delivered_at)
  select
    stream, key, fields::json, connection, acked_at::timestamptz, now() + life::interval, 'webhook-handler-1', now()
  from (values
    ('events.inbound.webhooks', 'webhook:a:b:1', '${event}', '${connectionId}', null, '6 days'),
    ('events.inbound.webhooks', 'webhook:a:b:2', '{"eventId":"2"}', null, '2026-01-01', '5 days'),
    ('events.inbound.webhooks', 'webhook:a:b:3', '{"eventId":"3"}', null, '2026-01-01', '-1 second'),
    ('jobs.sync', 'jobdedup:4', '{"idempotencyKey":"4","connectionId":"c"}', 'c', null, '6 days'),
    ('jobs.sync', null, '{"idempotencyKey":"5"}', null, null, '6 days'),
    ('jobs.sync.dead', null, '{"reason":"malformed"}', null, '2026-01-01', '20 days')
  ) as given (stream, key, fields, connection, acked_at, life)`

t.test('every row of every table, and every message, survives the way through all modes', async t => {
  const source = await openDirectory(t)
  copyEmbeddedDatabase(source.dataDirectory)
  const database = await openDatabase(source, silent)
  // A session ends with the hub that began it.
  await fillTables(database.query, [messagesTable], {
    'api_tokens.parent_hash': null
  })
  await database.query(insertMessages)
  await database.query("select setval('jobs_command_order', 1048577)")
  await database.close()
  const expected = await readContents(source)
  t.strictSame(Object.entries(expected.tables).filter(([, rows]) => rows.length === 0), [], 'every table has rows')
  t.equal(expected.waiting.length, 3)
  t.equal(expected.dead.length, 1)

  const redis = await openOwnRedis(t)
  const served: State[] = serverUrl === undefined
    ? []
    : [
      { ...source, ...await openServer(t), ...(redis === undefined ? {} : { redisUrl: redis.url }) },
      { ...source, ...await openServer(t) }
    ]
  let from: State = source
  for (const to of [...served, await openDirectory(t)]) {
    const { rows, leftOut } = await transferState(from, to, new Date())
    t.strictSame(await readContents(to), expected)
    t.ok(rows > 70)
    t.strictSame(leftOut, [])
    from = to
  }
})
