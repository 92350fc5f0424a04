import { randomUUID } from 'node:crypto'
import t from 'tap'
import { eventually } from '../support/api.ts'
import { buildTestHub, type Job, type TestHub } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'
import { problemOf } from '../support/problem.ts'

interface Offer {
  id: string
  quantity: number | null
  frozenFields: string[]
  lastSyncedAt: string | null
  warnings: { code: string }[]
}
interface Stock {
  quantity: number
  version: number
  offers: { offerId: string, sentQuantity: number | null, drift: number | null }[]
}
interface Listing {
  productId: number
  variantId: string
  offerId: string
  connectionId: string
}

const nowhere = '00000000-0000-4000-8000-000000000000'

/** The steps of the tests below on one hub, its shop and its marketplace. */
async function openShelf (hub: TestHub) {
  const [shop, market] = [await hub.connect('shopa'), await hub.connect('mktb')]
  let lastProductId = 1000

  /** Delivers an event and returns its request id and the jobs that it led to. */
  async function announce (
    eventType: string,
    objectType: string,
    externalId: number,
    requestId: string = randomUUID()
  ): Promise<{ requestId: string, jobs: Job[] }> {
    const { status, text } = await hub.deliver(shop, {
      eventType,
      objectType,
      externalId: String(externalId),
      requestId
    })
    if (status !== 202) throw new Error(`the webhook was answered ${status}: ${text}`)
    return { requestId, jobs: await hub.jobsOf(requestId) }
  }

  async function variantOf (productId: number): Promise<string> {
    const [product] = (await hub.call('GET', `/products?connectionId=${shop}&externalId=${productId}`)).json as {
      variants: { id: string }[]
    }[]
    const variantId = product?.variants[0]?.id
    if (variantId === undefined) throw new Error(`the hub does not know product ${productId}`)
    return variantId
  }

  return {
    shop,
    market,
    announce,
    variantOf,
    /** A new product of the shop, known to the hub and on sale at the marketplace. */
    async list (quantity: number, connectionId = market): Promise<Listing> {
      const productId = lastProductId += 1
      hub.shop.addProduct({ id: productId, name: `Product ${productId}`, quantity })
      await announce('product.saved', 'product', productId)
      const variantId = await variantOf(productId)
      hub.market.addProduct(variantId, { stock: quantity })
      const { status, json, text } = await hub.call('POST', '/offers/link', {
        body: { connectionId, variantId, externalId: variantId }
      })
      if (status !== 201) throw new Error(text)
      return { productId, variantId, offerId: (json as Offer).id, connectionId }
    },
    /** Changes the stock in the shop and waits for all that follows from it. */
    sell ({ productId }: Listing, quantity: number, requestId?: string) {
      hub.shop.setStock(productId, 0, quantity)
      return announce('stock.changed', 'stock', productId, requestId)
    },
    writes: ({ variantId }: Listing): unknown[] =>
      hub.market.requests.matching({ method: 'PATCH', path: `/svc/shop-api/products/${variantId}` }).map(({ body }) =>
        body
      ),
    sold: ({ variantId }: Listing): unknown => hub.market.product(variantId)?.stock,
    offer: async ({ offerId }: Listing): Promise<Offer> => (await hub.call('GET', `/offers/${offerId}`)).json as Offer,
    stock: async ({ variantId }: Listing): Promise<Stock | undefined> =>
      ((await hub.call('GET', `/stock?variantId=${variantId}`)).json as Stock[])[0]
  }
}

const typesOf = (jobs: readonly Job[]): string[] => jobs.map(({ jobType }) => jobType).toSorted()

