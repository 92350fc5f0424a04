import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import t from 'tap'
import { eventually } from '../support/api.ts'
import { startHubProcess } from '../support/hub-process.ts'
import { buildTestHub, withoutSchedules } from '../support/hub.ts'
import { openListableVariants } from '../support/listable-variants.ts'
import { cheapestMode } from '../support/modes.ts'
import { pointersOf, problemOf } from '../support/problem.ts'
import { makeProject } from '../support/project.ts'

const imageUrls = ['https://images.example.com/mug.jpg']
const mode = cheapestMode(process.env)

interface Batch {
  id: string
  status: string
  total: number
  succeeded: number
  failed: number
  items: { variantId: string, offerId: string, status: string, problem?: { message: string } }[]
}

t.test('a variant that cannot be listed is refused with what is missing, and nothing is queued', async t => {
  const listable = await openListableVariants(t, { mode, variants: 2 })
  const { hub, market } = listable
  const [variantId = '', other = ''] = listable.variantIds
  const price = { amount: '10.00', currency: 'PLN' }
  const before = await listable.jobCount()

  const withoutImage = await listable.list({
    variantId,
    price,
    overrides: { imageUrls: ['http://images.example.com/1.jpg', 'https://10.0.0.1/1.jpg'] }
  })
  t.equal(withoutImage.status, 400)
  t.match(problemOf(withoutImage), {
    code: 'LNK_OFFER_INVALID',
    detail: 'overrides.imageUrls must be an array of valid URLs'
  })
  t.strictSame(pointersOf(withoutImage), ['/overrides/imageUrls/0', '/overrides/imageUrls/1'])
  const oneBadImage = await listable.list({
    variantId,
    price,
    overrides: { imageUrls: [...imageUrls, 'images.example.com/2.jpg'] }
  })
  t.match(
    problemOf(oneBadImage),
    { status: 400, detail: 'overrides.imageUrls must be an array of valid URLs' },
    'one bad one among good ones is not left out'
  )
  t.strictSame(pointersOf(oneBadImage), ['/overrides/imageUrls/1'])
  const bulk = (body: object) =>
    hub.call('POST', '/listings/bulk-create', { body: { connectionId: market, items: [{ variantId }], ...body } })
  const perProduct = `/listings/connections/${market}/products/${randomUUID()}/offers`
  for (
    const [answer, pointers] of [
      [await listable.list({ variantId, overrides: { imageUrls: imageUrls[0] } }), ['/overrides/imageUrls']],
      [await listable.list({ variantId, overrides: { imageUrls: null } }), ['/overrides/imageUrls']],
      [await listable.list({ variantId, overrides: { imageUrls: [...imageUrls, 7] } }), ['/overrides/imageUrls/1']],
      [await hub.call('POST', perProduct, { body: { overrides: { imageUrls: {} } } }), ['/overrides/imageUrls']],
      [await bulk({ defaults: { overrides: { imageUrls: [null] } } }), ['/defaults/overrides/imageUrls/0']],
      [await bulk({ items: [{ variantId, overrides: { imageUrls: 'a' } }] }), ['/items/0/overrides/imageUrls']]
    ] as const
  ) {
    t.match(
      problemOf(answer),
      { status: 400, code: 'LNK_OFFER_INVALID', detail: 'overrides.imageUrls must be an array of valid URLs' },
      'what is no array of texts has the same message'
    )
    t.strictSame(pointersOf(answer), pointers)
  }
  const noImage = await listable.list({ variantId, price, overrides: { imageUrls: [] } })
  t.strictSame(pointersOf(noImage), ['/overrides/imageUrls'])
  const euro = await listable.list({ variantId, price: { amount: '10.00', currency: 'EUR' }, overrides: { imageUrls } })
  t.strictSame([euro.status, pointersOf(euro)], [400, ['/price/currency']])
  t.equal((await listable.list({ variantId: randomUUID(), price, overrides: { imageUrls } })).status, 404)
  t.equal((await listable.list({ variantId, price, overrides: { imageUrls }, colour: 'red' })).status, 400)
  t.equal((await hub.call('POST', `/listings/connections/${randomUUID()}/offers`, { body: { variantId } })).status, 404)

  const fields = `/listings/connections/${market}/offers`
  t.equal((await hub.call('POST', `${fields}/${randomUUID()}/fields`, { body: { title: 'New' } })).status, 404)
  t.equal(await listable.jobCount(), before)
  t.strictSame((await hub.call('GET', '/offers')).json, [])

  const { offerId } = (await listable.list({ variantId, price, overrides: { imageUrls } })).json as { offerId: string }
  t.equal((await hub.call('POST', `${fields}/${offerId}/fields`, { body: {} })).status, 400)
  t.equal(
    (await hub.call('POST', `${fields}/${offerId}/fields`, { body: { price: { amount: '1.00', currency: 'EUR' } } }))
      .status,
    400
  )
  const again = await listable.list({ variantId, price, overrides: { imageUrls } })
  t.match([again.status, problemOf(again)], [409, { code: 'LNK_OFFER_ALREADY_LISTED', detail: new RegExp(offerId) }])
  t.equal((await listable.list({ variantId: other, price, overrides: { imageUrls } })).status, 202)
})

