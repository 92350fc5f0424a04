import Fastify from 'fastify'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import webhookConnections from '../../src/connections/connection-cache-plugin.ts'
import type { Query } from '../../src/database/database.ts'
import database from '../../src/database/plugin.ts'
import { openTableDriver } from '../streams/drivers.ts'
import { connection, shopId, unknownId } from '../webhooks/support.ts'

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

/**
 * Whether a look-up failed because it waited too long for the database. On a busy machine this may
 * happen to some look-ups of a flood.
 */
function isUnavailable (reason: unknown): boolean {
  return reason instanceof Error && 'code' in reason && reason.code === 'LNK_DATABASE_UNAVAILABLE'
}

t.test('a stored connection has its version as epoch, and an unknown one is null', async t => {
  t.strictSame({ ...await app.webhookConnections.find(shopId) }, connection(shopId, { epoch: 3 }))
  t.equal(await app.webhookConnections.find(unknownId), null)
})

t.test('five thousand forged ids at once cost a handful of queries', async t => {
  queries.length = 0
  const attempts = await Promise
    .allSettled(Array.from({ length: 5_000 }, () => app.webhookConnections.find(randomUUID())))

  t.ok(attempts.every(attempt =>
    attempt.status === 'rejected' ? isUnavailable(attempt.reason) : attempt.value === null
  ))
  t.ok(queries.length <= 10, `${queries.length} queries`)
})

t.test('look-ups beyond the queue are told that the database is silent, not that nothing exists', async t => {
  const attempts = await Promise
    .allSettled(Array.from({ length: 12_000 }, () => app.webhookConnections.find(randomUUID())))

  const reasons = attempts.filter(attempt => attempt.status === 'rejected').map(attempt => attempt.reason)
  const refused = reasons.filter(reason => /calls are waiting/.test(String(reason)))
  t.ok(refused.length > 0)
  t.ok(reasons.every(reason => refused.includes(reason) || isUnavailable(reason)))
  t.ok(attempts.every(attempt => attempt.status === 'rejected' || attempt.value === null))
})
