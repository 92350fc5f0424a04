import { randomUUID } from 'node:crypto'
import t from 'tap'
import {
  findBatch,
  listOffersOf,
  lockItems,
  readOffered,
  readVariants,
  reviveItems,
  storeBatch,
  storeDrafts
} from '../../../src/offers/listing/store.ts'
import { cheapestKind, openJobsFor } from '../../jobs/support.ts'
import { longAgo, openMarket } from '../market.ts'

const price = { amount: '10.00', currency: 'PLN' }
const now = new Date()

t.test('what a listing reads and stores', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database
  t.afterEach(() => query('delete from offer_batches'))

  t.test('a variant has siblings while the master has more than one of its product', async t => {
    const { variantId, variantIdOf } = await openMarket(jobs, ['v', 'w'])
    const unknown = randomUUID()
    const read = () => readVariants(query, unknown, [variantId, variantIdOf('w'), unknown])
    await query('update stock set reserved = 2 where variant_id = $1', [variantId])
    await query('delete from stock where variant_id = $1', [variantIdOf('w')])

    const both = (await read()).toSorted((a, b) => Number(b.stock) - Number(a.stock))
    t.strictSame(both.map(row => [row.variantId, row.hasSiblings, row.stock, row.reserved]), [
      [variantId, true, 5, 2],
      [variantIdOf('w'), true, null, null]
    ])
    await query('update variants set missing_at = now() where id = $1', [variantIdOf('w')])
    t.strictSame((await read()).map(row => [row.variantId, row.hasSiblings]), [[variantId, false]])
  })

  t.test('an ended or failed offer does not keep its variant from being listed', async t => {
    const { market, shop, variantId, variantIdOf, addOffer } = await openMarket(jobs, ['v', 'w'])
    await addOffer({ status: 'ENDED' })
    await addOffer({ status: 'FAILED', external_id: 'offer-2' })
    await addOffer({ status: 'INACTIVE', external_id: 'offer-3', variant_id: variantIdOf('w') })

    t.strictSame([...await readOffered(query, market, [variantId, variantIdOf('w')])], [variantIdOf('w')])
    t.strictSame([...await readOffered(query, shop, [variantId, variantIdOf('w')])], [])
  })

  t.test('a draft revives an offer that is over, as if the offer was never there', async t => {
    const { market, variantId, variantIdOf, addOffer, offer } = await openMarket(jobs, ['v', 'w'])
    const jobId = randomUUID()
    const draftOf = (externalId: string, more: object = {}) => ({
      id: randomUUID(),
      variantId,
      externalId,
      title: 'Mug',
      price,
      jobId,
      ...more
    })
    const before = {
      status: 'ENDED',
      upstream_status: 'closed',
      quantity: 3,
      stock_version: 1,
      sent_link_version: 1,
      upstream_quantity: 3,
      frozen_fields: ['stock'],
      problems: [{ code: 'not-ended', detail: 'away' }],
      created_upstream_at: longAgo,
      last_synced_at: longAgo,
      written_at: longAgo,
      seen_at: longAgo
    }
    const ended = await addOffer({ ...before, external_id: 'ended' })
    await addOffer({ ...before, external_id: 'on sale', status: 'ACTIVE' })
    await addOffer({ ...before, external_id: 'of another variant', variant_id: variantIdOf('w') })
    await addOffer({ ...before, external_id: 'repeated', create_job_id: jobId })

    const over = ['on sale', 'of another variant', 'repeated']
    t.strictSame([...(await storeDrafts(query, market, over.map(name => draftOf(name)), now)).keys()], [])
    t.strictSame(await storeDrafts(query, market, [draftOf('ended')], now), new Map([[variantId, ended]]))
    const cleared = Object.keys(before).filter(name => name.endsWith('_at') || name.includes('quantity'))
    t.match(await offer(ended), {
      status: 'DRAFT',
      title: 'Mug',
      price,
      create_job_id: jobId,
      upstream_status: null,
      stock_version: null,
      sent_link_version: null,
      ...Object.fromEntries(cleared.map(name => [name, null]))
    })
    t.strictSame([(await offer(ended))?.problems, (await offer(ended))?.frozen_fields], [[], []])

    const fresh = draftOf('fresh')
    t.strictSame(await storeDrafts(query, market, [fresh], now), new Map([[variantId, fresh.id]]))
  })

  t.test('the offers of a variant come with those on sale first, the newest of them before the others', async t => {
    const { market, variantId, addOffer } = await openMarket(jobs)
    const later = '2025-02-01T00:00:00.000Z'
    await addOffer({ external_id: 'old' })
    await addOffer({ external_id: 'failed', status: 'FAILED', created_at: later })
    await addOffer({ external_id: 'new', created_at: later })

    const listed = await listOffersOf(query, market, [variantId])
    const names = await Promise
      .all(listed.map(async ({ id }) =>
        (await query<{ name: string }>('select external_id as name from offers where id = $1', [id]))[0]?.name
      ))
    t.strictSame(names, ['new', 'old', 'failed'])
  })

  t.test('a batch is stored once, with its items in the order of the request', async t => {
    const { market, variantId } = await openMarket(jobs)
    const id = randomUUID()
    const itemAt = (position: number) => ({
      position,
      item: { productId: randomUUID() },
      variantId,
      offerId: randomUUID(),
      jobId: randomUUID()
    })
    const items = [itemAt(0), itemAt(1), itemAt(10)]
    await storeBatch(query, { id, connectionId: market, items: items.toReversed() })
    await storeBatch(query, { id, connectionId: market, items: [itemAt(0)] })

    t.strictSame((await findBatch(query, id))?.items, items)
    t.equal(await findBatch(query, randomUUID()), undefined)
  })

  t.test('only failed items are told as failed, and only failed offers become drafts again', async t => {
    const { market, variantId, addOffer, offer, problems } = await openMarket(jobs)
    const batchId = randomUUID()
    const made = await jobs.enqueueJobs(['dead', 'succeeded', 'queued'].map(name => ({
      jobType: 'command.create',
      connectionId: market,
      payload: { object: name },
      idempotencyKey: randomUUID()
    })))
    const over = 'update jobs set state = null, outcome = $2, finished_at = now() where id = $1'
    for (const [position, outcome] of ['dead', 'succeeded'].entries()) {
      await query(over, [made[position]?.id, outcome])
    }
    const problem = [{ code: 'not-created', detail: 'refused' }]
    const failed = await addOffer({ status: 'FAILED', problems: problem })
    const active = await addOffer({ external_id: 'active', problems: problem })
    const offerIds = [failed, active, active]
    const items = made.map(({ id }, position) => {
      return { position, item: { variantId }, variantId, offerId: offerIds[position] ?? '', jobId: id }
    })
    const unknownJob = { position: 3, item: { variantId }, variantId, offerId: active, jobId: randomUUID() }
    await storeBatch(query, { id: batchId, connectionId: market, items: [...items, unknownJob] })

    t.strictSame(
      (await lockItems(query, batchId)).map(({ position, isFailed, payload }) => [position, isFailed, payload]),
      [[0, true, { object: 'dead' }], [1, false, { object: 'succeeded' }], [2, false, { object: 'queued' }]]
    )
    const next = randomUUID()
    const revive = () =>
      reviveItems(query, batchId, [
        { position: 0, offerId: failed, jobId: next },
        { position: 1, offerId: active, jobId: next }
      ])
    await revive()
    t.match([await offer(failed), await offer(active)], [
      { status: 'DRAFT', create_job_id: next },
      { status: 'ACTIVE', create_job_id: null }
    ])
    t.strictSame([await problems(failed), await problems(active)], [[], problem])
    t.strictSame(
      (await findBatch(query, batchId))?.items.map(({ jobId }) => jobId === next),
      [
        true,
        true,
        false,
        false
      ]
    )

    await query("update offers set status = 'FAILED' where id = $1", [failed])
    await revive()
    t.match(await offer(failed), { status: 'FAILED' }, 'the job of this try has died already')
  })
})
