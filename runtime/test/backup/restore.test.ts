import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { readPieces } from '../../src/backup/archive.ts'
import { linesOf } from '../../src/backup/lines.ts'
import { openSource, type State } from '../../src/backup/open-source.ts'
import type { Restored } from '../../src/backup/restore-backup.ts'
import { restoreInto } from '../../src/backup/restore-into.ts'
import { takeHeader } from '../../src/backup/take-header.ts'
import { transferState } from '../../src/backup/transfer.ts'
import { writeBackup } from '../../src/backup/write-backup.ts'
import { openDatabase, type Query } from '../../src/database/database.ts'
import { migrationNames } from '../../src/database/migration-names.ts'
import { createServerDatabase } from '../databases.ts'
import { cheapestKind, makePlace } from '../jobs/support.ts'

const serverUrl = process.env.LINKER_TEST_DATABASE_URL
const silent = { warn: () => undefined }

async function openPlace (t: Test): Promise<State> {
  const place = await makePlace(cheapestKind)
  t.teardown(() => place.remove())
  return place
}

/** A place without tables, which the next migrations make. */
async function openBlank (t: Test): Promise<State> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'linker-restore-'))
  t.teardown(() => rm(dataDirectory, { recursive: true, force: true }))
  if (serverUrl === undefined) return { dataDirectory }
  const { url, drop } = await createServerDatabase(serverUrl, { hasTables: false })
  t.teardown(drop)
  return { dataDirectory, databaseUrl: url }
}

/** Opens the tables as the migrations `names` make them, and works on them. */
async function within<Result> (
  state: State,
  work: (query: Query) => Promise<Result>,
  names: readonly string[] = migrationNames
): Promise<Result> {
  const database = await openDatabase({ ...state, migrations: names }, silent)
  try {
    return await work(database.query)
  } finally {
    await database.close()
  }
}

const connectionId = randomUUID()
const insertConnection = `
  insert into connections (
    id, platform_type, name, status, config, adapter_key, capabilities, webhook_scheme, created_at, updated_at
  )
  values ('${connectionId}', 'shopa', 'A shop', 'active', '{}', 'shopa.webservice.v1', '[]', 'hmac', now(), now())`

const insertJob = `
  insert into jobs (id, job_type, lane, object_key, idempotency_key, payload, state, due_at, claims, heartbeat_at)
  values (gen_random_uuid(), 'a.job', 'state', $1, $1, '{}', $2, now() + interval '1 hour', 3, now())`

const insertToken = `
  insert into api_tokens (id, name, scope, token_hash, parent_hash, created_at, created_by)
  values (gen_random_uuid(), $1, 'admin', $1, $2, now(), 'somebody')`

const insertFlow = `
  insert into flows (state_hash, platform_type, data, encrypted, expires_at)
  values ('hash', 'shopa', '{"clientSecret":"s3cret"}', false, now() + interval '10 minutes')`

const insertCode = `
  insert into sign_in_codes (code_hash, parent_hash, name, scope, created_at, expires_at)
  values ('hash', 'named', 'named', 'admin', now(), now() + interval '10 minutes')`

const insertOrder = `
  insert into orders (
    id, connection_id, external_id, status, source_status, revision, snapshot, problems, placed_at,
    destination_external_id, created_at, updated_at
  )
  values (gen_random_uuid(), '${connectionId}', $1, 'ready', 'open', '1', '{}', '[]', now(), $2, now(), now())`

const insertShipment = `
  insert into shipments (order_id, connection_id, status)
  select id, '${connectionId}', $1 from orders where external_id = $1`

const selectSearched = `
  select
    external_id as id, searched_since is not null as "isSearched", creation_begun_at is not null as "isBegun"
  from orders
  order by 1`

/** Restores a backup of the source, whose hub may have gone on since. */
async function restoreState (source: State, target: State): Promise<Restored> {
  const opened = await openSource(source)
  const file = new PassThrough()
  const kept = buffer(file)
  await writeBackup(opened, file, new Date())
  file.end()
  const pieces = readPieces(linesOf(Readable.from([await kept])))
  await opened.close()
  const { header, rest } = await takeHeader(pieces)
  return restoreInto(target, { header, pieces: rest, now: new Date() })
}

t.test('what belonged to the processes of the old hub ends', async t => {
  const [source, target] = [await openPlace(t), await openPlace(t)]
  await within(source, async query => {
    await query(insertConnection)
    await query(insertJob, ['one', 'running'])
    await query(insertJob, ['two', 'returned'])
    await query(insertToken, ['named', null])
    await query(insertToken, ['session', 'named'])
    await query(insertFlow)
    await query(insertCode)
    await query(`insert into connection_locks values ('${connectionId}', 'refresh', gen_random_uuid(), now())`)
  })
  await transferState(source, target, new Date())

  await within(target, async query => {
    t.strictSame(
      await query(`
        select object_key as key, state, claims, heartbeat_at is null as "isIdle", due_at <= now() as "isDue"
        from jobs
        order by 1`),
      [
        { key: 'one', state: 'returned', claims: 3, isIdle: true, isDue: true },
        { key: 'two', state: 'returned', claims: 3, isIdle: false, isDue: false }
      ]
    )
    t.strictSame(await query('select name from api_tokens'), [{ name: 'named' }])
    t.strictSame(await query('select name from connection_locks'), [])
    t.strictSame(await query('select from flows'), [], 'an authorisation under way has the client secret')
    t.strictSame(await query('select from sign_in_codes'), [], 'a code that was used since would work again')
  })
})

