import t from 'tap'
import { findOffer } from '../../src/cli/find-offer.ts'
import { HubError, type HubClient } from '../../src/cli/hub-client.ts'

const id = (last: number): string => `00000000-0000-4000-8000-${String(last).padStart(12, '0')}`
const [market, other] = [id(101), id(102)]

interface Asked {
  path: string
  query: Record<string, string | undefined>
}

/** A hub that answers the questions with these parameters, such as `/offers sku`. */
function hubWith (answers: Readonly<Record<string, { id: string, connectionId: string }[]>>) {
  const asked: Asked[] = []
  const hub: HubClient = {
    url: '',
    call: () => Promise.reject(new HubError('404', { problem: { code: 'LNK_OFFER_NOT_FOUND' } })),
    async list (path, query = {}) {
      asked.push({ path, query })
      const name = ['externalId', 'sku', 'ean'].find(member => query[member] !== undefined) ?? ''
      return (answers[`${path} ${name}`] ?? [])
        .filter(({ connectionId }) => query.connectionId === undefined || query.connectionId === connectionId)
        .map(offer => ({ externalId: 'there', status: 'ACTIVE', ...offer }))
    }
  }
  return { hub, asked }
}

t.test('an offer is found by each of its names, linked or not, and counts once', async t => {
  const one = [{ id: id(1), connectionId: market }]
  for (const path of ['/offers', '/offers/unlinked']) {
    for (const name of ['externalId', 'sku', 'ean']) {
      t.equal(await findOffer(hubWith({ [`${path} ${name}`]: one }).hub, 'x'), id(1), `${path} ${name}`)
    }
  }
  t.equal(await findOffer(hubWith({ '/offers externalId': one, '/offers sku': one }).hub, 'x'), id(1))
  const linked = hubWith({ '/offers ean': one, '/offers/unlinked ean': [{ id: id(2), connectionId: market }] })
  t.equal(await findOffer(linked.hub, 'x', { isLinked: true }), id(1))
  t.ok(linked.asked.every(({ path }) => path === '/offers'))
})

t.test('only exact questions are asked, with the text as it is given', async t => {
  const { hub, asked } = hubWith({})

  await t.rejects(findOffer(hub, 'a', { connectionId: market }), {
    message: "no offer on this connection has the id, SKU or EAN 'a'"
  })
  t.strictSame(
    asked,
    ['/offers', '/offers/unlinked'].flatMap(path =>
      ['externalId', 'sku', 'ean'].map(name => ({ path, query: { [name]: 'a', connectionId: market } }))
    )
  )
})

t.test('several offers with the text are listed', async t => {
  const two = [{ id: id(1), connectionId: market }, { id: id(2), connectionId: other }]
  const { hub } = hubWith({ '/offers sku': two })

  await t.rejects(findOffer(hub, 'SKU-1'), {
    message: /^2 offers have the id, SKU or EAN 'SKU-1'; give the id of one:/
  })
  t.equal(await findOffer(hub, 'SKU-1', { connectionId: other }), id(2))
})
