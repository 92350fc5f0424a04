import t from 'tap'
import { eventually } from '../support/api.ts'
import { buildTestHub, withoutSchedules } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import { shopPackage } from '../support/order-packages.ts'

const offers = ['a', 'b', 'c', 'd', 'e', 'f']

t.test('refusals inside a batch leave a connection alone that got other credentials meanwhile', async t => {
  const hub = await buildTestHub(t, {
    mode: cheapestMode(process.env),
    packages: [shopPackage],
    config: { adapters: [shopPackage.manifest.name, '@linker/adapter-mktb-v1'], schedules: withoutSchedules }
  })
  const { market } = hub
  const created = await hub.call('POST', '/connections', { body: { name: 'Stall', platformType: 'stall', config: {} } })
  const swept = await hub.call('POST', '/stock/reconcile', {
    body: { connectionId: (created.json as { id: string }).id }
  })
  await hub.endOf((swept.json as { jobIds: string[] }).jobIds[0] ?? '')
  const [variant] = await hub.database().query<{ id: string }>('select id from variants')
  const connectionId = await hub.connect('mktb')
  const ids = await Promise.all(offers.map(async externalId => {
    market.addProduct(externalId)
    const linked = await hub.call('POST', '/offers/link', {
      body: { connectionId, variantId: variant?.id, externalId }
    })
    return (linked.json as { id: string }).id
  }))
  const areAll = (stock: number) => async () =>
    offers.every(offer => market.product(offer)?.stock === stock) ? true : undefined
  await eventually('the first quantities', areAll(100))

  const [alone, refused] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const isSent = (path: RegExp) => async () =>
    market.requests.matching({ method: 'PATCH', path }).some(({ status }) => status === undefined) ? true : undefined
  const lower = (id: string | undefined) => hub.call('PATCH', `/offers/${id}`, { body: { buffer: 1 } })
  market.faults.add({ method: 'PATCH', path: /\/products\/a$/, until: alone.promise })
  market.faults.add({
    path: /batch-update$/,
    until: refused.promise,
    answer: { status: 200, body: offers.map(externalId => ({ externalId, status: 401 })) }
  })
  await lower(ids[0])
  await eventually('a write that holds up the others', isSent(/\/products\/a$/))
  await Promise.all(ids.slice(1).map(lower))
  await eventually('the jobs of the others', async () => {
    const [row] = await hub.database().query<
      { count: number }
    >("select count(*)::integer as count from jobs where state = 'running'")
    return row?.count === offers.length ? true : undefined
  })
  alone.resolve()
  await eventually('the batch of the others', isSent(/batch-update$/))
  await hub.call('PUT', `/connections/${connectionId}/credentials?test=false`, {
    body: { credentials: hub.keys.market }
  })
  refused.resolve()

  await eventually('the quantities, or an error', async () => {
    const { json } = await hub.call('GET', `/connections/${connectionId}`)
    return (json as { status: string }).status === 'error' ? true : areAll(99)()
  })
  t.match((await hub.call('GET', `/connections/${connectionId}`)).json, { status: 'active', statusReason: null })
  t.strictSame(offers.map(offer => market.product(offer)?.stock), offers.map(() => 99))
})
