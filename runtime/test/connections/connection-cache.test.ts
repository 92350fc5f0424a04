import t from 'tap'
import { createConnectionCache, type WebhookConnection } from '../../src/connections/connection-cache.ts'
import { connection, createRows, disabledId, shopId, unknownId } from '../webhooks/support.ts'

const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

function open (rows = createRows(connection(shopId), connection(disabledId, { status: 'disabled' }))) {
  const clock = { nowMs: 0 }
  return { rows, clock, cache: createConnectionCache({ load: rows.load, now: () => clock.nowMs }) }
}

t.test('a connection is loaded once in 30 s', async t => {
  const { cache, rows, clock } = open()
  t.strictSame(await cache.find(shopId), connection(shopId))
  clock.nowMs = 29_999
  await cache.find(shopId)
  t.equal(rows.loads.length, 1)
})

t.test('after 30 s it is used once more while it is loaded again', async t => {
  const { cache, rows, clock } = open()
  await cache.find(shopId)
  rows.connections.set(shopId, connection(shopId, { epoch: 2 }))
  clock.nowMs = 30_000

  t.equal((await cache.find(shopId))?.epoch, 1)
  await new Promise(resolve => {
    setImmediate(resolve)
  })
  t.equal((await cache.find(shopId))?.epoch, 2)
  t.equal(rows.loads.length, 2)
})

t.test('a hundred look-ups of one id are one load', async t => {
  const { cache, rows } = open()
  const found = await Promise.all(Array.from({ length: 100 }, () => cache.find(shopId)))

  t.ok(found.every(item => item?.id === shopId))
  t.equal(rows.loads.length, 1)
})

t.test('with the database away a connection that takes webhooks goes on, and is looked for once a second', async t => {
  const { cache, rows, clock } = open()
  await cache.find(shopId)
  rows.failure = away
  for (clock.nowMs = 30_000; clock.nowMs < 40_000; clock.nowMs += 100) t.equal((await cache.find(shopId))?.id, shopId)

  t.equal(rows.loads.length, 11)
})

t.test('with the database away nothing says that a connection does not exist', async t => {
  const { cache, rows, clock } = open()
  await cache.find(disabledId)
  await cache.find(unknownId)
  rows.failure = away
  clock.nowMs = 1_000

  await t.rejects(cache.find(disabledId), away)
  await t.rejects(cache.find(unknownId), away)
})

t.test('a connection that appears or is enabled works a second later', async t => {
  const { cache, rows, clock } = open()
  t.equal(await cache.find(unknownId), null)
  t.equal((await cache.find(disabledId))?.status, 'disabled')
  rows.connections.set(unknownId, connection(unknownId))
  rows.connections.set(disabledId, connection(disabledId))

  clock.nowMs = 999
  t.equal(await cache.find(unknownId), null)
  clock.nowMs = 1_000
  t.equal((await cache.find(unknownId))?.status, 'active')
  t.equal((await cache.find(disabledId))?.status, 'active')
})

t.test('a refresh sees what was stored before it was asked for, although a load was under way', async t => {
  const answers: ((connection: WebhookConnection) => void)[] = []
  const cache = createConnectionCache({
    load: () =>
      new Promise(resolve => {
        answers.push(resolve)
      }),
    now: () => 0
  })
  const found = cache.find(shopId)
  const refreshed = cache.refresh(shopId)
  answers[0]?.(connection(shopId))
  t.equal((await found)?.epoch, 1)
  await new Promise(resolve => {
    setImmediate(resolve)
  })
  answers[1]?.(connection(shopId, { epoch: 2 }))

  t.equal((await refreshed)?.epoch, 2)
  t.equal((await cache.find(shopId))?.epoch, 2)
  t.equal(answers.length, 2)
})

t.test('a database that does not answer is given up in time', async t => {
  const cache = createConnectionCache({ load: () => new Promise(() => undefined), now: () => 0, loadTimeoutMs: 20 })

  await t.rejects(cache.find(shopId), { code: 'LNK_DATABASE_UNAVAILABLE' })
  await t.rejects(cache.refresh(shopId), { code: 'LNK_DATABASE_UNAVAILABLE' })
})

t.test('fifty thousand forged ids push out no connection and are forgotten', async t => {
  const { cache, rows } = open()
  await cache.find(shopId)
  const idOf = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
  for (let index = 0; index < 50_000; index += 1) await cache.find(idOf(index))
  const loadsBefore = rows.loads.length

  await cache.find(shopId)
  t.equal(rows.loads.length, loadsBefore, 'the connection is still known')
  await cache.find(idOf(0))
  t.equal(rows.loads.length, loadsBefore + 1, 'the first forged id is not')
})
