import Fastify from 'fastify'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { Query } from '../../src/database/database.ts'
import database from '../../src/database/plugin.ts'
import webhookConnections from '../../src/webhooks/connections-plugin.ts'
import { openTableDriver } from '../streams/drivers.ts'
import { connection, shopId, unknownId } from './support.ts'

const driver = await openTableDriver()
t.teardown(() => driver.close())
await driver.setVersion(shopId, 3)

const queries: string[] = []
const query: Query = (text, values) => {
  queries.push(text)
  return driver.database.query(text, values)
}
const app = Fastify()
await app.register(database, { database: { ...driver.database, query, close: async () => undefined } })
await app.register(webhookConnections, { now: () => new Date(0) })
t.teardown(() => app.close())

t.test('a stored connection has its version as epoch, another is null', async t => {
  t.strictSame({ ...await app.webhookConnections.find(shopId) }, connection(shopId, { epoch: 3 }))
  t.equal(await app.webhookConnections.find(unknownId), null)
})

t.test('five thousand forged ids at once are a handful of queries', async t => {
  queries.length = 0
  const found = await Promise.all(Array.from({ length: 5_000 }, () => app.webhookConnections.find(randomUUID())))

  t.ok(found.every(item => item === null))
  t.ok(queries.length <= 10, `${queries.length} queries`)
})

t.test('more than can wait are told that the database does not answer, not that nothing is there', async t => {
  const attempts = await Promise.allSettled(Array.from({ length: 12_000 }, () => app.webhookConnections.find(randomUUID())))

  const refused = attempts.filter(attempt => attempt.status === 'rejected')
  t.ok(refused.length > 0)
  t.match(refused[0]?.reason, { message: /calls are waiting/ })
})
