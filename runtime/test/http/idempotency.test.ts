import Fastify from 'fastify'
import fp from 'fastify-plugin'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import idempotency from '../../src/http/idempotency.ts'
import { openJobsFor } from '../jobs/support.ts'

t.test('a route that takes an Idempotency-Key', async t => {
  const { database } = await openJobsFor(t, 'embedded')
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(fp(async app => {
    app.decorate('database', database)
  }, { name: 'database' }))
  await app.register(idempotency, { now: () => new Date() })
  const operations: string[] = []
  let failure: Error | undefined
  app.post('/work', { config: { idempotent: true } }, async (request, reply) => {
    operations.push(request.operationId)
    if (failure !== undefined) throw failure
    return reply.code(202).send({})
  })
  const work = async (key: string, url = '/work') =>
    (await app.inject({ method: 'POST', url, headers: { 'idempotency-key': key }, payload: {} })).statusCode

  t.test('does the same again after a failure: perhaps only the answer of the database was lost', async t => {
    const key = randomUUID()
    failure = new Error('Connection terminated unexpectedly')
    const statuses = [await work(key)]
    failure = undefined
    statuses.push(await work(key), await work(key))

    t.strictSame(statuses, [500, 202, 202])
    t.equal(operations.length, 2)
    t.equal(operations[0], operations[1])
  })

  t.test('does something else after it was refused', async t => {
    const key = randomUUID()
    failure = Object.assign(new Error('no'), { statusCode: 400 })
    const statuses = [await work(key)]
    failure = undefined
    statuses.push(await work(key))

    t.strictSame(statuses, [400, 202])
    t.not(operations.at(-1), operations.at(-2))
  })

  t.test('is refused when the key came with another query', async t => {
    const key = randomUUID()

    t.strictSame([await work(key, '/work?days=1'), await work(key, '/work?days=2'), await work(key, '/work?days=1')], [
      202,
      422,
      202
    ])
  })
})
