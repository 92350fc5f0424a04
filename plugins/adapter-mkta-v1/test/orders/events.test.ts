import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { createMarketplace as createCapability } from '../../src/marketplace.ts'
import { createMarketplace, now, rest } from '../marketplace.ts'

const { connect, logs } = createMarketplace(t)
const { rejected, transient } = AdapterErrorCode

function list (cursor: string | undefined, limit = 100) {
  const { client, context } = connect()
  return createCapability(client, context).listOrderEvents({ limit, ...(cursor === undefined ? {} : { cursor }) })
}

const micros = (ms: number) => String(BigInt(ms) * 1_000n)
const recent = micros(now.getTime() - 3_600_000)
const overlap = 600_000_000n
const before = (id: string) => String(BigInt(id) - overlap)
const after = (id: string, by: number) => String(BigInt(id) + BigInt(by))
const exactly = (id: string, ms = now.getTime()) => `>${id}@${ms}`
const event = (
  id: string,
  members: object = { checkoutForm: { id: `form-${id}`, revision: '1' } },
  type = 'READY_FOR_PROCESSING'
) => ({ id, occurredAt: '2025-01-02T10:00:00.123Z', type, order: { seller: { id: '1' }, ...members } })

t.test('a new connection starts at the end of the journal, or at 0 when the journal is empty', async t => {
  rest().get('/order/event-stats').reply(200, { latestEvent: { id: recent, occurredAt: '2025-01-02T10:00:00.123Z' } })
  t.same(await list(undefined), { events: [], cursor: recent, hasMore: false })

  rest().get('/order/event-stats').reply(200, { latestEvent: null })
  t.same(await list(undefined), { events: [], cursor: '0', hasMore: false })

  rest().get('/order/events?limit=100').reply(200, { events: [event(recent)] })
  t.match(await list('0'), { events: [{ eventId: recent }], cursor: recent, hasMore: false })
})

t.test('a reading goes back ten minutes, because events become visible late', async t => {
  const late = after(recent, -1_000)
  rest().get(`/order/events?from=${before(recent)}&limit=100`).reply(200, { events: [event(late), event(recent)] })

  t.same(await list(recent), {
    events: [
      { eventId: late, orderExternalId: `form-${late}`, occurredAt: '2025-01-02T10:00:00.123Z' },
      { eventId: recent, orderExternalId: `form-${recent}`, occurredAt: '2025-01-02T10:00:00.123Z' }
    ],
    cursor: recent,
    hasMore: false,
    isIncomplete: false
  })
})

t.test('a page after a full one starts at its last event, and the cursor ends at the greatest id', async t => {
  const [first, second, third] = [after(recent, -5), after(recent, 5), after(recent, 9)]
  rest().get(`/order/events?from=${before(recent)}&limit=2`).reply(200, { events: [event(first), event(second)] })
    .get(`/order/events?from=${second}&limit=2`).reply(200, { events: [event(third)] })
    .get(`/order/events?from=${third}&limit=2`).reply(200, { events: [] })

  t.match(await list(recent, 2), { cursor: exactly(second), hasMore: true })
  t.match(await list(exactly(second), 2), { cursor: third, hasMore: false })
  t.match(await list(exactly(third, now.getTime() - 60_000), 2), {
    events: { length: 0 },
    cursor: third,
    hasMore: false
  })
})

t.test('a reading that paused goes back again, and reports a position that was lost meanwhile', async t => {
  const late = after(recent, -1_000)
  rest().get(`/order/events?from=${before(recent)}&limit=100`).twice().reply(200, { events: [event(late)] })
  for (const cursor of [exactly(recent, now.getTime() - 60_001), `>${recent}`]) {
    t.match(await list(cursor), { events: [{ eventId: late }], cursor: recent, hasMore: false })
  }

  const old = micros(now.getTime() - 59 * 24 * 3_600_000 - 1)
  rest().get('/order/events?limit=100').reply(200, { events: [event(recent)] })
  t.match(await list(exactly(old, now.getTime() - 86_400_000)), { cursor: recent, isIncomplete: true })

  // A reading that goes on from the oldest event has lost nothing, however old that event is.
  rest().get(`/order/events?from=${old}&limit=100`).reply(200, { events: [event(recent)] })
  t.equal((await list(exactly(old))).isIncomplete, false)
})

