import { openDatabase } from '@linker/runtime'
import t from 'tap'
import { availableModes, openMode } from '../support/modes.ts'
import { openProxy } from '../support/proxy.ts'

/** More than the pool has connections. */
const statements = 12

t.test('a connection that goes silent while its pool prepares it does not hold a closing hub', {
  skip: !availableModes(process.env).includes('postgres') && 'needs PostgreSQL'
}, async t => {
  const state = await openMode('postgres', process.env)
  t.teardown(() => state.close())
  const proxy = await openProxy(t, state.variables.DATABASE_URL ?? '')
  const database = await openDatabase({ databaseUrl: proxy.url, dataDirectory: '' }, { warn: () => undefined })
  // Closing ends the pool only when a transaction has used it.
  await database.transaction(({ query }) => query('select 1'))
  const silent = proxy.silenceAfter('enable_seqscan')

  const asked = Promise.allSettled(Array.from({ length: statements }, () => database.query('select 1')))
  await silent
  database.hurry()
  await database.close()

  t.ok((await asked).some(({ status }) => status === 'rejected'), 'statements on such connections fail')
})