t.test('the answer names every fault of an offer at once, at its place in the request', async t => {
  const listable = await openListableVariants(t, { mode, variants: 3 })
  const { hub, market } = listable
  const [variantId = '', other = '', third = ''] = listable.variantIds
  const price = { amount: '10.00', currency: 'PLN' }
  const [image = ''] = imageUrls
  const pointersFor = async (body: object): Promise<string[]> =>
    pointersOf(await listable.list({ variantId, ...body })).toSorted()

  t.strictSame(
    await pointersFor({
      overrides: {
        title: 'ab',
        imageUrls: [image, image, 'http://10.0.0.1/1.jpg'],
        dispatchTime: { unit: 'month', period: 13 }
      }
    }),
    ['/overrides/dispatchTime', '/overrides/imageUrls/2', '/overrides/title', '/price'],
    'what the shop has not said, what the hub refuses and what the marketplace would refuse'
  )
  t.strictSame(
    await pointersFor({ price: { amount: '10.00', currency: 'EUR' }, overrides: { imageUrls: ['nowhere'] } }),
    ['/overrides/imageUrls/0', '/price/currency']
  )
  await hub.call('PATCH', `/connections/${market}`, { body: { config: { defaultDispatchTime: null } } })
  t.strictSame(await pointersFor({}), ['/overrides/dispatchTime', '/overrides/imageUrls', '/price'])

  await hub.database().query("update variants set sku = repeat('x', 201) where id = $1", [variantId])
  const dispatchTime = { unit: 'day', period: 1 }
  const ofVariant = await listable.list({ variantId, price, overrides: { imageUrls, dispatchTime } })
  t.match(
    problemOf(ofVariant),
    { errors: [{ pointer: '/variantId', message: /^sku: the text has at most 200/ }] },
    'what the request does not say is the fault of the variant that it names'
  )
  const [product] = (await hub.call('GET', '/products?limit=200')).json as { id: string, variants: { id: string }[] }[]
  const ofProduct = await hub.call('POST', `/listings/connections/${market}/products/${product?.id}/offers`, {
    body: {}
  })
  t.strictSame(pointersOf(ofProduct).filter(pointer => pointer !== '/params/productId').toSorted(), [
    '/overrides/dispatchTime',
    '/overrides/imageUrls',
    '/price'
  ])

  const bulk = await hub.call('POST', '/listings/bulk-create', {
    body: {
      connectionId: market,
      items: [{ variantId, overrides: { title: 'ab' } }, { variantId: other }, {
        variantId: third,
        price,
        overrides: { dispatchTime: { unit: 'hour', period: 30 } }
      }],
      defaults: { price: { amount: '10.00', currency: 'EUR' }, overrides: { imageUrls, dispatchTime } }
    }
  })
  t.strictSame(pointersOf(bulk).toSorted(), [
    '/defaults/price/currency',
    '/items/0/overrides/title',
    '/items/0/variantId',
    '/items/2/overrides/dispatchTime'
  ])
  t.strictSame((await hub.call('GET', '/offers')).json, [])
})

