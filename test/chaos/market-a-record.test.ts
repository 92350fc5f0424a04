import t from 'tap'
import { countOverlaps, countReused, takenWrites, toSent, type SentToA } from './market-a-record.ts'

const sent = (members: Partial<SentToA>): SentToA => ({
  commandId: 'c1',
  offers: ['1'],
  quantity: 5,
  body: '{}',
  startedAt: 0,
  endedAt: 100,
  isTaken: true,
  ...members
})

t.test('the record reads commands and stock changes from the log and skips other requests', async t => {
  const entry = { at: '2026-01-01T00:00:00.000Z', query: {}, headers: {}, durationMs: 20 }
  const command = {
    ...entry,
    method: 'PUT',
    path: '/sale/offer-quantity-change-commands/c1',
    status: 201,
    body: JSON.stringify({
      modification: { changeType: 'FIXED', value: 5 },
      offerCriteria: [{ type: 'CONTAINS_OFFERS', offers: [{ id: '1' }, { id: '2' }] }]
    })
  }
  const read = (changes: object) =>
    toSent(Date.parse, {
      ...entry,
      method: 'PATCH',
      path: '/sale/product-offers/3',
      body: '{"stock":{"available":0}}',
      ...changes
    })

  t.match(toSent(Date.parse, command), [{ commandId: 'c1', offers: ['1', '2'], quantity: 5, isTaken: true }])
  t.match(
    read({}),
    [{ offers: ['3'], quantity: 0, isTaken: true, endedAt: Date.parse(entry.at) + 20 }],
    'a lost answer'
  )
  t.match(read({ status: 429 }), [{ isTaken: false }])
  t.strictSame(read({ body: '{"name":"Mug"}' }), [])
  t.strictSame(read({ method: 'GET' }), [])
})

t.test('requests overlap when they write the same offer at the same time', async t => {
  t.equal(countOverlaps([sent({}), sent({ startedAt: 100, endedAt: 200 }), sent({ offers: ['2'], startedAt: 50 })]), 0)
  t.equal(countOverlaps([sent({ offers: ['1', '2'] }), sent({ offers: ['2', '3'], startedAt: 50 })]), 1)
  t.equal(countOverlaps([sent({}), sent({ startedAt: 10, endedAt: 20 }), sent({ startedAt: 50 })]), 2)
})

t.test('a command id counts as reused when it came with two bodies', async t => {
  t.equal(countReused([sent({}), sent({}), sent({ commandId: 'c2', body: '{"a":1}' })]), 0)
  t.equal(countReused([sent({}), sent({ body: '{"a":1}' })]), 1)
})

t.test('a repeated command counts as one write, a refused command as none', async t => {
  t.strictSame(
    takenWrites([
      sent({ isTaken: false }),
      sent({}),
      sent({ offers: ['2'], commandId: undefined, quantity: 0 }),
      sent({})
    ]),
    [{ offer: '1', quantity: 5 }, { offer: '2', quantity: 0 }]
  )
})
