import type { FieldError } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { enterScene, type ChangedObject, type Scene } from '../../../src/audit/actor.ts'
import { productIdOf } from '../../../src/catalog/identity.ts'
import { createOfferChecks } from '../../../src/offers/check-offers.ts'
import { createBatch, describeBatch, retryFailed } from '../../../src/offers/listing/batches.ts'
import { createListings } from '../../../src/offers/listing/listings.ts'
import type { BulkItem, Listing } from '../../../src/offers/listing/schemas.ts'
import { createServices } from '../../handlers/fake-adapter.ts'
import { cheapestKind, openJobsFor } from '../../jobs/support.ts'
import { openMarket } from '../market.ts'

const price = { amount: '10.00', currency: 'PLN' }

t.test('batches of offers', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { database } = jobs
  const { query } = database
  t.afterEach(() => query('delete from offer_batches'))

  async function open () {
    const market = await openMarket(jobs, ['v', 'w', 'x'])
    const found: FieldError[] = []
    const { connections, adapters, enqueueJobs } = createServices(jobs, () => ({
      OfferManager: { checkNewOffers: (offers: readonly unknown[]) => offers.map(() => found) }
    }))
    const checks = createOfferChecks(adapters)
    const listings = createListings({ database, connections, checks, enqueueJobs, now: () => new Date() })
    const defaults = { price, overrides: { title: 'Mug' } }
    return {
      ...market,
      productId: productIdOf(market.shop, 'p'),
      /** The problems that the adapter finds with every offer. */
      found,
      create: (items: BulkItem[], more: Listing = defaults, operationId = randomUUID()) =>
        createBatch({ database, listings }, { connectionId: market.market, items, defaults: more }, {
          operationId,
          requestId: 'request'
        }),
      retry: (id: string, operationId = randomUUID()) =>
        retryFailed({ database, connections, enqueueJobs }, id, { operationId, requestId: 'request' }),
      end: (jobId: string, outcome: string) =>
        query('update jobs set state = null, outcome = $2, finished_at = now(), problem = $3 where id = $1', [
          jobId,
          outcome,
          JSON.stringify({ code: 'LNK_ADAPTER_REJECTED', message: 'no' })
        ])
    }
  }
  async function pointersOf (work: Promise<unknown>): Promise<string[]> {
    const error = await work.then(() => undefined, (refusal: unknown) => refusal as { errors: FieldError[] })
    return (error?.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`)
  }
  async function namedBy (work: () => Promise<unknown>): Promise<ChangedObject | undefined> {
    const scene: Scene = { isRecorded: false }
    await new Promise<void>((resolve, reject) => {
      enterScene(scene, () => {
        work().then(() => {
          resolve()
        }, reject)
      })
    })
    return scene.object
  }

  t.test('list the variants of products, each with its own values before the defaults', async t => {
    const { variantId, variantIdOf, productId, addOffer, create } = await open()
    const offerId = await addOffer({ variant_id: variantIdOf('x') })
    const own = { price: { amount: '12.00', currency: 'PLN' }, overrides: { dispatchTime: dispatch(1) } }
    const { batchId, jobIds, skipped } = await create([{ productId, ...own }], {
      price,
      stock: 3,
      overrides: { title: 'Mug', dispatchTime: dispatch(9) }
    })

    const payloads = await query<{ payload: object }>('select payload from jobs')
    t.equal(payloads.length, 2)
    for (const { payload } of payloads) {
      t.match(payload, { quantity: 3, offer: { title: 'Mug', price: own.price, dispatchTime: { period: 1 } } })
    }
    t.match(skipped, [{ item: { productId }, variantId: variantIdOf('x'), offerId, reason: /./ }])
    const batch = await describeBatch(query, batchId)
    t.strictSame(batch.items.map(item => [item.variantId, item.item, item.jobId]), [
      [variantId, { productId }, jobIds[0]],
      [variantIdOf('w'), { productId }, jobIds[1]]
    ])
  })

  t.test('are refused as a whole, with a pointer to each wrong item', async t => {
    const { variantId, productId, found, create } = await open()
    t.strictSame(await pointersOf(create([{ variantId, productId }, {}])), ['/items/0 required', '/items/1 required'])
    t.strictSame(await pointersOf(create([{ productId }, { productId: randomUUID() }])), [
      '/items/1/productId unknown'
    ])
    t.strictSame(await pointersOf(create([{ productId }, { variantId }])), ['/items/1 duplicate'])
    t.strictSame(await pointersOf(create([{ variantId: randomUUID() }])), ['/items/0/variantId unknown'])

    found.push({ pointer: '/title', code: 'title', message: 'too short' })
    found.push({ pointer: '/price', code: 'price', message: 'too low' })
    found.push({ pointer: '/quantity', code: 'quantity', message: 'too few' })
    t.strictSame(
      await pointersOf(create([{ variantId, price }], { price, overrides: { title: 'Mug' } })),
      ['/defaults/overrides/title title', '/items/0/price price', '/items/0/stock quantity'],
      'the item names its own price'
    )
    t.strictSame(await query('select id from jobs'), [])
  })

  t.test('have failed when every job has ended and one of them failed', async t => {
    const { productId, create, end } = await open()
    const { batchId, jobIds: [first = '', second = '', third = ''] } = await create([{ productId }])
    const look = async () => {
      const { status, total, succeeded, failed } = await describeBatch(query, batchId)
      return [status, total, succeeded, failed]
    }
    t.strictSame(await look(), ['running', 3, 0, 0])
    await end(first, 'dead')
    await end(second, 'succeeded')
    t.strictSame(await look(), ['running', 3, 1, 1])
    await query('delete from jobs where id = $1', [third])
    t.strictSame(await look(), ['failed', 3, 2, 1], 'retention has removed the third job, which succeeded')

    const { items } = await describeBatch(query, batchId)
    t.match(items.map(({ problem }) => problem?.code), ['LNK_ADAPTER_REJECTED', undefined, undefined])
    await end(first, 'cancelled')
    t.strictSame(await look(), ['failed', 3, 2, 1])
    t.match((await describeBatch(query, batchId)).items[0], { status: 'cancelled', problem: { message: 'no' } })
    await end(first, 'succeeded')
    t.strictSame(await look(), ['succeeded', 3, 3, 0])
    await t.rejects(describeBatch(query, randomUUID()), { code: 'LNK_BATCH_NOT_FOUND' })
  })

  t.test('try their failed items again, once for each request', async t => {
    const { productId, create, end, retry } = await open()
    const { batchId, jobIds: [first = '', second = ''] } = await create([{ productId }])
    await end(first, 'dead')
    await end(second, 'succeeded')
    await query("update offers set status = 'FAILED' where create_job_id = $1", [first])
    const operationId = randomUUID()
    const jobIds = await retry(batchId, operationId)

    t.equal(jobIds.length, 1)
    t.strictSame(await retry(batchId, operationId), jobIds, 'a repeated request finds its own job')
    t.match(await query('select status, create_job_id from offers where create_job_id = $1', jobIds), [{
      status: 'DRAFT'
    }])
    t.match(await query('select payload from jobs where id = $1', jobIds), [{ payload: { offer: { title: 'Mug' } } }])
    t.strictSame(await retry(batchId), [], 'no item is failed now')
    await t.rejects(retry(randomUUID()), { code: 'LNK_BATCH_NOT_FOUND' })
  })

  t.test('are found in the audit by their connection, made or tried again', async t => {
    const { market, productId, create, retry } = await open()
    const batchId = randomUUID()

    t.strictSame(await namedBy(() => create([{ productId }], undefined, batchId)), { connectionId: market })
    t.strictSame(await namedBy(() => retry(batchId)), { connectionId: market })
  })
})

function dispatch (period: number): { unit: 'day', period: number } {
  return { unit: 'day', period }
}