t.test('an empty journal keeps the position', async t => {
  rest().get(`/order/events?from=${before(recent)}&limit=100`).reply(200, { events: [] })

  t.same(await list(recent), { events: [], cursor: recent, hasMore: false, isIncomplete: false })
})

t.test('ids are compared as numbers, and a repeated event counts once', async t => {
  rest().get('/order/events?limit=100').reply(200, {
    events: [event('1000000000000000'), event('999999999999999'), event('1000000000000000')]
  })

  const page = await list('0')

  t.same(page.events.map(({ eventId }) => eventId), ['999999999999999', '1000000000000000'])
  t.equal(page.cursor, '1000000000000000')
})

t.test('an event of any type names its order; an event without a form names none', async t => {
  const types = [
    'BOUGHT',
    'FILLED_IN',
    'BUYER_CANCELLED',
    'AUTO_CANCELLED',
    'FULFILLMENT_STATUS_CHANGED',
    'BUYER_MODIFIED',
    'SOMETHING_NEW'
  ]
  rest().get('/order/events?limit=100').reply(200, {
    events: [
      ...types.map((type, index) => event(after(recent, index), undefined, type)),
      event(after(recent, 99), { checkoutForm: null }, 'BOUGHT')
    ]
  })

  const { events } = await list('0')

  t.equal(events.filter(({ orderExternalId }) => orderExternalId?.startsWith('form-') === true).length, types.length)
  t.notOk(events.at(-1)?.orderExternalId)
})

t.test('an event that cannot be read names no order, and the reading goes on after it', async t => {
  const id = (index: number) => after(recent, index)
  const events = [
    event(id(0), { checkoutForm: {} }, 'BOUGHT'),
    event(id(1), { checkoutForm: { id: null } }),
    { id: id(2), type: 'SOMETHING_NEW' },
    { ...event(id(3)), occurredAt: null }
  ]
  rest().get('/order/events?limit=100').reply(200, { events })

  const page = await list('0')

  t.same(page.events.map(({ eventId, orderExternalId }) => [eventId, orderExternalId]), [
    [id(0), undefined],
    [id(1), undefined],
    [id(2), undefined],
    [id(3), `form-${id(3)}`]
  ])
  t.equal(page.events[2]?.occurredAt, new Date(now.getTime() - 3_600_000).toISOString())
  t.equal(page.cursor, id(3))
  // A purchase has no form yet.
  t.match(logs, [{ level: 'warn', fields: { eventId: id(1) } }, { level: 'warn', fields: { eventId: id(2) } }])
  t.equal(logs.length, 2)
})

t.test('a position that is too old restarts at the oldest event and is reported as incomplete', async t => {
  const old = micros(now.getTime() - 59 * 24 * 3_600_000 - 1)
  rest().get('/order/events?limit=1').twice().reply(200, { events: [event(recent)] })
  t.match(await list(old, 1), { cursor: exactly(recent), hasMore: true, isIncomplete: true })
  t.match((await list(micros(now.getTime() - 61 * 24 * 3_600_000), 1)).isIncomplete, true)

  // The position moves even without an event: otherwise it would be lost at every reading.
  rest().get('/order/events?limit=100').reply(200, { events: [] })
  t.same(await list(old), { events: [], cursor: micros(now.getTime()), hasMore: false, isIncomplete: true })
})

t.test('a page without a following position is an error, and an invalid cursor is refused', async t => {
  rest().get(`/order/events?from=${recent}&limit=1`).reply(200, { events: [event(recent)] })
  await t.rejects(list(exactly(recent), 1), { code: transient })

  rest().get('/order/events?limit=100').reply(200, { events: [event('not-a-number')] })
  await t.rejects(list('0'), { code: transient, message: /unknown form/ })

  for (const cursor of ['x', '>', '-1', '1@2', '>1@', '>1@x', '9'.repeat(30)]) {
    await t.rejects(list(cursor), { code: rejected, message: /position/ })
  }
})

t.test("a page never exceeds the marketplace's limit", async t => {
  rest().get('/order/events?limit=1000').reply(200, { events: [] })

  await t.resolves(list('0', 5_000))
})
