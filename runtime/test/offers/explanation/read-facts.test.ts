import { randomUUID } from 'node:crypto'
import t from 'tap'
import { exclusionKeyOf, jobIdOf } from '../../../src/jobs/identity.ts'
import type { LinkedFacts } from '../../../src/offers/explanation/facts.ts'
import { readFacts, type FactSources } from '../../../src/offers/explanation/read-facts.ts'
import { quantityKey } from '../../../src/offers/quantity-jobs.ts'
import { releaseOffer } from '../../../src/offers/unlinked/store.ts'
import { syncStock } from '../../../src/stock/jobs.ts'
import { propagationKey } from '../../../src/stock/record-stock.ts'
import { fakeAdapter } from '../../connections/support.ts'
import { cheapestKind, openJobsFor } from '../../jobs/support.ts'
import { openMarket } from '../market.ts'
import { jobOf, orderOf } from './facts.ts'

const nobody = randomUUID()

t.test('the facts of an offer', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database
  const asked: string[][] = []
  const adapter = fakeAdapter()
  const sources: FactSources = {
    query,
    registry: { find: () => adapter, explain: () => 'No adapter is installed' },
    jobs: {
      async find (ids) {
        asked.push([...ids])
        return new Map(ids.map(id => [id, jobOf({ id })]))
      }
    },
    reservationsOf: async () => ({ orders: [orderOf()], count: 1, pieces: 2 }),
    lastEventOf: async () => ({ at: '2026-01-31T11:00:00.000Z', event: 'stock.changed' }),
    stockJobTypesOf: () => ['stall.inventory.syncByExternalId'],
    sweepEveryMsOf: async () => 900_000
  }
  const read = async (id: string, more: Partial<FactSources> = {}): Promise<LinkedFacts> => {
    const facts = await readFacts({ ...sources, ...more }, id)
    if (facts.kind !== 'linked') throw new Error('the offer is not linked')
    return facts
  }

  t.test('are those of its row, its variant, its stock and both connections', async t => {
    const market = await openMarket(jobs)
    const offerId = await market.addOffer({ stock_version: 1, sent_link_version: 0, quantity: 5, buffer: 1 })
    await query("update variants set sku = 'SKU-1', ean = '590' where id = $1", [market.variantId])
    await query("update products set name = 'Mug' where connection_id = $1", [market.shop])
    await query('update stock set reserved = 2 where variant_id = $1', [market.variantId])
    const facts = await read(offerId)

    t.match(facts, {
      offer: {
        id: offerId,
        externalId: 'offer-1',
        status: 'ACTIVE',
        quantity: 5,
        stockVersion: 1,
        buffer: 1,
        maxListed: null
      },
      variant: {
        id: market.variantId,
        name: 'Mug',
        sku: 'SKU-1',
        ean: '590',
        missingSince: null,
        productExternalId: 'p'
      },
      connection: { id: market.market, name: 'test', status: 'active', adapterProblem: null, pause: null },
      visibleAfterMs: 25 * 60_000,
      shop: {
        id: market.shop,
        connection: { id: market.shop },
        lastSweep: null,
        lastCompleteSweep: null,
        sweepEveryMs: 900_000,
        lastEvent: { event: 'stock.changed' }
      },
      stock: { quantity: 5, reserved: 2, version: 1 },
      reservations: { orders: [{ externalId: '8812' }], pieces: 2 }
    })
    for (const time of [facts.checkedAt, facts.stock?.readAt, facts.variant.createdAt]) {
      t.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    }
  })

  t.test('name the jobs that wrote it, that write it, and that read its product', async t => {
    const market = await openMarket(jobs)
    const offerId = await market.addOffer({ stock_version: 1, sent_link_version: 0, link_version: 1, quantity: 5 })
    const of = { id: offerId, connectionId: market.market, version: 1 }
    const wantedId = jobIdOf(quantityKey({ ...of, linkVersion: 1 }))
    const writtenId = jobIdOf(quantityKey({ ...of, linkVersion: 0 }))
    const reading = {
      jobType: 'stall.inventory.syncByExternalId',
      connectionId: market.shop,
      payload: { externalId: 'p' },
      idempotencyKey: randomUUID()
    }
    const readingId = jobIdOf(reading.idempotencyKey)
    await query(
      `insert into jobs (id, job_type, lane, connection_id, object_key, idempotency_key, payload, outcome, finished_at)
       values ($1, $2, 'state', $3, $4, $5, '{}', 'succeeded', now())`,
      [readingId, reading.jobType, market.shop, exclusionKeyOf(syncStock, reading), reading.idempotencyKey]
    )
    asked.length = 0

    t.match(await read(offerId), {
      writeJob: { id: wantedId },
      writtenJobId: writtenId,
      readingJob: { id: readingId }
    })
    t.equal(asked.length, 1, 'one question for all jobs')
    const propagationId = jobIdOf(propagationKey(market.variantId, 1))
    const only = (job: Parameters<typeof jobOf>[0]): Partial<FactSources> => ({
      jobs: { find: async () => new Map([[propagationId, jobOf({ ...job, id: propagationId })]]) }
    })
    t.match(await read(offerId, only({ status: 'waiting' })), { writeJob: { id: propagationId }, writtenJobId: null })
    t.match(await read(offerId, only({})), { writeJob: null }, 'a propagation that has ended leads to no write')
  })

  t.test('name the job that creates the offer, and that wrote it when nothing was written since', async t => {
    const market = await openMarket(jobs)
    const [createJobId, createdAt] = [randomUUID(), '2026-01-31T10:00:00.000Z']
    const draft = await market.addOffer({ status: 'DRAFT', create_job_id: createJobId })
    const made = await market.addOffer({
      external_id: 'offer-2',
      create_job_id: createJobId,
      created_upstream_at: createdAt,
      last_synced_at: createdAt
    })

    t.match(await read(draft), { writeJob: { id: createJobId } })
    t.match(await read(made), { writtenJobId: createJobId })
  })

  t.test('say what stops a connection, and that a shop is deleted', async t => {
    const market = await openMarket(jobs)
    const offerId = await market.addOffer()
    const pause = (connectionId: string, capability: string) =>
      query(
        `insert into connection_pauses (connection_id, capability, reason, since, paused_by)
         values ($1, $2, 'recount', now(), '{"kind":"token","name":"ada","tokenId":null}')`,
        [connectionId, capability]
      )
    await pause(market.market, 'OrderSource')
    await pause(market.shop, 'InventoryMaster')
    t.match(await read(offerId), {
      connection: { pause: null },
      shop: { connection: { pause: { capability: 'InventoryMaster', by: { name: 'ada' } } } }
    })
    await pause(market.market, 'OfferManager')
    await pause(market.market, '')
    await query('delete from stock where variant_id = $1', [market.variantId])
    await query('update connections set deleted_at = now() where id = $1', [market.shop])

    t.match(await read(offerId, { registry: { find: () => undefined, explain: () => 'No adapter is installed' } }), {
      connection: { adapterProblem: 'No adapter is installed', pause: { capability: null } },
      shop: { connection: null, deletedAt: /Z$/, sweepEveryMs: null },
      stock: null,
      reservations: { count: 0 },
      readingJob: null
    })
  })

  t.test('of an unlinked offer are what the marketplace showed; an unknown id is refused', async t => {
    const market = await openMarket(jobs)
    const offerId = await market.addOffer({ upstream_quantity: 7 })
    await releaseOffer(query, offerId)
    const [{ id = '' } = {}] = await query<{ id: string }>('select id from unlinked_offers where connection_id = $1', [
      market.market
    ])

    t.match(await readFacts(sources, id), {
      kind: 'unlinked',
      offer: { id, externalId: 'offer-1', status: 'ACTIVE', quantity: 7, releasedAt: /Z$/ },
      connection: { id: market.market, name: 'test' }
    })
    await market.addOffer()
    for (const unknown of [offerId, nobody, id]) {
      await t.rejects(readFacts(sources, unknown), { code: 'LNK_OFFER_NOT_FOUND' })
    }
  })
})
