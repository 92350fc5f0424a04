import t from 'tap'
import { openDatabase } from '../../src/database/database.ts'
import { entities } from '../../src/entities.ts'
import { createServerDatabase } from '../databases.ts'

const serverUrl = process.env.LINKER_TEST_DATABASE_URL

t.test('PostgreSQL does not compile a statement that no index serves', {
  skip: serverUrl === undefined && 'needs PostgreSQL'
}, async t => {
  const { url, drop } = await createServerDatabase(serverUrl ?? '')
  const database = await openDatabase({ databaseUrl: url, dataDirectory: '' }, { warn: () => undefined }, entities)
  const plan = await database.query<
    { 'QUERY PLAN': string }
  >('explain (analyze) select name from connections order by name')
  await database.close()
  await drop()

  const lines = plan.map(line => line['QUERY PLAN'])
  t.ok(lines.some(line => line.includes('Seq Scan on connections')), lines.join('\n'))
  t.notOk(lines.some(line => line.startsWith('JIT')), lines.join('\n'))
})

t.test('closing a database that was up to date ends all its connections', {
  skip: serverUrl === undefined && 'needs PostgreSQL'
}, async t => {
  const { url, drop } = await createServerDatabase(serverUrl ?? '')
  const options = { databaseUrl: url, dataDirectory: '' }
  await (await openDatabase(options, { warn: () => undefined }, entities)).close()
  const upToDate = await openDatabase(options, { warn: () => undefined }, entities)
  const pool = await upToDate.orm.em.getConnection().getNativeClient()
  await upToDate.close()

  t.equal(pool.totalCount, 0, 'an idle connection would keep the process alive')
  await drop()
})