t.test('a batch', async t => {
  const listable = await openListableVariants(t, { mode, variants: 102 })
  const { hub, market } = listable
  const price = { amount: '10.00', currency: 'PLN' }
  const defaults = { price, overrides: { imageUrls } }
  const items = listable.variantIds.slice(0, 101).map(variantId => ({ variantId }))
  const bulk = (body: object, key = randomUUID()) =>
    hub.call('POST', '/listings/bulk-create', {
      body: { connectionId: market, defaults, ...body },
      headers: { 'idempotency-key': key }
    })
  const batch = async (id: string): Promise<Batch> => (await hub.call('GET', `/listings/batches/${id}`)).json as Batch

  t.test('a batch of 101 items, of an unknown variant, or with a variant twice is refused whole', async t => {
    const before = await listable.jobCount()
    t.equal((await bulk({ items })).status, 400)
    const unknown = await bulk({ items: [...items.slice(0, 5), { variantId: randomUUID() }] })
    t.strictSame([unknown.status, pointersOf(unknown)], [400, ['/items/5/variantId']])
    const twice = await bulk({ items: [items[0], items[1], items[0]] })
    t.strictSame([twice.status, pointersOf(twice)], [400, ['/items/2']])
    t.equal(await listable.jobCount(), before)
  })

  t.test('a batch of 100 items ends, fails for one that the marketplace refuses, and is tried again', async t => {
    const bad = listable.variantIds[7] ?? ''
    hub.market.faults.add({
      method: 'POST',
      path: new RegExp(`/products/${bad}$`),
      times: 1,
      answer: { status: 400, body: { failureType: 'failure', message: 'Validation error', name: 'ValidationError' } }
    })
    const key = randomUUID()
    const started = await bulk({ items: items.slice(0, 100) }, key)
    t.equal(started.status, 202)
    const { batchId, jobIds, skipped } = started.json as { batchId: string, jobIds: string[], skipped: unknown[] }
    t.match([jobIds.length, skipped.length], [100, 0])
    t.strictSame(
      (await bulk({ items: items.slice(0, 100) }, key)).json,
      started.json,
      'the same key answers the same batch'
    )

    for (const jobId of jobIds) await hub.endOf(jobId)
    const ended = await batch(batchId)
    t.match(ended, { status: 'failed', total: 100, succeeded: 99, failed: 1 })
    t.match(ended.items.find(item => item.status === 'dead'), {
      variantId: bad,
      problem: { message: /Validation error/ }
    })
    t.match(await listable.offer(ended.items[7]?.offerId ?? ''), { status: 'FAILED', problems: [/Validation error/] })

    const retried = await hub.call('POST', `/listings/batches/${batchId}/retry-failed`)
    for (const jobId of (retried.json as { jobIds: string[] }).jobIds) {
      t.match(await hub.endOf(jobId), { status: 'succeeded' })
    }
    t.match(await batch(batchId), { status: 'succeeded', total: 100, succeeded: 100, failed: 0 })
    t.equal(hub.market.product(bad)?.stock, 12)
  })

  t.test('leaves failed items alone when a client repeats it because the answer was lost', async t => {
    const variantId = listable.variantIds[101] ?? ''
    hub.market.faults.add({
      method: 'POST',
      path: new RegExp(`/products/${variantId}$`),
      times: 2,
      answer: { status: 400, body: { failureType: 'failure', message: 'Validation error', name: 'ValidationError' } }
    })
    const loseAnswer = (key: string) =>
      hub.database().query(
        'update idempotency_keys set answer_status = null, answer_headers = null, answer_body = null, lease_until = ' +
          "now() - interval '1 second' where key = $1",
        [key]
      )
    const key = randomUUID()
    const { batchId, jobIds: [jobId = ''] } = (await bulk({ items: [{ variantId }] }, key)).json as {
      batchId: string,
      jobIds: string[]
    }
    await hub.endOf(jobId)
    await loseAnswer(key)
    t.match((await bulk({ items: [{ variantId }] }, key)).json, { batchId, jobIds: [jobId] })
    const { items: [item] } = await batch(batchId)
    t.match(await listable.offer(item?.offerId ?? ''), { status: 'FAILED' })

    const retry = () =>
      hub.call('POST', `/listings/batches/${batchId}/retry-failed`, { headers: { 'idempotency-key': key } })
    const { jobIds: [nextId = ''] } = (await retry()).json as { jobIds: string[] }
    t.match(await hub.endOf(nextId), { status: 'dead' })
    await loseAnswer(key)
    t.match((await retry()).json, { jobIds: [nextId] })
    t.match(await listable.offer(item?.offerId ?? ''), { status: 'FAILED' })
    t.equal((await hub.call('POST', `/listings/batches/${batchId}/retry-failed`)).status, 202)
  })

  t.test('leaves out variants that are listed already', async t => {
    const started = await bulk({ items: items.slice(99) })
    t.match(started.json, { jobIds: [/./], skipped: [{ item: items[99], reason: /listed/ }] })
  })
})

