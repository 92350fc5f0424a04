import { Value } from '@sinclair/typebox/value'
import t from 'tap'
import { readInboundFields, toInboundFields } from '../../src/events/inbound-fields.ts'
import { DateTime } from '../../src/text-patterns.ts'
import { createBodyParser, type WebhookBody } from '../../src/webhooks/body.ts'
import { event, shopId } from './support.ts'

const parseBody = createBodyParser()
const encode = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

interface Refusal {
  code: string
  statusCode: number
  message: string
  errors?: { pointer: string }[]
}

function refusal (raw: Buffer | string): Refusal {
  try {
    parseBody(Buffer.from(raw))
  } catch (error) {
    return error as Refusal
  }
  return { code: 'accepted', statusCode: 202, message: '' }
}

const pointers = (body: object): string[] => (refusal(encode(body)).errors ?? []).map(error => error.pointer)
const nested = (levels: number): unknown => Array.from({ length: levels }).reduce<unknown>(inner => [inner], 1)

t.test('an event is read even with unknown members', async t => {
  t.strictSame(parseBody(encode(event)), event)
  t.equal(parseBody(encode({ ...event, shopName: 'x', object: { ...event.object, id: 7 } })).eventId, event.eventId)
})

t.test('a payload is an object, or the empty array of PHP', async t => {
  for (const payload of [{}, [], { a: [1, { b: null }] }, [1]]) {
    t.strictSame(parseBody(encode({ ...event, payload })).payload, payload)
  }
  for (const payload of ['text', 1, true, null]) {
    t.strictSame([...new Set(pointers({ ...event, payload }))], ['/payload'])
  }
})

t.test('the refusal points to members that are missing or of another type', async t => {
  t.strictSame(pointers({}).toSorted(), ['/eventId', '/eventType', '/object', '/occurredAt', '/schemaVersion'])
  t.strictSame(pointers({ ...event, object: {} }).toSorted(), ['/object/externalId', '/object/type'])
  t.strictSame(pointers({ ...event, object: { type: 'product', externalId: 27 } }), ['/object/externalId'])
  for (const schemaVersion of [0, 2, '1', 1.5, null]) {
    t.strictSame([...new Set(pointers({ ...event, schemaVersion }))], ['/schemaVersion'])
  }
  for (const body of [[], null, 'text', 7]) t.equal(refusal(encode(body)).statusCode, 400)
})

t.test('an event id has 1 to 200 plain characters', async t => {
  for (const eventId of ['a', 'test-65f1', 'A.b_c:d-9', 'x'.repeat(200)]) {
    t.equal(parseBody(encode({ ...event, eventId })).eventId, eventId)
  }
  for (const eventId of ['', 'x'.repeat(201), 'a b', 'a\n', 'a\u0000', 'ä', '../x', 'a{b}', 'a*']) {
    t.strictSame(pointers({ ...event, eventId }), ['/eventId'], eventId)
  }
})

t.test('an event type is lower-case words between dots, and no word is a member of every object', async t => {
  for (
    const eventType of ['stock.changed', 'order.status_changed', 'test.ping', 'a.b.c9', 'constructors.x', 'x.to_string']
  ) t.equal(parseBody(encode({ ...event, eventType })).eventType, eventType)
  for (
    const eventType of [
      'stock',
      'stock.',
      '.changed',
      'stock..changed',
      'Stock.changed',
      'stock.changed\n',
      'constructor.x',
      'x.constructor',
      'x.prototype.y',
      'x.__proto__',
      '__proto__.x',
      '9a.b',
      'a-b.c',
      `a.${'b'.repeat(99)}`,
      'a.'.repeat(60_000)
    ]
  ) {
    t.ok(pointers({ ...event, eventType }).includes('/eventType'), eventType.slice(0, 40))
  }
})

t.test('a time is ISO 8601 with date and time', async t => {
  for (
    const occurredAt of [
      '2025-01-01T12:00:31+01:00',
      '2025-01-01T12:00:31+0100',
      '2025-01-01T12:00:31Z',
      '2025-01-01T12:00:31.123456Z',
      '2025-01-01T12:00Z',
      '2025-01-01T12:00:31',
      '2025-12-31 23:59:60Z'
    ]
  ) {
    t.equal(refusal(encode({ ...event, occurredAt })).code, 'accepted', occurredAt)
    t.ok(Value.Check(DateTime, occurredAt), `${occurredAt} is taken by the consumer`)
  }
  for (
    const occurredAt of [
      '',
      'now',
      '1735729231000',
      '2025-01-01',
      '2025-13-01T00:00:00Z',
      '2025-01-32T00:00:00Z',
      '2025-01-01T24:00:00Z',
      '2025-01-01T12:60:00Z',
      '2025-01-01T12:00:31+1',
      '2025-01-01\t12:00:31Z',
      `2025-01-01T12:00:31.${'1'.repeat(100)}Z`
    ]
  ) {
    t.ok(pointers({ ...event, occurredAt }).includes('/occurredAt'), occurredAt)
  }
})

