import { createHash } from 'node:crypto'
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

function read (body: unknown, { form = orderForm, at = receivedAt } = {}): WebhookBody {
  return parseBody(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), {
    form,
    platformType: 'mktb',
    receivedAt: at
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

const idOf = (text: string): string => `mktb-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`

t.test('the payload of a marketplace order has only the members that tell its states apart', async t => {
  t.strictSame(read(order), {
    schemaVersion: 1,
    eventId: idOf('o-1:new:2026-01-02T09:00:00Z'),
    eventType: 'order.changed',
    occurredAt: '2026-01-02T09:00:00Z',
    object: { type: 'order', externalId: 'o-1' },
    payload: { externalId: 'o-1', revision: ['new', '2026-01-02T09:00:00Z'] }
  })
})

t.test('the event id follows from the state of the object, never from the time of arrival', async t => {
  const bare = { id: order.id, status: order.status }
  t.equal(read(bare).eventId, idOf('o-1:new:none'))
  t.equal(read(bare).occurredAt, receivedAt.toISOString())
  t.equal(read(bare, { at: new Date(0) }).eventId, read(bare).eventId)
  t.equal(read({ ...bare, created: order.created }).eventId, idOf(`o-1:new:${order.created}`))
  t.equal(read({ id: 17, status: '' }).eventId, idOf('17:none:none'))
  t.not(read({ ...order, status: 'paid' }).eventId, read(order).eventId)
})

t.test('a valid event id of the platform wins', async t => {
  t.equal(read({ ...order, eventId: 'given-1' }).eventId, 'given-1')
  for (const eventId of ['', 'with blank', 7, null]) t.equal(read({ ...order, eventId }).eventId, read(order).eventId)
})

t.test('an invalid time is skipped for the next one, and in the end for the time of arrival', async t => {
  t.equal(read({ ...order, updated: 'yesterday' }).occurredAt, order.created)
  t.equal(read({ ...order, updated: 1_767_344_400, created: null }).occurredAt, receivedAt.toISOString())
})

t.test('an id is a string or a whole number that was not rounded, else its place is pointed to', async t => {
  t.equal(read({ ...order, id: 0 }).object.externalId, '0')
  t.equal(read({ data: [{ 'a/b': 7 }] }, { form: { ...orderForm, externalId: '/data/0/a~1b' } }).object.externalId, '7')
  for (const id of [undefined, null, '', {}, ['a'], 1.5, 'a\nb', 'x'.repeat(256)]) {
    t.strictSame(pointers({ ...order, id }), ['/id'], JSON.stringify(id))
  }
  for (const body of ['{}', '[]', '7', '{"id":12345678901234567890}']) t.strictSame(pointers(body), ['/id'], body)
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
