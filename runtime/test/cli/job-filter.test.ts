import t from 'tap'
import type { HubClient, ListQuery } from '../../src/cli/hub-client.ts'
import { jobFilterOf } from '../../src/cli/job-filter.ts'

const id = (last: number): string => `00000000-0000-4000-8000-${String(last).padStart(12, '0')}`
const [order, offer] = [id(1), id(2)]

/** A hub with one order and one offer, each of which has an id at its marketplace. */
const hub: HubClient = {
  url: '',
  call: async (_method, path) =>
    path.startsWith('/search?')
      ? [
        { kind: 'order', id: order, title: '', subtitle: '', matchedBy: 'id' },
        { kind: 'offer', id: offer, title: '', subtitle: '', matchedBy: 'id' }
      ]
      : undefined,
  async list (path: string, { externalId }: ListQuery = {}) {
    if (path === '/orders' && externalId === '261127x10005') return [{ id: order }]
    return path === '/offers' && externalId === 'there-1' ? [{ id: offer, connectionId: id(3) }] : []
  }
}

t.test('jobs are found by every name of their order and offer', async t => {
  for (const name of [order, '00000000', '261127x10005']) {
    t.equal((await jobFilterOf(hub, { order: name })).orderId, order, name)
  }
  for (const name of [offer, '00000000', 'there-1']) {
    t.equal((await jobFilterOf(hub, { offer: name })).offerId, offer, name)
  }
})

t.test('a whole id is not looked for: the jobs of a removed order are still there', async t => {
  const silent: HubClient = {
    url: '',
    call: () => Promise.reject(new Error('asked')),
    list: () => Promise.reject(new Error('asked'))
  }

  t.match(await jobFilterOf(silent, { order, offer }), { orderId: order, offerId: offer })
})

t.test('a name that nobody has is refused with the name', async t => {
  const empty: HubClient = { ...hub, call: async () => [] }

  await t.rejects(jobFilterOf(empty, { order: 'x1' }), { message: "no marketplace has an order 'x1'" })
  await t.rejects(jobFilterOf(empty, { offer: 'x1' }), { message: "no offer has the id, SKU or EAN 'x1'" })
})
