import { startCarrier } from '@linker/simulators'
import { randomUUID } from 'node:crypto'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { createApi, eventually } from '../support/api.ts'
import { buildTestHub, withoutSchedules, type Job } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import { marketplacePackage, shopPackage, type MarketplaceConfig } from '../support/order-packages.ts'
import { pointersOf, problemOf } from '../support/problem.ts'
import { repository } from '../support/project.ts'

interface Rule {
  sourceDeliveryMethodId: string
  processorKind: string
  processorConnectionId?: string
}
interface Order {
  id: string
  status: string
  problems: string[]
  tracking: { number: string } | null
  history: { event: string, detail: Record<string, unknown> }[]
}

const carrierAdapter = '@acme/adapter-parcelo-v1'

t.test('fulfilment routing', async t => {
  const carrier = await startCarrier({ apiKey: 'parcelo-key' })
  t.teardown(() => carrier.close())
  const hub = await buildTestHub(t, {
    mode: cheapestMode(process.env),
    packages: [shopPackage, marketplacePackage],
    install: directory =>
      symlink(join(repository, 'examples/carrier-adapter'), join(directory, 'node_modules', carrierAdapter)),
    config: {
      adapters: [shopPackage.manifest.name, marketplacePackage.manifest.name, carrierAdapter],
      schedules: withoutSchedules
    }
  })
  async function connect (platformType: string, name: string, more: object = {}): Promise<string> {
    const { json, text, status } = await hub.call('POST', '/connections', {
      body: { name, platformType, config: {}, allowSameAccount: true, ...more }
    })
    if (status !== 201) throw new Error(text)
    return (json as { id: string }).id
  }
  const connectCarrier = (name: string) =>
    connect('parcelo', name, { config: { baseUrl: carrier.baseUrl }, credentials: { apiKey: 'parcelo-key' } })
  const [shop, market, parcelo] = [
    await connect('stall', 'Stall'),
    await connect('bazaar', 'Bazaar'),
    await connectCarrier('Parcelo')
  ]
  const rules = `/connections/${market}/routing-rules`
  const put = (items: unknown[], headers: Record<string, string> = {}) =>
    hub.call('PUT', rules, { body: { items }, headers })
  const courier: Rule = {
    sourceDeliveryMethodId: 'courier',
    processorKind: 'hub_managed_carrier',
    processorConnectionId: parcelo
  }
  const resolve = async (methodId: string) =>
    (await hub.call('GET', `${rules}/resolve?deliveryMethodId=${methodId}`)).json

  await hub
    .endOf(((await hub.call('POST', '/stock/reconcile', { body: { connectionId: shop } })).json as { jobIds: string[] })
      .jobIds[0] ?? '')
  const [variant] = await hub.database().query<{ id: string }>('select id from variants')
  await hub.call('POST', '/offers/link', { body: { connectionId: market, variantId: variant?.id, externalId: 'o0' } })

  /** Has the hub read an order and returns the jobs that followed. */
  const read = async (externalId: string): Promise<Job[]> => hub.jobsOf(await announce(externalId))
  async function announce (externalId: string): Promise<string> {
    const requestId = randomUUID()
    await startRead(externalId, requestId)
    return requestId
  }
  async function startRead (externalId: string, requestId: string = randomUUID()): Promise<string> {
    const { json } = await hub.call('POST', '/jobs', {
      body: { jobType: 'marketplace.order.syncByExternalId', connectionId: market, payload: { externalId } },
      headers: { 'x-request-id': requestId }
    })
    return (json as { jobId: string }).jobId
  }
  async function orderOf (externalId: string): Promise<Order> {
    const orders = (await hub.call('GET', '/orders?limit=200')).json as { id: string, externalId: string }[]
    return (await hub.call('GET', `/orders/${orders.find(order => order.externalId === externalId)?.id}`)).json as Order
  }
  /** Has the hub read an order and waits until the order is in the shop; the carrier is away. */
  async function readToShop (externalId: string): Promise<{ requestId: string, order: Order }> {
    const requestId = await announce(externalId)
    const order = await eventually('the order in the shop', async () => {
      const found = await orderOf(externalId)
      return found.status === 'created' ? found : undefined
    })
    return { requestId, order }
  }
  const configure = (config: { [Name in keyof MarketplaceConfig]: MarketplaceConfig[Name] | null }) =>
    hub.call('PATCH', `/connections/${market}`, { body: { config } })
  const shipmentOf = async ({ id }: Order) => (await hub.call('GET', `/orders/${id}/shipment`)).json
  const routeOf = ({ history }: Order) => history.find(({ event }) => event === 'routed')?.detail

  t.test('a marketplace may route to the shop, to itself and to every active carrier', async t => {
    const away = await connectCarrier('Away')
    await hub.call('PATCH', `/connections/${away}/disable`)
    const candidates = await hub.call('GET', `${rules}/candidates`)
    const methods = await hub.call('GET', `/connections/${market}/delivery-methods`)

    t.match(candidates.json, [
      { processorKind: 'omp_fulfilled', reason: undefined },
      { processorKind: 'source_brokered', reason: /makes no labels/ },
      {
        processorKind: 'hub_managed_carrier',
        processorConnectionId: parcelo,
        displayName: 'Parcelo',
        reason: undefined
      },
      { processorKind: 'hub_managed_carrier', processorConnectionId: away, displayName: 'Away', reason: /is disabled/ }
    ])
    t.match(methods.json, [{ id: 'courier', name: 'Courier' }, { id: 'locker' }])
    t.strictSame(pointersOf(await put([{ ...courier, processorConnectionId: away }])), [
      '/items/0/processorConnectionId'
    ])
  })

  t.test('sets that are put at the same time leave one of them, whole', async t => {
    const sets = Array.from(
      { length: 8 },
      (_, set) =>
        ['a', 'b', 'c', 'd'].map((name, index) => ({
          ...courier,
          sourceDeliveryMethodId: index === 0 ? 'shared' : `${set}${name}`
        }))
    )
    const answers = await Promise.all(sets.map(items => put(items)))
    const left = await hub.call('GET', rules)

    t.strictSame(answers.map(({ status }) => status), sets.map(() => 200))
    t.equal(sets.filter(items => JSON.stringify({ items }) === JSON.stringify(left.json)).length, 1, left.text)
    t.equal(new Set(answers.map(({ headers }) => headers.etag)).size, sets.length)
  })

  t.test('one bad rule refuses the whole set, and each is pointed to', async t => {
    const [before] = [await hub.call('GET', rules), await put([courier])]
    const bad = await put([
      { sourceDeliveryMethodId: 'locker', processorKind: 'source_brokered' },
      { sourceDeliveryMethodId: 'locker', processorKind: 'omp_fulfilled' },
      { sourceDeliveryMethodId: 'm2', processorKind: 'hub_managed_carrier' },
      { sourceDeliveryMethodId: 'm3', processorKind: 'hub_managed_carrier', processorConnectionId: shop },
      { sourceDeliveryMethodId: 'm4', processorKind: 'source_brokered', processorConnectionId: parcelo }
    ])

    t.equal(bad.status, 400)
    t.strictSame(pointersOf(bad), [
      '/items/1/sourceDeliveryMethodId',
      '/items/2/processorConnectionId',
      '/items/3/processorConnectionId',
      '/items/4/processorConnectionId'
    ])
    t.strictSame(pointersOf(await put([courier, { sourceDeliveryMethodId: 'locker', processorKind: 'pigeon' }])), [
      '/items/1/processorKind'
    ])
    t.equal(problemOf(await put([], { 'if-match': String(before.headers.etag) })).status, 412)
    t.strictSame((await hub.call('GET', rules)).json, { items: [courier] })
  })

  t.test('a rule that says what holds without one is not kept', async t => {
    const kept = await put([{ sourceDeliveryMethodId: 'locker', processorKind: 'omp_fulfilled' }, courier])

    t.strictSame(kept.json, { items: [courier] })
    t.match(await resolve('locker'), {
      processorKind: 'omp_fulfilled',
      explanation: /No rule names delivery method 'locker'/
    })
    t.match(await resolve('courier'), {
      processorKind: 'hub_managed_carrier',
      processorConnectionId: parcelo,
      explanation: /names carrier 'Parcelo'$/
    })
  })

  t.test('rules belong to connections that bring orders', async t => {
    t.match(problemOf(await hub.call('GET', `/connections/${randomUUID()}/routing-rules`)), {
      status: 404,
      title: 'ConnectionNotFoundException'
    })
    t.match(problemOf(await hub.call('GET', `/connections/${shop}/routing-rules/candidates`)), {
      status: 500,
      title: 'CapabilityNotSupportedException'
    })
  })

  t.test('an order without a rule is left to the shop', async t => {
    await read('locker-1')
    const order = await orderOf('locker-1')

    t.equal(order.status, 'created')
    t.match(routeOf(order), { processorKind: 'omp_fulfilled' })
    t.equal(problemOf(await hub.call('GET', `/orders/${order.id}/label`)).code, 'LNK_SHIPMENT_NOT_FOUND')
  })

  t.test('an order for a carrier gets a label, and its number reaches the order and the shop', async t => {
    const jobs = await read('courier-1')
    const order = await orderOf('courier-1')
    const label = await hub.call('GET', `/orders/${order.id}/label`)
    const parcel = carrier.parcels().find(({ reference }) => reference === order.id)

    t.match(routeOf(order), { processorKind: 'hub_managed_carrier', processorConnectionId: parcelo })
    t.match(parcel, { service: 'courier', to: { name: 'Ada Nowak', city: 'Warszawa' }, contents: '1 × Mug' })
    t.equal(order.tracking?.number, parcel?.number)
    t.match(await shipmentOf(order), {
      status: 'created',
      connectionId: parcelo,
      tracking: { carrier: 'parcelo', number: parcel?.number }
    })
    t.match(label, {
      status: 200,
      headers: { 'content-type': 'application/pdf', 'content-disposition': /^attachment; filename="label-.*\.pdf"$/ }
    })
    t.match(label.text, new RegExp(`^%PDF.*${parcel?.number}`, 's'))
    t.equal(jobs.filter(({ jobType }) => jobType === 'marketplace.order.addTracking').length, 1)
    t.ok(hub.log.some(line => line.includes('the shop was told') && line.includes(parcel?.number ?? '?')))
  })

  t.test('an answer that was lost leaves one parcel', async t => {
    const before = carrier.parcels().length
    carrier.faults.add({ method: 'POST', times: 3, reset: true, when: 'after' })
    const jobs = await read('courier-2')

    t.equal(jobs.find(({ jobType }) => jobType === 'fulfilment.shipment.create')?.attempts.length, 2)
    t.equal(carrier.parcels().length, before + 1)
    t.match(await shipmentOf(await orderOf('courier-2')), { status: 'created' })
  })

  t.test('a carrier that is disabled keeps its orders waiting, and they say so', async t => {
    await hub.call('PATCH', `/connections/${parcelo}/disable`)
    t.match(await resolve('courier'), { processorKind: 'hub_managed_carrier', problem: /'Parcelo' is disabled/ })
    const { requestId, order: waiting } = await readToShop('courier-3')
    t.match(waiting.problems, [/'Parcelo' is disabled: the label waits/])
    t.match(await shipmentOf(waiting), { status: 'requested' })
    t.equal(problemOf(await hub.call('GET', `/orders/${waiting.id}/label`)).code, 'LNK_LABEL_NOT_FOUND')

    await hub.call('PATCH', `/connections/${parcelo}`, { body: { status: 'active' } })
    await hub.jobsOf(requestId)
    t.match(await shipmentOf(waiting), { status: 'created' })
    t.strictSame((await orderOf('courier-3')).problems, [])
  })

  t.test('a parcel that cannot be made is a problem of its order, until it is made', async t => {
    await configure({ withoutAddress: ['courier-4'] })
    await read('courier-4')
    const order = await orderOf('courier-4')

    t.match(order, { status: 'created', problems: [/no delivery address/], tracking: null })
    t.match(await shipmentOf(order), { status: 'failed', problem: /no delivery address/ })

    await configure({ withoutAddress: null })
    await read('courier-4')
    const again = await hub.call('POST', '/jobs', {
      body: { jobType: 'fulfilment.shipment.create', connectionId: parcelo, payload: { orderId: order.id } }
    })
    await hub.endOf((again.json as { jobId: string }).jobId)
    t.match(await shipmentOf(order), { status: 'created', problem: null })
    t.strictSame((await orderOf('courier-4')).problems, [])
  })

  t.test('a cancelled order calls its parcel back, as long as the carrier can', async t => {
    for (const externalId of ['courier-5', 'courier-6']) await read(externalId)
    const [first, second] = [await orderOf('courier-5'), await orderOf('courier-6')]
    const parcelOf = ({ id }: Order) => carrier.parcels().find(({ reference }) => reference === id)
    carrier.move(parcelOf(second)?.id ?? '', 'moving')
    await configure({ cancelled: ['courier-5'] })
    await read('courier-5')
    const cancelled = await hub.call('POST', `/orders/${second.id}/cancel`)
    await Promise.all((cancelled.json as { jobIds: string[] }).jobIds.map(id => hub.endOf(id)))

    t.equal(parcelOf(first)?.status, 'cancelled')
    t.match(await shipmentOf(first), { status: 'cancelled' })
    t.match((await orderOf('courier-6')).problems, [/refuses to cancel the parcel: .*on its way/])
    t.match(await shipmentOf(second), { status: 'created' })
  })

  t.test('a parcel that the carrier names after its order was cancelled is called back', async t => {
    const order = await orderOf('courier-5')
    const parcel = carrier.parcels().find(({ reference }) => reference === order.id)
    // Simulates a carrier that never answered, and then a second attempt.
    await hub.database().query("update shipments set status = 'failed', external_id = null where order_id = $1", [
      order.id
    ])
    carrier.move(parcel?.id ?? '', 'ready')
    const requestId = randomUUID()
    await hub.call('POST', '/jobs', {
      body: { jobType: 'fulfilment.shipment.create', connectionId: parcelo, payload: { orderId: order.id } },
      headers: { 'x-request-id': requestId }
    })

    t.strictSame((await hub.jobsOf(requestId)).map(({ jobType }) => jobType), [
      'fulfilment.shipment.create',
      'fulfilment.shipment.cancel'
    ])
    t.equal(parcel?.status, 'cancelled')
    t.match(await shipmentOf(order), { status: 'cancelled' })
  })

  t.test('an order that is cancelled, or shipped by others, before its carrier answered leaves no parcel', async t => {
    await hub.call('PATCH', `/connections/${parcelo}/disable`)
    const [unasked, lost, shipped] = [
      await readToShop('courier-7'),
      await readToShop('courier-8'),
      await readToShop('courier-9')
    ]
    await configure({ shipped: ['courier-9'] })
    await hub.endOf(await startRead('courier-9'))
    // Simulates a process that died after it asked the carrier.
    await hub.database().query('update shipments set begun_at = now() where order_id = $1', [lost.order.id])
    const to = { name: 'Ada Nowak', street: 'Prosta 1', postcode: '00-001', city: 'Warszawa', country: 'PL' }
    await createApi(carrier.baseUrl, 'parcelo-key')('POST', '/v1/parcels', {
      body: { reference: lost.order.id, service: 'courier', to, contents: '1 × Mug' }
    })
    const cancelled = await Promise
      .all([unasked, lost].map(({ order }) => hub.call('POST', `/orders/${order.id}/cancel`)))
    await hub.call('PATCH', `/connections/${parcelo}`, { body: { status: 'active' } })
    await Promise
      .all([
        unasked.requestId,
        lost.requestId,
        shipped.requestId,
        ...cancelled.map(({ headers }) => String(headers['x-request-id']))
      ].map(hub.jobsOf))

    t.strictSame(
      carrier.parcels().filter(({ reference }) => [unasked, lost, shipped].some(({ order }) => order.id === reference))
        .map(({ reference, status }) => [reference, status]),
      [[lost.order.id, 'cancelled']]
    )
    t.match(await shipmentOf(unasked.order), { status: 'cancelled', externalId: null })
    t.match(await shipmentOf(shipped.order), { status: 'cancelled', externalId: null })
    t.strictSame((await orderOf('courier-9')).problems, [])
    t.match(await shipmentOf(lost.order), { status: 'cancelled' })
  })

  t.test('a carrier that rules name is not deleted; without rules it is, and its parcels stay', async t => {
    await put([courier])
    await hub.call('PATCH', `/connections/${parcelo}/disable`)
    const named = await hub.call('DELETE', `/connections/${parcelo}?force=true`)
    t.match(problemOf(named), {
      status: 409,
      code: 'LNK_DELETION_REFUSED',
      errors: [{ code: 'carrier-of-rules', message: /'Bazaar'.*PUT \/connections\// }]
    })

    await put([])
    t.match((await hub.call('DELETE', `/connections/${parcelo}?force=true`)).json, { deleted: true })
    t.match(await shipmentOf(await orderOf('courier-5')), { status: 'cancelled' })
    const again = await put([courier])
    t.match(problemOf(again), { status: 400, errors: [{ code: 'carrier' }] })
    t.strictSame(pointersOf(again), ['/items/0/processorConnectionId'])
  })
})
