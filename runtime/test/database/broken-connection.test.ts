import pg from 'pg'
import t from 'tap'
import { openDatabase, type Query } from '../../src/database/database.ts'
import { createServerDatabase } from '../databases.ts'

const serverUrl = process.env.LINKER_TEST_DATABASE_URL
/** More than the pool has connections. */
const times = 12

async function openServer () {
  const { name, url, drop } = await createServerDatabase(serverUrl ?? '')
  const admin = new pg.Client({ connectionString: serverUrl })
  await admin.connect()
  return {
    url,
    /** Breaks all connections, as a restart of the server does. */
    async breakConnections () {
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    },
    async close () {
      await admin.end()
      await drop()
    }
  }
}

t.test('connections that break inside transactions are replaced, and closing does not wait for them', {
  skip: serverUrl === undefined && 'needs PostgreSQL'
}, async t => {
  const server = await openServer()
  t.teardown(() => server.close())
  const database = await openDatabase({ databaseUrl: server.url, dataDirectory: '' }, { warn: () => undefined })
  const attempt = (work: (query: Query) => Promise<unknown>): Promise<string> =>
    database.transaction(({ query }) => work(query)).then(() => 'committed', () => 'failed')
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