t.test('orders that the old hub may have made in the shop since are looked for there', async t => {
  const [source, target] = [await openPlace(t), await openPlace(t)]
  await within(source, async query => {
    await query(insertConnection)
    await query(insertOrder, ['not made', null])
    await query(insertOrder, ['made', '17'])
  })
  await restoreState(source, target)

  t.strictSame(await within(target, query => query(selectSearched)), [
    { id: 'made', isSearched: false, isBegun: false },
    { id: 'not made', isSearched: true, isBegun: false }
  ])
})

t.test('parcels that the old hub may have asked a carrier for since are called back', async t => {
  const [source, target] = [await openPlace(t), await openPlace(t)]
  await within(source, async query => {
    await query(insertConnection)
    for (const status of ['requested', 'failed', 'cancelled']) {
      await query(insertOrder, [status, null])
      await query(insertShipment, [status])
    }
  })
  await restoreState(source, target)

  const begun = await within(
    target,
    query => query('select status, begun_at is not null as "isBegun" from shipments order by status')
  )
  t.strictSame(begun, [
    { status: 'cancelled', isBegun: false },
    { status: 'failed', isBegun: false },
    { status: 'requested', isBegun: true }
  ])
})

t.test('a transfer forgets nothing, so that no order is searched for', async t => {
  const [source, target] = [await openPlace(t), await openPlace(t)]
  await within(source, async query => {
    await query(insertConnection)
    await query(insertOrder, ['not made', null])
  })
  await transferState(source, target, new Date())

  await within(target, async query => {
    t.strictSame(await query(selectSearched), [{ id: 'not made', isSearched: false, isBegun: false }])
    t.strictSame(await query('select from restores'), [])
  })
})

t.test('a target with rows is refused by name, and stays as it is', async t => {
  const [source, target] = [await openPlace(t), await openPlace(t)]
  await within(source, query => query(insertConnection))
  await within(target, query => query(insertToken, ['named', null]))

  await t.rejects(transferState(source, target, new Date()), { code: 'LNK_RESTORE_TARGET', message: /api_tokens/ })
  t.strictSame(await within(target, query => query('select id from connections')), [])
})

t.test('a refused transfer ends, although nobody reads the rest of a large source', async t => {
  const [source, target] = [await openPlace(t), await openPlace(t)]
  await within(source, async query => {
    await query(insertConnection)
    await query("update connections set config = jsonb_build_object('note', repeat('a', 200000))")
  })
  await within(target, query => query(insertToken, ['named', null]))

  await t.rejects(transferState(source, target, new Date()), { code: 'LNK_RESTORE_TARGET' })
})

t.test('a target that a hub has started on counts as empty', async t => {
  const insertSample = `
    insert into samples (begins_at, seconds, queued, waiting, running, oldest_seconds)
    values (now(), 60, $1, 0, 0, 0)`
  const [source, target] = [await openPlace(t), await openPlace(t)]
  await within(source, async query => {
    await query(insertConnection)
    await query(insertSample, [1])
  })
  await within(target, async query => {
    await query(insertSample, [2])
    await query("insert into log_levels (level, until) values ('debug', now())")
    await query("insert into alert_channels (channel, next_look_at) values ('mail', now())")
  })
  await transferState(source, target, new Date())

  await within(target, async query => {
    t.strictSame(await query('select queued from samples'), [{ queued: 1 }])
    t.strictSame(await query('select from log_levels'), [])
    t.strictSame(await query('select from alert_channels'), [])
    t.strictSame(await query('select name from connections'), [{ name: 'A shop' }])
  })
})

t.test('a target whose tables are those of a newer version is refused', async t => {
  const [source, target] = [await openBlank(t), await openPlace(t)]
  await within(source, query => query(insertConnection), migrationNames.slice(0, -1))
  await within(target, async () => undefined)

  await t.rejects(transferState(source, target, new Date()), { code: 'LNK_RESTORE_TARGET', message: /newer version/ })
})

t.test('the state of an older version is restored and then brought up to date', async t => {
  const older = migrationNames.slice(0, migrationNames.indexOf('0028-offers-and-search'))
  const [source, target] = [await openBlank(t), await openBlank(t)]
  await within(source, query => query(insertConnection), older)
  const { rows } = await restoreState(source, target)

  t.ok(rows >= 1)
  await within(target, async query => {
    t.strictSame(await query('select name from connections'), [{ name: 'A shop' }])
    t.equal((await query('select from restores')).length, 1)
  })
})

t.test('a state that is no hub is no source', async t => {
  await t.rejects(transferState({ dataDirectory: '/nonexistent' }, await openPlace(t), new Date()), {
    code: 'LNK_BACKUP_SOURCE'
  })
})