t.test(
  'reading what a marketplace shows survives an offer that it describes in an unknown form, and ends one that ' +
    'is gone',
  async t => {
    const listable = await openListableVariants(t, { mode, variants: 3 })
    const { hub } = listable
    const offerIds: string[] = []
    for (const variantId of listable.variantIds) {
      const { json } = await listable.list({
        variantId,
        price: { amount: '10.00', currency: 'PLN' },
        overrides: { imageUrls }
      })
      const { offerId, jobId } = json as { offerId: string, jobId: string }
      await hub.endOf(jobId)
      offerIds.push(offerId)
    }
    const [poisoned = '', gone = ''] = listable.variantIds
    const [, , healthy = ''] = listable.variantIds
    hub.market.faults.add({
      method: 'POST',
      path: /_search$/,
      answer: { status: 200, body: [{ externalId: poisoned, price: 'ten' }, { externalId: healthy, status: 'active' }] }
    })
    for (
      const [externalId, answer] of [[poisoned, { status: 200, body: { externalId: poisoned, price: 'ten' } }], [gone, {
        status: 404
      }]] as const
    ) {
      hub.market.faults.add({ method: 'GET', path: new RegExp(`/products/${externalId}$`), answer })
    }
    await listable.age(26)
    await listable.sync()

    const offers = await Promise.all(offerIds.map(id => listable.offer(id)))
    t.match(offers.map(({ status }) => status), ['DRAFT', 'FAILED', 'ACTIVE'])
    t.match(offers[1]?.problems, [/never showed it/])
  }
)

t.test('a change of the shop reaches the catalog and no offer', async t => {
  const hub = await buildTestHub(t, { mode })
  const [shop, market] = [
    await hub.connect('shopa', { config: { prices: { country: 'PL', currency: 'PLN' } } }),
    await hub.connect('mktb', { config: { defaultDispatchTime: { unit: 'day', period: 2 }, defaultTaxRate: 'TAX_23' } })
  ]
  const save = async (): Promise<void> => {
    const requestId = randomUUID()
    await hub.deliver(shop, { eventType: 'product.saved', objectType: 'product', externalId: '27', requestId })
    await hub.jobsOf(requestId)
  }
  const read = async () =>
    ((await hub.call('GET', `/products?connectionId=${shop}`)).json as {
      id: string,
      name: string,
      description: string | null,
      variants: { id: string, price: { amount: string } }[]
    }[])[0]
  await save()
  await hub.deliver(shop, {
    eventType: 'stock.changed',
    objectType: 'stock',
    externalId: '27',
    requestId: 'stock-of-the-product'
  })
  await hub.jobsOf('stock-of-the-product')
  const before = await read()
  const listed = await hub.call('POST', `/listings/connections/${market}/products/${before?.id}/offers`, {
    body: { price: { amount: '30.00', currency: 'PLN' }, overrides: { imageUrls } }
  })
  t.equal(listed.status, 202)
  const creations = listed.json as { jobId: string }[]
  t.equal(creations.length, before?.variants.length)
  for (const { jobId } of creations) t.match(await hub.endOf(jobId), { status: 'succeeded' })

  const writes = hub.market.requests.matching({ method: 'PATCH' }).length
  hub.shop.updateProduct(27, { price: '99.000000', name: 'Another name', description: '<p>Another text</p>' })
  await save()

  const after = await read()
  t.match(after, { name: 'Another name', description: /Another text/ })
  t.not(after?.variants[0]?.price.amount, before?.variants[0]?.price.amount)
  t.equal(hub.market.requests.matching({ method: 'PATCH' }).length, writes)
})