for (const mode of availableModes(process.env)) {
  t.test(`stock, ${mode}`, async t => {
    const hub = await buildTestHub(t, { mode })
    const shelf = await openShelf(hub)

    t.test('a jump of stock waits for a person, and a fall does not', async t => {
      const listing = await shelf.list(10)
      const setting = (confirmStockJump: number | null) =>
        hub.call('PATCH', `/connections/${shelf.shop}`, { body: { settings: { confirmStockJump } } })
      t.equal((await setting(50)).status, 200)
      await shelf.sell(listing, 10)
      t.teardown(() => setting(null))
      await shelf.sell(listing, 1_000)

      t.equal(shelf.sold(listing), 10)
      t.match(await shelf.stock(listing), { quantity: 1_000, confirmedQuantity: 10, offers: [{ drift: 0 }] })
      t.match((await hub.call('GET', `/offers/${listing.offerId}/explanation`)).json, {
        verdict: 'waits-for-confirmation'
      })
      const item = await eventually(
        'the item',
        async () =>
          ((await hub.call('GET', '/attention')).json as { kind: string }[]).find(({ kind }) => kind === 'stock-jumps')
      )
      t.match(item, { connectionId: shelf.shop, count: 1 })
      const { json } = await hub.call('POST', '/stock/confirm', { body: { variantId: listing.variantId } })
      t.match(json, { confirmed: 1, jobIds: { length: 1 } })
      await eventually('the new quantity', async () => shelf.sold(listing) === 1_000 ? true : undefined)

      await shelf.sell(listing, 2_000)
      await shelf.sell(listing, 7)
      t.equal(shelf.sold(listing), 7)
      t.match(await shelf.stock(listing), { quantity: 7, confirmedQuantity: null })
      const both = { variantId: listing.variantId, connectionId: shelf.shop }
      for (const body of [{}, both]) t.equal((await hub.call('POST', '/stock/confirm', { body })).status, 400)
    })

    t.test('a signed webhook of the shop becomes one write of the quantity at the marketplace', async t => {
      hub.shop.sender.configure({ baseUrl: hub.url, connectionId: shelf.shop, secret: hub.keys.webhook })
      t.teardown(() => {
        hub.shop.sender.configure({ baseUrl: '', connectionId: '', secret: '' })
      })
      hub.shop.updateProduct(27, { active: '1' })
      const [catalog] = await hub.shop.sender.deliver()
      const variantId = await eventually('the product in the catalog', () => shelf.variantOf(27).catch(() => undefined))
      hub.market.addProduct(variantId, { stock: 8 })
      const offer = await hub.call('POST', '/offers/link', {
        body: { connectionId: shelf.market, variantId, externalId: variantId }
      })
      const eventId = hub.shop.setStock(27, 101, 3)
      const [stock, ...more] = await hub.shop.sender.deliver()
      const listing = { productId: 27, variantId, offerId: (offer.json as Offer).id, connectionId: shelf.market }
      await eventually('the new quantity', async () => shelf.sold(listing) === 3 ? true : undefined)
      await eventually(
        'the record of the write',
        async () => (await shelf.offer(listing)).quantity === 3 ? true : undefined
      )

      t.match([catalog, stock], [{ eventType: 'product.saved', statusCode: 202 }, {
        eventType: 'stock.changed',
        eventId,
        statusCode: 202
      }])
      t.strictSame(more, [])
      t.strictSame(shelf.writes(listing), [{ stock: 3 }])
      t.match(await shelf.stock(listing), {
        quantity: 3,
        version: 1,
        offers: [{ offerId: listing.offerId, sentQuantity: 3, drift: 0 }]
      })
    })

    t.test('one request id goes from the webhook through every job and log line to the platforms', async t => {
      const listing = await shelf.list(5)
      const { requestId, jobs } = await shelf.sell(listing, 4)
      const upstream = [...hub.shop.requests.entries, ...hub.market.requests.entries].filter(request =>
        request.requestId === requestId
      )
      const lines = hub.log.map(line => JSON.parse(line) as { requestId?: string, msg?: string, method?: string })

      t.strictSame(typesOf(jobs), [
        'inventory.propagateToMarketplaces',
        'marketplace.offerQuantity.update',
        'shopa.inventory.syncByExternalId'
      ])
      for (const { requestId: ofJob, status } of jobs) t.strictSame([ofJob, status], [requestId, 'succeeded'])
      t.strictSame(upstream.map(({ method, path }) => `${method} ${path}`).toSorted(), [
        'GET /api/combinations',
        'GET /api/stock_availables',
        `PATCH /svc/shop-api/products/${listing.variantId}`
      ])
      t.strictSame(
        lines.filter(line => line.requestId === requestId && line.msg === 'upstream call').map(({ method }) => method)
          .toSorted(),
        ['GET', 'GET', 'PATCH']
      )
      t.match(jobs.find(({ jobType }) => jobType.startsWith('marketplace')), {
        connectionId: shelf.market,
        adapter: /^mktb\.shopapi\.v1@/,
        result: { quantity: 4, stockVersion: 1, applied: ['stock'], frozen: { length: 0 } }
      })
    })

    t.test('5, 6 and 5 again are three writes that end at 5', async t => {
      const listing = await shelf.list(9)
      for (const quantity of [5, 6, 5]) await shelf.sell(listing, quantity)

      t.equal(shelf.sold(listing), 5)
      t.strictSame(shelf.writes(listing), [{ stock: 5 }, { stock: 6 }, { stock: 5 }])
      t.match(await shelf.stock(listing), { quantity: 5, version: 3, offers: [{ drift: 0 }] })
    })

    t.test('changes that overtake each other end at the last', async t => {
      const listing = await shelf.list(20)
      await Promise.all(Array.from({ length: 20 }, (_, index) => shelf.sell(listing, 19 - index)))

      t.equal(shelf.sold(listing), 0)
      t.match(await shelf.stock(listing), { quantity: 0, offers: [{ sentQuantity: 0, drift: 0 }] })
    })

    t.test('stock that did not change is not propagated', async t => {
      const listing = await shelf.list(5)
      await shelf.sell(listing, 4)
      const { jobs } = await shelf.sell(listing, 4)

      t.strictSame(typesOf(jobs), ['shopa.inventory.syncByExternalId'])
      t.strictSame(shelf.writes(listing), [{ stock: 4 }])
      t.match(await shelf.stock(listing), { version: 1 })
    })

    t.test('a quantity below zero is sold as zero', async t => {
      const listing = await shelf.list(5)
      await shelf.sell(listing, -3)

      t.strictSame(shelf.writes(listing), [{ stock: 0 }])
      t.match(await shelf.stock(listing), { quantity: -3, offers: [{ sentQuantity: 0, drift: 0 }] })
    })

    t.test('a job about a product that the shop does not have is dead with the reason; no stock changes', async t => {
      const product = await shelf.announce('product.saved', 'product', 999_999)
      const stock = await shelf.announce('stock.changed', 'stock', 999_999)

      t.match(product.jobs, [{ status: 'dead', problem: { code: 'LNK_ADAPTER_NOT_FOUND', message: /999999/ } }])
      t.match(stock.jobs, [{ status: 'succeeded', result: { externalId: '999999', found: false } }])
      t.match((await hub.call('GET', '/jobs?status=dead&limit=1')).json, [{ id: product.jobs[0]?.id }])
    })

    t.test('refused credentials put the connection into error; its jobs wait for new ones', async t => {
      const connectionId = await hub.connect('mktb')
      const listing = await shelf.list(5, connectionId)
      await hub.call('PUT', `/connections/${connectionId}/credentials?test=false`, {
        body: { credentials: 'another-key' }
      })
      hub.shop.setStock(listing.productId, 0, 2)
      const requestId = randomUUID()
      await hub.deliver(shelf.shop, {
        eventType: 'stock.changed',
        objectType: 'stock',
        externalId: String(listing.productId),
        requestId
      })
      const waiting = await eventually(
        'a job that waits',
        async () => ((await hub.call('GET', `/jobs?requestId=${requestId}&status=waiting`)).json as Job[])[0]
      )
      const inError = await hub.call('GET', `/connections/${connectionId}`)
      const [before] = await hub.database().query('select failures, crashes from jobs where id = $1', [waiting.id])
      const writesBefore = shelf.sold(listing)
      await hub.call('PUT', `/connections/${connectionId}/credentials`, { body: { credentials: hub.keys.market } })
      const jobs = await hub.jobsOf(requestId)

      t.match(waiting, {
        jobType: 'marketplace.offerQuantity.update',
        problem: { code: 'LNK_ADAPTER_AUTHENTICATION', message: /refused the API key/ }
      })
      t.match(inError.json, { status: 'error', statusReason: /refused the API key/ })
      t.strictSame({ ...before }, { failures: 0, crashes: 0 })
      t.equal(writesBefore, 5)
      t.match(jobs.find(({ id }) => id === waiting.id), { status: 'succeeded' })
      t.equal(shelf.sold(listing), 2)
      t.match((await hub.call('GET', `/connections/${connectionId}`)).json, { status: 'active', statusReason: null })
    })

    t.test('the jobs of a disabled connection wait until it is enabled', async t => {
      const connectionId = await hub.connect('mktb')
      const listing = await shelf.list(5, connectionId)
      await hub.call('PATCH', `/connections/${connectionId}/disable`)
      hub.shop.setStock(listing.productId, 0, 1)
      const requestId = randomUUID()
      await hub.deliver(shelf.shop, {
        eventType: 'stock.changed',
        objectType: 'stock',
        externalId: String(listing.productId),
        requestId
      })
      const waiting = await eventually(
        'a job that waits',
        async () => ((await hub.call('GET', `/jobs?requestId=${requestId}&status=waiting`)).json as Job[])[0]
      )
      const soldMeanwhile = shelf.sold(listing)
      await hub.call('PATCH', `/connections/${connectionId}`, { body: { status: 'active' } })
      await hub.jobsOf(requestId)

      t.match(waiting, { jobType: 'marketplace.offerQuantity.update', attempts: { length: 0 } })
      t.equal(soldMeanwhile, 5)
      t.equal(shelf.sold(listing), 1)
    })

    t.test('a marketplace that is busy twice is asked three times in one attempt of the job', async t => {
      const listing = await shelf.list(5)
      hub.market.faults.add({ method: 'PATCH', path: new RegExp(listing.variantId), times: 2, answer: { status: 503 } })
      const { jobs } = await shelf.sell(listing, 1)
      const job = jobs.find(({ jobType }) => jobType === 'marketplace.offerQuantity.update')

      t.match(job, { status: 'succeeded', problem: null })
      t.equal(job?.attempts.length, 1)
      t.strictSame(shelf.writes(listing), [{ stock: 1 }, { stock: 1 }, { stock: 1 }])
      t.equal(shelf.sold(listing), 1)
    })

    t.test('a marketplace that fails twice is written at the third attempt', async t => {
      const listing = await shelf.list(5)
      hub.market.faults.add({ method: 'PATCH', path: new RegExp(listing.variantId), times: 2, answer: { status: 500 } })
      const { jobs } = await shelf.sell(listing, 1)
      const job = jobs.find(({ jobType }) => jobType === 'marketplace.offerQuantity.update')

      t.match(job, {
        status: 'succeeded',
        attempts: [{ error: { code: 'LNK_ADAPTER_TRANSIENT', message: /500/ } }, {
          error: { code: 'LNK_ADAPTER_TRANSIENT' }
        }, {}]
      })
      t.equal(job?.attempts.length, 3)
      t.equal(job?.attempts[2]?.error, undefined)
      t.equal(shelf.sold(listing), 1)
    })

    t.test('stock that the seller froze is left alone, the job succeeds and the offer says so', async t => {
      const listing = await shelf.list(5)
      await shelf.sell(listing, 4)
      hub.market.editInPanel(listing.variantId, { stock: 2 })
      const { jobs } = await shelf.sell(listing, 3)

      t.match(jobs.find(({ jobType }) => jobType === 'marketplace.offerQuantity.update'), {
        status: 'succeeded',
        result: { applied: { length: 0 }, frozen: ['stock'] }
      })
      t.equal(shelf.sold(listing), 2)
      t.match(await shelf.offer(listing), { frozenFields: ['stock'], quantity: 4 })
    })

    t.test('frozen stock that sells more than the master has is warned of, wherever the offer is shown', async t => {
      const listing = await shelf.list(5)
      await shelf.sell(listing, 4)
      hub.market.editInPanel(listing.variantId, { stock: 4 })
      await shelf.sell(listing, 1)
      const warned = { warnings: [{ code: 'stock-frozen' }, { code: 'oversell', message: /offers 4 .* has 1 left/ }] }

      t.match(await shelf.offer(listing), warned)
      t.match(await shelf.stock(listing), { offers: [warned] })
      t.ok(hub.log.some(line => line.includes('"code":"oversell"') && line.includes(listing.offerId)))
      await shelf.sell(listing, 4)
      t.match((await shelf.offer(listing)).warnings.map(({ code }) => code), ['stock-frozen'])
    })

    t.test('an offer keeps its buffer back and never shows more than its limit', async t => {
      const listing = await shelf.list(10)
      await shelf.sell(listing, 9)
      const limit = async (body: object): Promise<unknown> => {
        const requestId = randomUUID()
        const { json, text, status } = await hub.call('PATCH', `/offers/${listing.offerId}`, {
          body,
          headers: { 'x-request-id': requestId }
        })
        if (status !== 200) throw new Error(text)
        await hub.jobsOf(requestId)
        return json
      }

      t.match(await limit({ buffer: 2 }), { buffer: 2, maxListed: null })
      t.equal(shelf.sold(listing), 7)
      t.match(await limit({ maxListed: 5 }), { buffer: 2, maxListed: 5 })
      t.equal(shelf.sold(listing), 5)
      await shelf.sell(listing, 6)
      t.equal(shelf.sold(listing), 4)
      await shelf.sell(listing, 1)
      t.equal(shelf.sold(listing), 0)
      t.match(await shelf.stock(listing), { quantity: 1, offers: [{ wantedQuantity: 0, sentQuantity: 0, drift: 0 }] })
      await limit({ buffer: 0, maxListed: null })
      t.equal(shelf.sold(listing), 1)
      t.match(problemOf(await hub.call('PATCH', `/offers/${listing.offerId}`, { body: { buffer: -1 } })), {
        status: 400
      })
      t.match(problemOf(await hub.call('PATCH', `/offers/${nowhere}`, { body: { buffer: 1 } })), {
        status: 404,
        code: 'LNK_OFFER_NOT_FOUND'
      })
    })

    t.test('pieces that are reserved for orders are not offered', async t => {
      const listing = await shelf.list(5)
      await shelf.sell(listing, 4)
      const reserve = (reserved: number) =>
        hub.database().query('update stock set reserved = $2, version = version + 1 where variant_id = $1', [
          listing.variantId,
          reserved
        ])
      const propagate = async () =>
        hub
          .jobsOf((await hub.call('POST', '/jobs', {
            body: {
              jobType: 'inventory.propagateToMarketplaces',
              connectionId: shelf.shop,
              payload: { variantId: listing.variantId }
            },
            headers: { 'x-request-id': randomUUID() }
          })).headers['x-request-id'] as string)
      await reserve(3)
      await propagate()

      t.equal(shelf.sold(listing), 1)
      t.match(await shelf.stock(listing), {
        quantity: 4,
        reserved: 3,
        version: 2,
        offers: [{ wantedQuantity: 1, drift: 0 }]
      })
      await reserve(0)
      await propagate()
      t.equal(shelf.sold(listing), 4)
    })

    t.test(
      'stock is listed page by page, by variant, by connection, and where something else was written than is ' +
        'wanted',
      async t => {
        const own = await hub.connect('mktb')
        const listings = [await shelf.list(5, own), await shelf.list(6, own), await shelf.list(7, own)]
        for (const listing of listings) await shelf.sell(listing, 3)
        await hub.database().query('update offers set quantity = 9 where id = $1', [listings[1]?.offerId])
        const pages: string[][] = []
        for (
          let path: string | undefined = `/stock?connectionId=${own}&limit=2`;
          path !== undefined && pages.length < 10;
        ) {
          const { json, headers } = await hub.call('GET', path)
          pages.push((json as { variantId: string }[]).map(({ variantId }) => variantId))
          path = /^<([^>]+)>/.exec(String(headers.link ?? ''))?.[1]
        }
        const drifting = (await hub.call('GET', `/stock?connectionId=${own}&drift=true`)).json

        t.strictSame(
          pages,
          [listings.slice(0, 2), listings.slice(2)].map(page => page.map(({ variantId }) => variantId))
        )
        t.match(drifting, [{
          variantId: listings[1]?.variantId,
          offers: [{ wantedQuantity: 3, sentQuantity: 9, drift: -6 }]
        }])
        t.equal((drifting as unknown[]).length, 1)
      }
    )

    t.test('an offer is linked once: the same pair is answered again, another variant is refused', async t => {
      const [first, second] = [await shelf.list(5), await shelf.list(6)]
      const link = (body: object) =>
        hub.call('POST', '/offers/link', {
          body: { connectionId: shelf.market, variantId: first.variantId, externalId: first.variantId, ...body }
        })
      const again = await link({})

      t.equal(again.status, 200)
      t.equal((again.json as Offer).id, first.offerId)
      t.match(problemOf(await link({ variantId: second.variantId })), { status: 409, code: 'LNK_OFFER_ALREADY_LINKED' })
      t.match(problemOf(await link({ variantId: nowhere })), { status: 404, code: 'LNK_VARIANT_NOT_FOUND' })
      t.match(problemOf(await link({ connectionId: nowhere })), { status: 404, code: 'LNK_CONNECTION_NOT_FOUND' })
      t.match(problemOf(await hub.call('GET', `/offers/${nowhere}`)), { status: 404, code: 'LNK_OFFER_NOT_FOUND' })
      t.match((await hub.call('GET', `/offers?variantId=${first.variantId}`)).json, [{
        id: first.offerId,
        connectionId: shelf.market,
        status: 'ACTIVE'
      }])
    })

    t.test('linking an offer of a variant whose stock is known writes it at once', async t => {
      const listing = await shelf.list(7)
      await shelf.sell(listing, 6)
      hub.market.addProduct('second-offer', { stock: 99 })
      const requestId = randomUUID()
      await hub.call('POST', '/offers/link', {
        headers: { 'x-request-id': requestId },
        body: { connectionId: shelf.market, variantId: listing.variantId, externalId: 'second-offer' }
      })

      t.match(await hub.jobsOf(requestId), [{ jobType: 'marketplace.offerQuantity.update', status: 'succeeded' }])
      t.equal(hub.market.product('second-offer')?.stock, 6)
    })
  })
}
