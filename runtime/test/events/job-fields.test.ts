import t from 'tap'
import { readJobFields, toJobFields } from '../../src/events/job-fields.ts'
import type { Fields } from '../../src/streams/port.ts'

const job = {
  jobType: 'shopa.inventory.syncByExternalId',
  connectionId: '7e6f2b64-6b1d-4d5e-8a27-0d3f3a1e9d10',
  payload: { externalId: '27', requestId: 'request-1' },
  idempotencyKey: 'the-key',
  requestId: 'request-1'
}
const fields = toJobFields(job, '2025-01-01T11:00:33.000Z')

function malformed (changes: Fields): string | undefined {
  const message = readJobFields({ ...fields, ...changes })
  return 'malformed' in message ? message.malformed : undefined
}

t.test('a message has the five fields of the specification, in its order, and is read back', async t => {
  t.strictSame(Object.entries(fields), [
    ['jobType', 'shopa.inventory.syncByExternalId'],
    ['connectionId', '7e6f2b64-6b1d-4d5e-8a27-0d3f3a1e9d10'],
    ['payloadJson', '{"externalId":"27","requestId":"request-1"}'],
    ['idempotencyKey', 'the-key'],
    ['createdAt', '2025-01-01T11:00:33.000Z']
  ])
  t.strictSame(readJobFields(fields), job)
})

t.test('the request id of a job travels in its payload', async t => {
  const message = toJobFields({ ...job, payload: { externalId: '27' } }, '2025-01-01T11:00:33.000Z')

  t.strictSame(readJobFields(message), job)
})

t.test('a job of the hub itself has no connection', async t => {
  const own = { jobType: 'master.inventory.syncAll', connectionId: null, payload: {}, idempotencyKey: 'schedule:sweep' }

  t.equal(toJobFields(own, '2025-01-01T11:00:33Z').connectionId, '')
  t.strictSame(readJobFields(toJobFields(own, '2025-01-01T11:00:33Z')), own)
})

t.test('the refusal names the place of the fault', async t => {
  for (const name of Object.keys(fields)) {
    const { [name]: _, ...rest } = fields
    t.match(readJobFields(rest), { malformed: new RegExp(`^/${name}: `) })
  }
  t.match(malformed({ jobType: 'constructor' }), /^\/jobType/)
  t.match(malformed({ connectionId: 'nonsense' }), /^\/connectionId/)
  t.match(malformed({ idempotencyKey: 'nul\u0000' }), /^\/idempotencyKey/)
  t.match(malformed({ idempotencyKey: 'k'.repeat(501) }), /^\/idempotencyKey/)
  t.match(malformed({ idempotencyKey: '\ud800' }), /^\/idempotencyKey/)
  t.match(malformed({ createdAt: '' }), /^\/createdAt/)
  for (
    const payloadJson of [
      '',
      '[]',
      'null',
      '{',
      '{"__proto__":{"polluted":1}}',
      '{"a":{"constructor":{"prototype":{}}}}'
    ]
  ) t.match(malformed({ payloadJson }), /^payloadJson/, payloadJson)
  t.equal(Reflect.get({}, 'polluted'), undefined)
})
