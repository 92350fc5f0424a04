import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { eventually, type Answer } from '../support/api.ts'
import { countRows } from '../support/count-rows.ts'
import { buildTestHub, withoutSchedules, type TestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import { shopPackage } from '../support/order-packages.ts'
import { pointersOf, problemOf } from '../support/problem.ts'
import type { ForeignPackage } from '../support/project.ts'
import { reconcile } from '../support/reconcile.ts'

interface Offer {
  id: string
  status: string
  upstreamStatus: string | null
  title: string | null
  price: unknown
  quantity: number | null
  upstreamQuantity: number | null
  frozenFields: string[]
  problems: string[]
}

/** A marketplace whose offers nobody can read one by one. */
const kiosk: ForeignPackage = {
  manifest: {
    name: '@acme/adapter-kiosk-v1',
    version: '1.0.0',
    engines: { linker: '^0.1.0' },
    linker: { adapterKey: 'kiosk.api.v1', platformType: 'kiosk', displayName: 'Kiosk', capabilities: ['Marketplace'] }
  },
  source: `
    import { defineAdapter } from '@linker/sdk'
    export default defineAdapter({
      config: { type: 'object' },
      credentials: { type: 'null' },
      connect: context => context.log,
      account: async () => undefined,
      capabilities: {
        Marketplace: () => ({
          listOffers: async () => ({ items: [] }),
          updateOfferQuantity: async () => ({ applied: ['stock'], frozen: [] }),
          listOrderEvents: async () => ({ events: [], hasMore: false }),
          getOrder: async () => { throw new Error('nobody asks') }
        })
      }
    })`
}

/** A shop with a hundred pieces of one article, and a marketplace. */
async function openStall (t: Test) {
  const adapters = [shopPackage.manifest.name, kiosk.manifest.name, '@linker/adapter-mktb-v1']
  const hub = await buildTestHub(t, {
    mode: cheapestMode(process.env),
    packages: [shopPackage, kiosk],
    config: { adapters, schedules: withoutSchedules }
  })
  const created = await hub.call('POST', '/connections', { body: { name: 'Stall', platformType: 'stall', config: {} } })
  const swept = await hub.call('POST', '/stock/reconcile', {
    body: { connectionId: (created.json as { id: string }).id }
  })
  await hub.endOf((swept.json as { jobIds: string[] }).jobIds[0] ?? '')
  const [variant] = await hub.database().query<{ id: string }>('select id from variants')
  const market = await hub.connect('mktb')
  const variantId = variant?.id ?? ''
  return {
    hub,
    market,
    variantId,
    link: (externalId: string, more: object = {}, headers: Record<string, string> = {}): Promise<Answer> => {
      return hub.call('POST', '/offers/link', {
        body: { connectionId: market, variantId, externalId, ...more },
        headers
      })
    },
    read: async (id: string): Promise<Offer> => (await hub.call('GET', `/offers/${id}`)).json as Offer
  }
}

const reads = (hub: TestHub, externalId: string): number =>
  hub.market.requests.matching({ method: 'GET', path: new RegExp(`/products/${externalId}$`) }).length
const away = { times: Number.POSITIVE_INFINITY, answer: { status: 503 } }

t.test('a link', async t => {
  const place = await openStall(t)
  const { hub, link, read } = place
  t.afterEach(() => {
    hub.market.faults.clear()
  })

  t.test('is refused when the marketplace does not have the offer, and leaves nothing behind', async t => {
    const before = await countRows(hub.database())
    const answer = await link('no-such-offer')

    t.match(problemOf(answer), { status: 404, code: 'LNK_OFFER_NOT_SHOWN', detail: /'no-such-offer'.* 25 minutes/ })
    t.strictSame(pointersOf(answer), ['/externalId'])
    t.strictSame(await countRows(hub.database()), before)
  })

  t.test('is refused in the words of the adapter when the id cannot be that of an offer', async t => {
    const answer = await link('..')

    t.match(problemOf(answer), { status: 400, code: 'LNK_ADAPTER_REJECTED', detail: /cannot be the external id/ })
    t.strictSame(pointersOf(answer), ['/externalId'])
  })

  t.test('takes over the offer as the marketplace shows it, and the stock is written', async t => {
    hub.market.addProduct('shown', { name: 'Mug', price: 1_050, stock: 3, status: 'inactive', frozen: { name: true } })
    const requestId = randomUUID()
    const answer = await link('shown', {}, { 'x-request-id': requestId })

    t.equal(answer.status, 201)
    const offer = answer.json as Offer
    t.match(offer, {
      status: 'INACTIVE',
      upstreamStatus: 'inactive',
      title: 'Mug',
      price: { amount: '10.50' },
      upstreamQuantity: 3,
      frozenFields: ['title'],
      quantity: null
    })
    t.strictSame(offer.problems, hub.market.product('shown')?.buyableProblems)
    await hub.jobsOf(requestId)
    t.equal(hub.market.product('shown')?.stock, 100)
    t.match(await read(offer.id), { quantity: 100 })
  })

  t.test('says that the offer has ended, and nothing is written to it', async t => {
    hub.market.addProduct('ended', { archived: true, stock: 3 })

    t.match([(await link('ended')).status, (await link('ended')).json], [201, { status: 'ENDED' }])
    t.equal(hub.market.requests.matching({ method: 'PATCH', path: /\/products\/ended$/ }).length, 0)
  })

  t.test('is answered without another question when it exists, also while the marketplace is away', async t => {
    hub.market.addProduct('twice')
    const { id } = (await link('twice')).json as Offer
    const before = reads(hub, 'twice')
    hub.market.faults.add({ path: /\/products\/twice$/, ...away })

    const again = await link('twice')
    t.match([again.status, again.json], [200, { id }])
    t.match(problemOf(await link('twice', { variantId: randomUUID() })), { status: 404, code: 'LNK_VARIANT_NOT_FOUND' })
    t.equal(reads(hub, 'twice'), before)
  })

  t.test('is made once when many ask for it while a comparison finds it by its reference', async t => {
    hub.market.addProduct(place.variantId, { stock: 3 })
    const [answers] = await Promise.all([
      Promise.all(Array.from({ length: 8 }, () => link(place.variantId))),
      reconcile(hub, place.market)
    ])

    t.ok(answers.every(({ status }) => status === 200 || status === 201))
    t.equal(new Set(answers.map(({ json }) => (json as Offer).id)).size, 1)
    const { linked } = (await reconcile(hub, place.market)).result as { linked: number }
    t.equal(linked, 0)
  })

  t.test('says that the hub could not look at the offer, until the marketplace is back', async t => {
    hub.market.addProduct('later', { stock: 3 })
    hub.market.faults.add({ path: /\/products\/later$|batch-update$/, ...away })
    const answer = await link('later')
    const { id, problems } = answer.json as Offer

    t.equal(answer.status, 201)
    t.match(problems, [/^the hub could not check the offer at the marketplace: .*503/])
    hub.market.faults.clear()
    t.match(
      await eventually('the look at the offer', async () => {
        const offer = await read(id)
        return offer.problems.some(problem => problem.startsWith('the hub could not check')) ? undefined : offer
      }),
      { status: 'ACTIVE' }
    )
    await eventually('its stock', async () => hub.market.product('later')?.stock === 100 ? true : undefined)
  })

  t.test('that was made without a look ends when the marketplace turns out not to have the offer', async t => {
    hub.market.faults.add({ path: /\/products\/never$|batch-update$/, ...away })
    const { id } = (await link('never')).json as Offer
    hub.market.faults.clear()

    t.match(
      await eventually('its end', async () => {
        const offer = await read(id)
        return offer.status === 'ENDED' ? offer : undefined
      }),
      { problems: ['the marketplace does not know the offer any more'] }
    )
  })

  t.test('is made without a look when the adapter cannot read a single offer', async t => {
    const created = await hub.call('POST', '/connections', {
      body: { name: 'Kiosk', platformType: 'kiosk', config: {} }
    })
    const answer = await link('anything', { connectionId: (created.json as { id: string }).id })

    t.match([answer.status, answer.json], [201, { status: 'ACTIVE', upstreamStatus: null }])
    t.strictSame((answer.json as Offer).problems, [])
  })

  t.test('is made while the adapter is not loaded, and the hub looks later', async t => {
    hub.market.addProduct('during-an-upgrade', { stock: 3 })
    await hub.restart({ config: { adapters: [shopPackage.manifest.name], schedules: withoutSchedules } })
    const answer = await link('during-an-upgrade')
    await hub.restart({
      config: { adapters: [shopPackage.manifest.name, '@linker/adapter-mktb-v1'], schedules: withoutSchedules }
    })

    t.match([answer.status, answer.json], [201, {
      problems: [/^the hub could not check the offer at the marketplace: No adapter 'mktb\.shopapi\.v1'/]
    }])
    await eventually('its stock', async () => hub.market.product('during-an-upgrade')?.stock === 100 ? true : undefined)
    t.strictSame(
      (await eventually('the record of the write', async () => {
        const offer = await read((answer.json as Offer).id)
        return offer.quantity === 100 ? offer : undefined
      })).problems,
      []
    )
  })
})

t.test('a write that died needs nobody once the next quantity is written', async t => {
  const { hub, link, read } = await openStall(t)
  const requestId = randomUUID()
  hub.market.addProduct('mug', { stock: 3 })
  hub.market.faults.add({
    method: 'PATCH',
    path: /mug$|batch-update$/,
    answer: { status: 400, body: { message: 'no' } }
  })
  const { id } = (await link('mug', {}, { 'x-request-id': requestId })).json as Offer
  t.match(await hub.jobsOf(requestId), [{ jobType: 'marketplace.offerQuantity.update', status: 'dead' }])

  await hub.call('PATCH', `/offers/${id}`, { body: { buffer: 1 } })
  await eventually('the next quantity', async () => (await read(id)).quantity === 99 ? true : undefined)
  t.match((await read(id)).problems, { length: 0 })
  t.match(await hub.jobsOf(requestId), [{ status: 'cancelled', cancellation: { by: 'hub' } }])
})

t.test('a write that died says so on its offer at once', async t => {
  const { hub, market, link, read } = await openStall(t)
  const refused = {
    times: Number.POSITIVE_INFINITY,
    answer: { status: 400, body: { failureType: 'failure', message: 'no more today', name: 'ValidationError' } }
  }
  const isWrite = { method: 'PATCH', path: /\/products\/mug$|batch-update$/ }
  hub.market.addProduct('mug', { stock: 3 })
  hub.market.faults.add({ ...isWrite, ...refused })
  const requestId = randomUUID()
  const { id } = (await link('mug', {}, { 'x-request-id': requestId })).json as Offer
  const end = async (answer: Answer) => hub.endOf((answer.json as { jobId: string }).jobId)
  const change = (title: string) =>
    hub.call('POST', `/listings/connections/${market}/offers/${id}/fields`, { body: { title } })

  t.match(await hub.jobsOf(requestId), [{ jobType: 'marketplace.offerQuantity.update', status: 'dead' }])
  t.match((await read(id)).problems, [/^the quantity was not written: .*no more today/])
  await end(await hub.call('POST', `/offers/${id}/refresh`))
  t.match((await read(id)).problems, [/^the quantity was not written: /], 'a reading does not write it')

  await end(await change('Big mug'))
  t.match((await read(id)).problems, [
    /^the quantity was not written: /,
    /^the change was not written: .*no more today/
  ])
  await end(await hub.call('POST', `/listings/connections/${market}/offers/${id}/end`))
  t.match((await read(id)).problems, [/^the quantity/, /^the change/, /^the offer was not ended: /])

  hub.market.faults.clear()
  await end(await change('Mug'))
  t.match((await read(id)).problems, [/^the quantity/, /^the offer was not ended: /])
  await hub.call('PATCH', `/offers/${id}`, { body: { buffer: 1 } })
  await eventually('the next quantity', async () => (await read(id)).quantity === 99 ? true : undefined)
  t.match((await read(id)).problems, [/^the offer was not ended: /])
  await end(await hub.call('POST', `/listings/connections/${market}/offers/${id}/end`))
  t.match(await read(id), { status: 'ENDED', problems: { length: 0 } })
})

t.test('unlinked offers are listed, and linked by their reference unless an operator unlinked them', async t => {
  const { hub, market, variantId, link } = await openStall(t)
  const foreign = ['a', 'b', 'c', 'd', 'e']
  for (const externalId of foreign) {
    hub.market.addProduct(externalId, { name: `Mug ${externalId}`, price: 1_000, stock: 3 })
  }
  hub.market.addProduct(variantId, { stock: 3 })
  const unlinked = async (): Promise<string[]> =>
    ((await hub.call('GET', `/offers/unlinked?connectionId=${market}`)).json as { externalId: string }[]).map(
      ({ externalId }) => externalId
    ).toSorted()
  const offers = async () =>
    (await hub.call('GET', `/offers?connectionId=${market}`)).json as (Offer & { externalId: string })[]

  t.match(await reconcile(hub, market), { status: 'succeeded', result: { linked: 1, unlinked: 5 } })
  t.match(await offers(), [{ externalId: variantId, variantId, quantity: 100 }])
  t.equal(hub.market.product(variantId)?.stock, 100)
  t.ok(hub.log.some(line => line.includes('offers were linked by their reference') && line.includes(market)))

  const pages: { externalId: string }[] = []
  let path: string | undefined = `/offers/unlinked?connectionId=${market}&limit=2`
  while (path !== undefined) {
    const page = await hub.call('GET', path)
    pages.push(...page.json as { externalId: string }[])
    path = /<([^>]+)>; rel="next"/.exec(String(page.headers.link ?? ''))?.[1]
  }
  t.match(
    pages.toSorted((one, other) => one.externalId.localeCompare(other.externalId)),
    foreign.map(externalId => ({
      connectionId: market,
      externalId,
      reference: externalId,
      status: 'ACTIVE',
      title: `Mug ${externalId}`,
      price: { amount: '10.00' },
      quantity: 3
    }))
  )
  t.match(problemOf(await hub.call('GET', '/offers/unlinked?cursor=x')), { status: 400 })

  t.equal((await link('a')).status, 201)
  t.strictSame(await unlinked(), ['b', 'c', 'd', 'e'])
  const [own] = await offers()
  t.equal((await hub.call('DELETE', `/offers/${own?.id}`)).status, 204)
  const [entry] = (await hub.call('GET', `/audit?connectionId=${market}&limit=1`)).json as object[]
  t.match(entry, { action: 'DELETE /offers/:id', objectId: own?.id, objectName: own?.externalId })
  t.match(await reconcile(hub, market), { result: { linked: 0 } })
  t.strictSame(await unlinked(), [variantId, 'b', 'c', 'd', 'e'].toSorted())
  t.equal((await link(variantId)).status, 201)
  t.strictSame(await unlinked(), ['b', 'c', 'd', 'e'])
})
