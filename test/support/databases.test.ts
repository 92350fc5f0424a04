import pg from 'pg'
import t from 'tap'
import { createDatabase, dropAbandoned } from './databases.ts'

const serverUrl = process.env.LINKER_TEST_DATABASE_URL ?? ''
const now = new Date()
const longAgo = new Date(now.getTime() - 3_700_000)

t.test('databases of killed runs are dropped once they are old, unless somebody is connected', {
  skip: serverUrl === '' && 'needs PostgreSQL'
}, async t => {
  const [young, old, inUse] = [
    await createDatabase(serverUrl, now),
    await createDatabase(serverUrl, longAgo),
    await createDatabase(serverUrl, longAgo)
  ]
  const client = new pg.Client({ connectionString: inUse.url })
  t.teardown(async () => {
    await client.end()
    for (const database of [young, old, inUse]) await database.drop()
  })
  await client.connect()

  const dropped = await dropAbandoned(serverUrl, now)

  t.ok(dropped.includes(old.name))
  t.notOk(dropped.includes(young.name), 'a run may be about to use a young database')
  t.notOk(dropped.includes(inUse.name))
  t.strictSame((await client.query('select 1 as one')).rows, [{ one: 1 }])
  t.notOk((await dropAbandoned(serverUrl, now)).includes(old.name))
})

t.test('a database with another name is never dropped', { skip: serverUrl === '' && 'needs PostgreSQL' }, async t => {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  const names = [
    'linker_test_production',
    'linker_0123456_0123456789ab',
    `linker_tests_${Math.floor(longAgo.getTime() / 1_000).toString(36)}_0123456789ab`
  ]
  t.teardown(async () => {
    for (const name of names) await client.query(`drop database if exists ${name}`)
    await client.end()
  })
  for (const name of names) await client.query(`create database ${name}`)

  await dropAbandoned(serverUrl, now)

  const { rows } = await client.query<{ name: string }>(
    'select datname as name from pg_database where datname = any($1)',
    [names]
  )
  t.strictSame(rows.map(({ name }) => name).toSorted(), names.toSorted())
})
