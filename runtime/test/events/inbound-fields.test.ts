import fc from 'fast-check'
import t from 'tap'
import { readInboundFields, toInboundFields, type AcceptedEvent } from '../../src/events/inbound-fields.ts'
import type { Fields } from '../../src/streams/port.ts'

const event: AcceptedEvent = {
  provider: 'shopa',
  connectionId: '7e6f2b64-6b1d-4d5e-8a27-0d3f3a1e9d10',
  requestId: 'request-1',
  eventId: 'e-1',
  eventType: 'stock.changed',
  occurredAt: '2025-01-01T12:00:31+01:00',
  publishedAt: '2025-01-01T11:00:32.000Z',
  objectType: 'stock',
  externalId: '27',
  payloadText: '{"id_product_attribute":101}'
}
const fields = toInboundFields(event)

function malformed (changes: Fields): string | undefined {
  const message = readInboundFields({ ...fields, ...changes })
  return 'malformed' in message ? message.malformed : undefined
}

t.test('a message has the six fields of the specification, in its order', async t => {
  t.strictSame(Object.entries(fields), [
    ['eventId', 'e-1'],
    ['eventType', 'inbound.webhook.stock.changed'],
    ['payloadJson', '{"objectType":"stock","externalId":"27","payload":{"id_product_attribute":101}}'],
    [
      'metadataJson',
      '{"schemaVersion":1,"provider":"shopa",' +
      '"connectionId":"7e6f2b64-6b1d-4d5e-8a27-0d3f3a1e9d10","requestId":"request-1"}'
    ],
    ['occurredAt', '2025-01-01T12:00:31+01:00'],
    ['publishedAt', '2025-01-01T11:00:32.000Z']
  ])
})

t.test('the payload is the received text, to the byte, and null when none was sent', async t => {
  const { payloadText, ...without } = event

  t.match(toInboundFields({ ...event, payloadText: '{ "a" : 1.0e2 }' }).payloadJson, '"payload":{ "a" : 1.0e2 }}')
  t.match(toInboundFields(without).payloadJson, '"payload":null}')
  t.equal(payloadText, '{"id_product_attribute":101}')
})

t.test('a message is read back as it was written, whatever the ids hold', async () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }).filter(value =>
    !/\p{Cc}/u.test(value) && value.isWellFormed() && value.length <= 200
  )

  fc.assert(fc.property(text, text, fc.json(), (objectType, externalId, payloadText) => {
    const message = readInboundFields(toInboundFields({
      ...event,
      objectType,
      externalId,
      payloadText: payloadText.includes('__proto__') ? '{}' : payloadText
    }))
    return !('malformed' in message) && message.objectType === objectType && message.externalId === externalId &&
      message.eventType === 'stock.changed'
  }))
})

t.test('every text in a field is read or reported as malformed, and nothing throws', async () => {
  fc.assert(fc.property(fc.constantFrom(...Object.keys(fields)), fc.string({ unit: 'binary' }), (name, value) => {
    const message = readInboundFields({ ...fields, [name]: value })
    return 'malformed' in message ? message.malformed !== '' : message.eventId !== ''
  }))
})

t.test('a missing field is named', async t => {
  for (const name of Object.keys(fields)) {
    const { [name]: _, ...rest } = fields
    t.match(readInboundFields(rest), { malformed: new RegExp(`^/${name}: `) })
  }
})

t.test('the refusal names the place of a fault inside the payload', async t => {
  t.match(malformed({ eventType: 'stock.changed' }), /^\/eventType/)
  t.match(malformed({ eventId: 'a b' }), /^\/eventId/)
  t.match(malformed({ occurredAt: 'yesterday' }), /^\/occurredAt/)
  t.equal(malformed({ metadataJson: '[]' }), 'metadataJson: not a JSON object')
  t.equal(malformed({ metadataJson: '{"__proto__":{"polluted":1}}' }), 'metadataJson: not a JSON object')
  t.match(
    malformed({ metadataJson: (fields.metadataJson ?? '').replace('"schemaVersion":1', '"schemaVersion":"1"') }),
    /^metadataJson\/schemaVersion/
  )
  t.match(
    malformed({ metadataJson: (fields.metadataJson ?? '').replace('shopa', 'Shop A') }),
    /^metadataJson\/provider/
  )
  t.match(
    malformed({ metadataJson: (fields.metadataJson ?? '').replace('7e6f2b64', 'nonsense') }),
    /^metadataJson\/connectionId/
  )
  t.match(malformed({ payloadJson: '{"objectType":"stock"}' }), /^payloadJson\/externalId/)
  t.match(malformed({ payloadJson: '{"objectType":"stock","externalId":27}' }), /^payloadJson\/externalId/)
  t.match(malformed({ payloadJson: '{"objectType":"stock","externalId":"\\u0000"}' }), /^payloadJson\/externalId/)
  t.match(malformed({ payloadJson: '{"objectType":"stock","externalId":"\\ud800"}' }), /surrogate/)
})

t.test('a malformed request id is left out', async t => {
  const message = readInboundFields({
    ...fields,
    metadataJson: (fields.metadataJson ?? '').replace('request-1', 'a\\nb')
  })

  t.notOk('malformed' in message)
  t.notOk('requestId' in message)
})