t.test('commands on one offer are done in the order in which they came', async t => {
  const listable = await openListableVariants(t, { mode, variants: 1 })
  const { hub } = listable
  const [variantId = ''] = listable.variantIds
  hub.market.setLatency({ minMs: 5, maxMs: 30 })
  const created = await listable.list({
    variantId,
    price: { amount: '1.00', currency: 'PLN' },
    overrides: { imageUrls }
  })
  const titles = Array.from({ length: 8 }, (_, index) => `Title number ${index}`)
  const jobIds: string[] = []
  for (const title of titles) {
    jobIds
      .push(((await hub.call('POST', `/listings/connections/${listable.market}/offers/${variantId}/fields`, {
        body: { title }
      })).json as { jobId: string }).jobId)
  }

  t.match(await hub.endOf((created.json as { jobId: string }).jobId), { status: 'succeeded' })
  for (const jobId of jobIds) t.match(await hub.endOf(jobId), { status: 'succeeded', result: { applied: ['title'] } })
  t.strictSame(listable.writes(variantId), titles.map(name => ({ name })))
  t.equal(hub.market.overlappingWrites().size, 0)
})

t.test('pages of offers keep their order while offers are added', async t => {
  const listable = await openListableVariants(t, { mode, variants: 1 })
  const { hub, market } = listable
  const [variantId] = listable.variantIds
  const link = async (number: number) => {
    hub.market.addProduct(`linked-${number}`)
    await hub.call('POST', '/offers/link', {
      body: { connectionId: market, variantId, externalId: `linked-${number}` }
    })
  }
  for (let number = 0; number < 60; number += 1) await link(number)

  const seen: string[] = []
  let path: string | undefined = `/offers?connectionId=${market}&limit=7`
  for (let added = 60; path !== undefined; added += 1) {
    const page = await hub.call('GET', path)
    seen.push(...(page.json as { externalId: string }[]).map(({ externalId }) => externalId))
    path = /<([^>]+)>; rel="next"/.exec(String(page.headers.link ?? ''))?.[1]
    if (added < 65) await link(added)
  }
  t.strictSame(seen, Array.from({ length: 65 }, (_, number) => `linked-${number}`))
})

t.test('a batch whose hub is killed in the middle comes to its end', async t => {
  const listable = await openListableVariants(t, { mode, variants: 40 })
  const { hub, market } = listable
  hub.market.setLatency({ minMs: 20, maxMs: 40 })
  await hub.stop()
  const project = await makeProject({
    adapters: ['@linker/adapter-mktb-v1'],
    outbound: { allow: ['127.0.0.1/32'] },
    platforms: { mktb: { production: { baseUrl: hub.market.baseUrl } } },
    schedules: withoutSchedules
  })
  t.teardown(() => project.remove())
  const variables = {
    ...hub.variables,
    ...(mode === 'embedded' ? { LINKER_DATA_DIR: join(hub.directory, 'state') } : {}),
    LOG_LEVEL: 'warn'
  }
  const posted = () => hub.market.requests.matching({ method: 'POST', path: /\/products\// }).length
  const first = await startHubProcess(project.directory, variables)
  const items = listable.variantIds.map(variantId => ({
    variantId,
    price: { amount: '10.00', currency: 'PLN' },
    overrides: { imageUrls }
  }))
  const started = await hub.at(first.url)('POST', '/listings/bulk-create', { body: { connectionId: market, items } })
  t.equal(started.status, 202, started.text)
  const { batchId } = started.json as { batchId: string }
  await eventually('the first offers at the marketplace', async () => posted() >= 10 ? true : undefined)
  await first.kill()
  t.ok(posted() < 40)

  const second = await startHubProcess(project.directory, variables)
  t.teardown(() => second.kill())
  const ended = await eventually('the end of the batch', async () => {
    const batch = (await hub.at(second.url)('GET', `/listings/batches/${batchId}`)).json as Batch
    return batch.status === 'running' ? undefined : batch
  })
  t.match(ended, { status: 'succeeded', total: 40, succeeded: 40, failed: 0 })
  t.strictSame(
    [...hub.market.quantities()].toSorted(),
    listable.variantIds.map((id, index) => [id, 5 + index]).toSorted()
  )
})
