import type { WebhookSource } from '@linker/sdk'
import t from 'tap'
import { unmappedType, unwantedSince, unwantedType, withMappedTopics } from '../../src/events/unmapped-topics.ts'

const sourceOf = (eventTypes: Record<string, string | null>): WebhookSource => ({
  topic: { header: 'X-Topic' },
  externalId: { body: '/id' },
  eventTypes
})

t.test('each topic has a type of its own, in the form of event types', async t => {
  const topics = ['Carts/Update', 'carts/update', 'carts_update', 'carts.update', '', 'constructor', 'ż'.repeat(300)]
  const types = topics.map(unmappedType)

  t.equal(new Set(types).size, topics.length)
  for (const type of types) t.match(type, /^unmapped\.[a-z0-9_]{1,90}$/)
})

t.test('an event that came before its topic was mapped starts the job of today', async t => {
  const events = { 'cart.saved': 'feed.cart.sync', 'unmapped.own': 'feed.own' }
  const source = sourceOf({
    'carts/update': 'cart.saved',
    'items/update': 'product.saved',
    'stocks/update': 'stock.changed',
    'hooks/test': 'test.ping',
    'users/create': 'user.created'
  })

  t.strictSame(withMappedTopics(events, 'feed', source), {
    ...events,
    [unmappedType('carts/update')]: 'feed.cart.sync',
    [unmappedType('items/update')]: 'master.product.syncByExternalId',
    [unmappedType('stocks/update')]: 'feed.inventory.syncByExternalId'
  })
})

t.test('a topic that the adapter does not want starts nothing, and its kept events are named', async t => {
  const source = sourceOf({ 'carts/update': null, 'items/update': 'product.saved' })

  t.match(unwantedType('carts/update'), /^unwanted\.carts_update_[0-9a-f]{8}$/)
  t.strictSame(Object.keys(withMappedTopics({}, 'feed', source) ?? {}), [unmappedType('items/update')])
  t.strictSame(unwantedSince(source), new Set([unmappedType('carts/update')]))
  t.equal(unwantedSince(source), unwantedSince(source), 'it is computed once')
  t.strictSame(unwantedSince(undefined), new Set())
})

t.test('a source without a map changes nothing', async t => {
  const { eventTypes: _unused, ...source } = sourceOf({})

  t.equal(withMappedTopics(undefined, 'feed', source), undefined)
  t.strictSame(withMappedTopics({ a: 'b' }, 'feed', undefined), { a: 'b' })
})
