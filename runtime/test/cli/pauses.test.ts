import t from 'tap'
import { describePause, describeResumed } from '../../src/cli/pauses.ts'

const now = new Date('2026-10-03T10:00:00Z')

t.test('a pause is described with what it stops, its end and its reason', t => {
  const pause = { since: now.toISOString(), by: { kind: 'token' as const, name: 'ada', tokenId: null } }

  t.equal(
    describePause({ ...pause, capability: null, until: null, reason: null }),
    'paused by ada until somebody resumes it'
  )
  t.equal(
    describePause({ ...pause, capability: 'OrderSource', until: '2026-10-03T12:00:00.000Z', reason: 'maintenance' }),
    'OrderSource paused by ada until 2026-10-03T12:00:00.000Z: maintenance'
  )
  t.end()
})

t.test('who resumes what is not paused is told so', t => {
  const by = { kind: 'token' as const, name: 'ada', tokenId: null }
  const paused = (...names: (string | null)[]) => ({
    name: 'My shop',
    status: 'active' as const,
    pauses: names.map(capability => ({ capability, by, since: now.toISOString(), until: null, reason: null }))
  })
  const orders = /^My shop: OrderSource paused by ada /

  t.strictSame(describeResumed(paused(null), paused()), ['My shop is resumed: its jobs go on'])
  t.strictSame(describeResumed(paused(), paused()), [
    'My shop: nothing was resumed, because the connection as a whole was not paused'
  ])
  t.match(describeResumed(paused('OrderSource'), paused('OrderSource')), [/nothing was resumed/, orders])
  t.match(describeResumed(paused('OrderSource'), paused('OrderSource'), ['Marketplace']), [
    /Marketplace was not/,
    orders
  ])
  t.match(describeResumed(paused('OrderSource'), paused('OrderSource'), ['InventoryMaster', 'ProductMaster']), [
    /InventoryMaster, ProductMaster were not paused$/,
    orders
  ])
  t.end()
})
