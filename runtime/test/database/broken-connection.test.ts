import { randomBytes } from 'node:crypto'
import pg from 'pg'
import t from 'tap'
import { openDatabase, type Query } from '../../src/database/database.ts'

const serverUrl = process.env.LINKER_TEST_DATABASE_URL
/** More than the pool has connections. */
const times = 12

async function openServer () {
  const admin = new pg.Client({ connectionString: serverUrl })
  const name = `linker_broken_${randomBytes(6).toString('hex')}`
  await admin.connect()
  await admin.query(`create database ${name}`)
  const url = new URL(serverUrl ?? '')
  url.pathname = `/${name}`
  return {
    url: url.href,
    /** As a server that is restarted does. */
    async breakConnections () { await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]) },
    async close () {
      await admin.query(`drop database if exists ${name} with (force)`)
      await admin.end()
    }
  }
}

t.test('connections that break inside transactions are replaced, and closing does not wait for them', { skip: serverUrl === undefined && 'needs PostgreSQL' }, async t => {
  const server = await openServer()
  t.teardown(() => server.close())
  const database = await openDatabase({ databaseUrl: server.url, dataDirectory: '' }, { warn: () => undefined })
  const attempt = (work: (query: Query) => Promise<unknown>): Promise<string> => database.transaction(({ query }) => work(query)).then(() => 'committed', () => 'failed')
  const outcomes: string[] = []

  for (let index = 0; index < times; index++) {
    outcomes.push(await attempt(async query => {
      await query('create table if not exists written (id integer)')
      await query('insert into written values ($1)', [index])
      await server.breakConnections()
      if (index % 2 === 0) await query('select 1')
    }))
  }
  const whole = await attempt(query => query('create table if not exists written (id integer)'))
  const rows = await database.query('select * from written')
  await database.close()

  t.strictSame(outcomes, outcomes.map(() => 'failed'))
  t.equal(whole, 'committed')
  t.strictSame(rows, [], 'nothing of them is left')
})
