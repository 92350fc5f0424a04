import { randomUUID } from 'node:crypto'
import t from 'tap'
import { eventually } from '../support/api.ts'
import { buildTestHub, type TestHub } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'
import { pointersOf, problemOf } from '../support/problem.ts'
import { reconcile } from '../support/reconcile.ts'

interface Variant {
  id?: string
  name: string | null
  sku: string | null
  ean: string | null
}
interface MarketplaceOffer {
  externalId: string
  sku: string | null
  quantity: number | null
  readAt: string
  link: {
    state: string,
    offerId: string | null,
    variant: Variant | null,
    suggestions: { variantId: string, name: string, matchedBy: string, certain: boolean, reason: string }[]
  }
}
interface Summary {
  dryRun: boolean
  matched: number
  eligible: number
  linked: number
  skipped: { reason: string, count: number }[]
  sample: { externalId: string, sku: string, matchedBy: string }[]
  readAt: string | null
  atMost: boolean
}

/** A shop whose catalog the hub knows, and a marketplace where somebody has listed some of it. */
async function openStand (hub: TestHub) {
  const [shop, market] = [await hub.connect('shopa', { name: 'My shop' }), await hub.connect('mktb')]
  await reconcile(hub, shop)
  hub.market.addProduct('red-mug', { name: 'A red mug', sku: 'SKU-27-R', stock: 1 })
  hub.market.addProduct('SKU-28', { name: 'A plate', stock: 1 })
  hub.market.addProduct('plates', { name: 'Six plates', ean: '5901234123457', stock: 1 })
  hub.market.addProduct('other', { name: 'From elsewhere', stock: 1 })
  await reconcile(hub, market)
  const path = `/connections/${market}/marketplace-offers`
  return {
    shop,
    market,
    path,
    list: async (query = ''): Promise<MarketplaceOffer[]> => {
      return (await hub.call('GET', `${path}?${query}`)).json as MarketplaceOffer[]
    },
    link: (body: object, headers: Record<string, string> = {}) => hub.call('POST', `${path}/link`, { body, headers })
  }
}

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: what a marketplace offers is listed, and linked where nobody has to decide`, async t => {
    const hub = await buildTestHub(t, { mode })
    const { shop, market, path, list, link } = await openStand(hub)
    const states = async (query?: string) =>
      (await list(query)).map(({ externalId, link: { state, suggestions: [best] } }) =>
        [externalId, state, ...best === undefined ? [] : [best.matchedBy, best.reason]].join(' ')
      )

    t.test('the list says which variant an offer may be, and why it is not certain', async t => {
      t.strictSame(await states(), [
        'SKU-28 certain sku only-match',
        'other none',
        'plates ambiguous ean several-offers',
        'red-mug certain sku only-match'
      ])
      t.strictSame(await states('state=certain&limit=1'), ['SKU-28 certain sku only-match'])
      t.strictSame(await states('state=none'), ['other none'])
      t.strictSame(await states('q=six'), ['plates ambiguous ean several-offers'])
      t.strictSame(await states('state=linked'), [])
      const [, , , mug] = await list()
      t.match(mug, {
        sku: 'SKU-27-R',
        quantity: 1,
        readAt: /^\d{4}-.*Z$/,
        link: { offerId: null, variant: null, suggestions: [{ name: /^Mug/, sku: 'SKU-27-R', certain: true }] }
      })
    })

    t.test('pages follow each other by a cursor', async t => {
      const pages: string[][] = []
      for (let next = `${path}?limit=3`; next !== '';) {
        const { json, headers } = await hub.call('GET', next)
        pages.push((json as MarketplaceOffer[]).map(({ externalId }) => externalId))
        next = /<([^>]+)>; rel="next"/.exec(String(headers.link ?? ''))?.[1] ?? ''
      }
      t.strictSame(pages, [['SKU-28', 'other', 'plates'], ['red-mug']])
    })

    t.test('a dry run changes nothing; the request links the certain ones once, and writes their stock', async t => {
      const planned = (await link({ dryRun: true })).json as Summary
      t.match(planned, {
        dryRun: true,
        matched: 4,
        eligible: 2,
        linked: 0,
        sample: [{ externalId: 'SKU-28', matchedBy: 'sku' }, { externalId: 'red-mug', sku: 'SKU-27-R' }],
        atMost: false
      })
      t.strictSame(
        planned.skipped.toSorted((a, b) => a.reason < b.reason ? -1 : 1),
        [{ reason: 'no-match', count: 1 }, { reason: 'several-offers', count: 1 }]
      )
      t.strictSame(await states('state=linked'), [])

      const key = { 'idempotency-key': randomUUID(), 'x-request-id': randomUUID() }
      const [answer, again] = [await link({}, key), await link({}, key)]
      t.equal(answer.status, 200)
      t.strictSame(answer.json, { ...planned, dryRun: false, linked: 2 })
      t.strictSame(again.json, answer.json)
      t.equal(again.headers['idempotency-replayed'], 'true')
      await hub.jobsOf(key['x-request-id'])
      t.equal(hub.market.product('red-mug')?.stock, 8)
      t.equal(hub.market.product('plates')?.stock, 1)

      t.strictSame(await states('state=unlinked'), ['other none', 'plates ambiguous ean variant-has-offer'])
      const [plate] = await list('state=linked')
      t.match(plate?.link, { state: 'linked', offerId: /-/, variant: { sku: 'SKU-28', ean: '5901234123457' } })
      t.match((await hub.call('GET', `/audit?connectionId=${market}&action=offer.link`)).json, [{
        objectName: '2 offers',
        changes: [{ pointer: '/links', to: [{ externalId: 'SKU-28' }, { externalId: 'red-mug' }] }]
      }])
    })

    t.test('offers and stock come with the names of the variant and are found by them', async t => {
      const offers = async (query: string) =>
        (await hub.call('GET', `/offers?${query}`)).json as {
          externalId: string,
          variant: Variant,
          problems: string[]
        }[]
      t.match(await offers('externalId=red-mug'), [{ variant: { name: /^Mug/, sku: 'SKU-27-R', ean: null } }])
      t.match(await offers('q=sku-28'), [{ externalId: 'SKU-28' }])
      t.strictSame((await offers('q=nothing')).length, 0)
      t.strictSame((await offers('warning=oversell')).length, 0)
      const all = await offers('')
      t.strictSame(
        (await offers('problem=any')).map(({ externalId }) => externalId),
        all.filter(({ problems }) => problems.length > 0).map(({ externalId }) => externalId)
      )
      t.match((await hub.call('GET', '/stock?q=SKU-27-R')).json, [{ name: /^Mug/, sku: 'SKU-27-R', quantity: 8 }])
    })

    t.test('a search finds what a person may mean', async t => {
      const search = async (q: string) => ((await hub.call('GET', `/search?${new URLSearchParams({ q })}`)).json as {
        kind: string,
        title: string,
        matchedBy: string,
        id: string
      }[])
      const kindsOf = async (q: string) => (await search(q)).map(({ kind, matchedBy }) => `${kind} ${matchedBy}`)

      t.strictSame(await kindsOf(market), ['connection id'])
      t.strictSame(await kindsOf('red-mug'), ['offer externalId'])
      t.strictSame(await kindsOf('plates'), ['unlinked-offer externalId'])
      t.strictSame(await kindsOf('SKU-28'), ['offer externalId', 'variant sku'])
      t.strictSame(await kindsOf('my sh'), ['connection name'])
      t.match(await search('mug'), [{ kind: 'variant', title: /^Mug/, matchedBy: 'name' }])
      const requestId = randomUUID()
      const { headers } = await hub.deliver(shop, {
        eventType: 'stock.changed',
        objectType: 'stock',
        externalId: '27',
        requestId
      })
      await hub.jobsOf(requestId)
      t.ok((await kindsOf(requestId)).every(found => found === 'job requestId'))
      const id = String(headers['x-linker-delivery-id'])
      await eventually('the delivery', async () => (await kindsOf(id)).length === 2 ? true : undefined)
      t.strictSame(await kindsOf(id), ['job id', 'delivery id'])
    })

    t.test('bad input is refused by name and leaves nothing', async t => {
      const before = await list()
      const refused = { status: 400, code: 'LNK_REQUEST_INVALID' }
      for (
        const [address, member] of [
          [`${path}?state=lost`, '/state'],
          [`${path}?q=%20`, '/q'],
          [`${path}?limit=201`, '/limit'],
          [`${path}?cursor=!`, 'cursor'],
          [`${path}?cursor=YQ==`, 'cursor'],
          [`${path}?cursor=AA`, 'cursor'],
          [`${path}?other=1`, 'other'],
          ['/offers?problem=bad', '/problem'],
          ['/offers?warning=bad', '/warning'],
          ['/offers?externalId=', '/externalId'],
          ['/offers?q=%00', '/q'],
          ['/offers?sku=', '/sku'],
          ['/offers/unlinked?ean=%00', '/ean'],
          ['/stock?q=', '/q'],
          ['/search', '/q'],
          ['/search?q=a', '/q'],
          ['/search?q=%20a%20', '/q'],
          [`/search?q=${'a'.repeat(1_024)}`, '/q'],
          ['/search?q=ab&kind=offer', 'kind']
        ] as const
      ) {
        const answer = await hub.call('GET', address)
        t.match(problemOf(answer), refused, address)
        t.ok(answer.text.includes(member), address)
      }
      for (
        const [body, pointer] of [
          [{ dryRun: 'maybe' }, '/dryRun'],
          [{ filter: {} }, '/filter/q'],
          [{ filter: { q: ' ' } }, '/filter/q'],
          [{ filter: { state: 'certain', q: 'a' } }, '/filter/state'],
          [{ externalIds: [] }, '/externalIds'],
          [{ externalIds: ['a', 'a'] }, '/externalIds'],
          [{ externalIds: ['a\u0000'] }, '/externalIds/0'],
          [{ externalIds: ['a'], filter: { q: 'a' } }, '/externalIds'],
          [{ after: 'a\u0000' }, '/after'],
          [{ after: 'a', externalIds: ['a'] }, '/after'],
          [{ all: true }, '/all']
        ] as const
      ) {
        const answer = await link(body)
        t.match(problemOf(answer), refused, JSON.stringify(body))
        t.strictSame(pointersOf(answer), [pointer], JSON.stringify(body))
      }
      const nowhere = '00000000-0000-4000-8000-000000000000'
      for (const [method, tail, given] of [['GET', '', {}], ['POST', '/link', { body: {} }]] as const) {
        t.match(problemOf(await hub.call(method, `/connections/${nowhere}/marketplace-offers${tail}`, given)), {
          status: 404,
          code: 'LNK_CONNECTION_NOT_FOUND'
        })
        t.match(problemOf(await hub.call(method, `/connections/${shop}/marketplace-offers${tail}`, given)), {
          status: 500,
          code: 'LNK_CAPABILITY_NOT_SUPPORTED'
        })
      }
      await hub.call('PATCH', `/connections/${market}/disable`)
      t.match(problemOf(await link({})), { status: 400, code: 'LNK_CONNECTION_DISABLED' })
      t.strictSame(await list(), before, 'a disabled connection still shows what was read')
    })
  })
}
