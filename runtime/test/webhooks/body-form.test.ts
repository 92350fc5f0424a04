import t from 'tap'
import { createBodyParser, type WebhookBody } from '../../src/webhooks/body.ts'
import { event, orderForm } from './support.ts'

const parseBody = createBodyParser()
const receivedAt = new Date('2026-02-01T10:00:00.000Z')
const order = {
  id: 'o-1',
  status: 'new',
  created: '2026-01-01T09:00:00Z',
  updated: '2026-01-02T09:00:00Z',
  buyer: { email: 'jane@example.com' }
}

function read (body: unknown, { form = orderForm, at = receivedAt, occasion = '1' } = {}): WebhookBody {
  return parseBody(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), {
    form,
    platformType: 'mktb',
    receivedAt: at,
    occasion
  })
}

function pointers (body: unknown): string[] {
  try {
    read(body)
    return []
  } catch (error) {
    return (error as { errors?: { pointer: string }[] }).errors?.map(({ pointer }) => pointer) ?? ['no pointer']
  }
}

t.test('nothing of a marketplace order is kept but its id and its time', async t => {
  const { eventId, ...rest } = read(order)
  t.match(eventId, /^mktb-[0-9a-f]{32}$/)
  t.strictSame(rest, {
    schemaVersion: 1,
    eventType: 'order.changed',
    occurredAt: '2026-01-02T09:00:00Z',
    object: { type: 'order', externalId: 'o-1' }
  })
})

t.test('the event id follows from the bytes and the occasion, never from the time of arrival', async t => {
  const { eventId } = read(order)
  t.equal(read(order, { at: new Date(0) }).eventId, eventId)
  t.not(read(order, { occasion: '2' }).eventId, eventId)
  t.not(read({ ...order, status: 'paid' }).eventId, eventId)
  t.not(read(`${JSON.stringify(order)} `).eventId, eventId)
})

t.test('a valid event id of the platform wins', async t => {
  t.equal(read({ ...order, eventId: 'given-1' }).eventId, 'given-1')
  for (const eventId of ['', 'with blank', 7, null]) t.match(read({ ...order, eventId }).eventId, /^mktb-[0-9a-f]{32}$/)
})

t.test('an invalid time is skipped for the next one, and in the end for the time of arrival', async t => {
  t.equal(read({ ...order, updated: 'yesterday' }).occurredAt, order.created)
  t.equal(read({ ...order, updated: 1_767_344_400, created: null }).occurredAt, receivedAt.toISOString())
})

t.test('an id is a string or a whole number, else its place is pointed to', async t => {
  t.equal(read({ ...order, id: 0 }).object.externalId, '0')
  t.equal(read('{"id":12345678901234567891}').object.externalId, '12345678901234567891')
  t.equal(read({ data: [{ 'a/b': 7 }] }, { form: { ...orderForm, externalId: '/data/0/a~1b' } }).object.externalId, '7')
  for (const id of [undefined, null, '', {}, ['a'], 1.5, 'a\nb', 'x'.repeat(256)]) {
    t.strictSame(pointers({ ...order, id }), ['/id'], JSON.stringify(id))
  }
  for (const body of ['{}', '[]', '7', '{"id":1e30}']) t.strictSame(pointers(body), ['/id'], body)
})

t.test('members that nobody wrote are not read', async t => {
  for (const pointer of ['/constructor/name', '/lines/length', '/status/length']) {
    t.throws(() => read({ ...order, lines: [1] }, { form: { ...orderForm, externalId: pointer } }), {
      message: /externalId|is required|must/
    })
  }
})

t.test("a body with a schemaVersion is in the hub's own form", async t => {
  t.strictSame(read(event), event)
  t.strictSame(pointers({ ...order, schemaVersion: 1 }).toSorted(), [
    '/eventId',
    '/eventType',
    '/object',
    '/occurredAt'
  ])
})