t.test('ids of objects hold no control characters', async t => {
  for (const externalId of ['27', 'SKU/ä 1', '日本', 'x'.repeat(255)]) {
    t.equal(parseBody(encode({ ...event, object: { type: 'product', externalId } })).object.externalId, externalId)
  }
  for (const externalId of ['', 'a\nb', 'a\u0000', 'a\u007f', 'a\u0085b', 'x'.repeat(256)]) {
    t.strictSame(pointers({ ...event, object: { type: 'product', externalId } }), ['/object/externalId'])
  }
  for (const type of ['', 'a\tb', 'x'.repeat(101)]) {
    t.strictSame(pointers({ ...event, object: { type, externalId: '27' } }), ['/object/type'])
  }
})

t.test('bytes that are not clean JSON are refused', async t => {
  const text = JSON.stringify(event)
  t.match(refusal('').message, 'empty')
  t.match(
    refusal(Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0x80]), Buffer.from('}')])).message,
    'not UTF-8'
  )
  t.match(refusal(Buffer.from(text.replace('27', '\u{1F600}')).subarray(0, -20)).message, /not/)
  t.match(refusal(`\ufeff${text}`).message, 'byte order mark')
  t.match(refusal(Buffer.from(`\ufeff${text}`, 'utf16le')).message, /not/)
  for (const raw of [text.slice(0, -1), `${text}x`, text.replaceAll('"', "'"), 'NaN', '{"a":1,}', `//\n${text}`]) {
    t.match(refusal(raw), { statusCode: 400, message: /not JSON/ })
  }
})

t.test('a member that would change a prototype is refused, written out or escaped, at any depth', async t => {
  const text = JSON.stringify(event)
  for (
    const member of [
      '"__proto__":{"polluted":true}',
      '"\\u005f\\u005fproto__":{}',
      '"payload":{"a":[{"__proto__":1}]}',
      '"constructor":{"prototype":{"polluted":true}}',
      '"payload":{"c\\u006fnstructor":{"prototype":{}}}'
    ]
  ) {
    t.match(refusal(text.replace('{', `{${member},`)), { statusCode: 400, message: /prototype/ }, member)
  }
  t.equal(({} as { polluted?: boolean }).polluted, undefined)
})

t.test('a body is at most 32 levels deep', async t => {
  t.equal(refusal(encode({ ...event, payload: { deep: nested(30) } })).code, 'accepted')
  t.match(refusal(encode({ ...event, payload: { deep: nested(31) } })).message, 'deeper than 32')
  t.match(refusal('['.repeat(130_000) + ']'.repeat(130_000)).message, 'deeper than 32')
  t.match(refusal('['.repeat(260_000)).message, 'not JSON')
  t.match(refusal('{"a":'.repeat(40_000) + '1' + '}'.repeat(40_000)).message, 'deeper than 32')
})

t.test('half a surrogate pair and a number beyond a double are pointed to', async t => {
  const withPayload = (payload: string): Refusal =>
    refusal(JSON.stringify(event).replace('{', `{"payload":${payload},`))
  t.match(withPayload('{"a":["\\ud83d"]}').errors, [{ pointer: '/payload/a/0', code: 'unicode' }])
  t.match(withPayload('{"\\udc00":1}').errors, [{ code: 'unicode' }])
  t.match(withPayload('{"n":1e400}').errors, [{ pointer: '/payload/n', code: 'number' }])
  t.equal(withPayload('{"a":"\\ud83d\\ude00","n":1e308}').code, 'accepted')
})

t.test('the consumer reads everything that the gate accepts', async t => {
  const accepted: WebhookBody[] = [event, {
    ...event,
    eventId: 'x'.repeat(200),
    eventType: `a.${'b'.repeat(98)}`,
    object: { type: 'ä'.repeat(100), externalId: '日'.repeat(255) },
    payload: []
  }].map(body => parseBody(encode(body)))

  for (const body of accepted) {
    const fields = toInboundFields({
      provider: 'shopa',
      connectionId: shopId,
      requestId: 'x'.repeat(128),
      eventId: body.eventId,
      eventType: body.eventType,
      occurredAt: body.occurredAt,
      publishedAt: new Date(0).toISOString(),
      objectType: body.object.type,
      externalId: body.object.externalId,
      payloadText: JSON.stringify(body.payload ?? null)
    })
    t.match(readInboundFields(fields), {
      eventId: body.eventId,
      externalId: body.object.externalId,
      eventType: body.eventType
    })
  }
})

t.test('a value that a pattern refuses is refused in words', t => {
  const wrong = {
    ...event,
    eventId: 'ä',
    eventType: 'Stock',
    occurredAt: 'yesterday',
    object: { type: 'a\nb', externalId: '\u0000' }
  }
  const { errors = [] } = refusal(encode(wrong)) as { errors?: { pointer: string, message: string }[] }

  t.strictSame(errors.map(({ pointer }) => pointer).toSorted(), [
    '/eventId',
    '/eventType',
    '/object/externalId',
    '/object/type',
    '/occurredAt'
  ])
  for (const { pointer, message } of errors) t.match(message, /^must be /, pointer)
  t.end()
})
