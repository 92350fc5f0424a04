import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { Connections } from '../../../src/connections/connections.ts'
import { getReconcilable, startReconcile } from '../../../src/offers/reconcile/reconcile.ts'
import type { ReconcileBody } from '../../../src/offers/reconcile/schemas.ts'
import { createServices } from '../../handlers/fake-adapter.ts'
import { cheapestKind, openJobsFor } from '../../jobs/support.ts'

const sweep = 'master.inventory.syncAll'
const comparison = 'marketplace.offers.sync'

t.test('a reconciliation', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { database } = jobs
  const { query } = database

  /** Opens connections with these capabilities. */
  async function open (...capabilities: (readonly string[])[]) {
    const ids: string[] = []
    for (const names of capabilities) {
      const id = await jobs.addConnection()
      await query('update connections set capabilities = $2 where id = $1', [id, JSON.stringify(names)])
      ids.push(id)
    }
    const abilitiesOf = (id: string) =>
      Object.fromEntries((capabilities[ids.indexOf(id)] ?? []).map(name => [name, {}]))
    const { connections, enqueueJobs } = createServices(jobs, abilitiesOf)
    const start = (body: ReconcileBody, operationId: string = randomUUID()) =>
      startReconcile({ database, connections, enqueueJobs }, body, { operationId, requestId: 'request' })
    const started = async () =>
      (await query<
        { type: string, id: string }
      >('select job_type as type, connection_id as id from jobs')).map(({ type, id }) => [type, ids.indexOf(id)])
        .toSorted()
    return { ids, connections, start, started }
  }
  const accepting = async () =>
    (await query<{ id: string }>('select connection_id as id from inventory_sweeps where accept_missing'))
      .map(({ id }) => id)

  t.test('sweeps each master and compares each marketplace that is active', async t => {
    const { ids, start, started } = await open(
      ['InventoryMaster', 'OfferManager'],
      ['Marketplace'],
      ['OrderSource'],
      ['InventoryMaster']
    )
    await jobs.setStatus(ids[3] ?? '', 'disabled')
    const operationId = randomUUID()
    const jobIds = await start({}, operationId)

    t.equal(new Set(jobIds).size, 3)
    t.strictSame(await started(), [[comparison, 0], [comparison, 1], [sweep, 0]].toSorted())
    t.strictSame((await start({}, operationId)).toSorted(), jobIds.toSorted(), 'a repeated request starts nothing')
    t.equal((await started()).length, 3)
    t.strictSame(await accepting(), [])
  })

  t.test('of one connection lets its next sweep accept missing variants, and compares its offers', async t => {
    const { ids: [master = '', market = ''], start, started } = await open(
      ['InventoryMaster', 'OfferManager'],
      ['Marketplace']
    )
    await start({ connectionId: market })
    t.strictSame(await started(), [[comparison, 1]])

    await start({ connectionId: master, acceptMissing: true })
    t.strictSame(await accepting(), [master])
    t.strictSame(await started(), [[comparison, 0], [comparison, 1], [sweep, 0]].toSorted())
  })

  t.test('is refused when it could not do what it was asked', async t => {
    const { ids: [market = '', other = ''], start, started } = await open(['Marketplace'], ['OrderSource'])
    for (const body of [{ acceptMissing: true }, { dryRun: true }]) {
      await t.rejects(start(body), { code: 'LNK_REQUEST_INVALID', errors: [{ pointer: '/connectionId' }] })
    }
    for (const body of [{ connectionId: other }, { connectionId: market, acceptMissing: true }]) {
      await t.rejects(start(body), { code: 'LNK_CAPABILITY_NOT_SUPPORTED' })
    }
    t.strictSame([await started(), await accepting()], [[], []])
  })

  t.test('needs a capability that can be compared', async t => {
    const { ids: [market = '', other = ''], connections } = await open(['OfferManager'], ['ProductMaster'])
    const get = (id: string, given: Pick<Connections, 'getEnabled'> = connections) => getReconcilable(given, id)

    t.match(await get(market), { id: market })
    await t.rejects(get(other), { code: 'LNK_CAPABILITY_NOT_SUPPORTED', message: /InventoryMaster or OfferManager/ })
  })
})
