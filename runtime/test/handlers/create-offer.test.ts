import type { NewOffer } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { variantIdOf } from '../../src/catalog/identity.ts'
import { recordProducts } from '../../src/catalog/record-products.ts'
import { readTime } from '../../src/database/read-time.ts'
import { coreDeathEffectsOf, coreRetryEffectsOf } from '../../src/handlers/core-jobs.ts'
import { storeQuantities } from '../../src/stock/record-stock.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'
import { createServices, runJob, runningJob } from './fake-adapter.ts'

const offer = { title: 'Mug', price: { amount: '21.50', currency: 'PLN' }, imageUrls: [], publishImmediately: true }

t.test('creating an offer', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { database } = jobs
  const { query } = database

  /** A draft of a variant of which there are 9. `onCreate` runs while the platform creates it. */
  async function openDraft ({ onCreate = async () => undefined, stock = 9, isSwitchedOff = false }: {
    onCreate?: (shop: string) => Promise<void>,
    stock?: number | null,
    isSwitchedOff?: boolean
  } = {}) {
    const [shop, market, offerId, jobId] = [
      await jobs.addConnection(),
      await jobs.addConnection(),
      randomUUID(),
      randomUUID()
    ]
    if (isSwitchedOff) {
      const product = { externalId: 'p', name: 'Mug', isActive: false, variants: [{ externalId: 'v' }] }
      await recordProducts(database, shop, [product])
    }
    await setStock(shop, stock ?? 9)
    const variantId = variantIdOf(shop, 'p', 'v')
    if (stock === null) await query('delete from stock where variant_id = $1', [variantId])
    await query(
      `
      insert into offers (id, connection_id, variant_id, external_id, status, create_job_id, frozen_fields, problems,
        created_at, updated_at)
      values ($1, $2, $3, 'hub-offer-1', 'DRAFT', $4, '[]', '[]', now(), now())`,
      [offerId, market, variantId, jobId]
    )
    const created: NewOffer[] = []
    const services = createServices(jobs, () => ({
      OfferManager: {
        async createOffer (given: NewOffer) {
          created.push(given)
          await onCreate(shop)
        }
      }
    }))
    return {
      market,
      offerId,
      created,
      create: (payload = {}, connectionId = market) =>
        runJob(services, runningJob('marketplace.offer.create', connectionId, { offerId, offer, ...payload }, jobId)),
      die: (payload: Record<string, unknown>, fields: { pointer: string, code: string, message: string }[] = []) =>
        database.transaction(async transaction =>
          coreDeathEffectsOf('marketplace.offer.create')?.(
            transaction,
            { id: jobId, connectionId: market, payload },
            { code: 'LNK_ADAPTER_REJECTED', message: 'refused', fields }
          )
        ),
      retry: (id = jobId, offer: unknown = offerId) =>
        database.transaction(async transaction =>
          coreRetryEffectsOf('marketplace.offer.create')?.(
            transaction,
            { id, connectionId: market, payload: { offerId: offer } },
            'request'
          )
        ),
      row: async () =>
        (await query<
          { status: string, quantity: number | null, title: string | null, problems: { detail: string }[] }
        >(
          'select status, quantity, title, problems from offers where id = $1',
          [offerId]
        ))[0]
    }
  }

  async function setStock (shop: string, quantity: number): Promise<void> {
    await storeQuantities(
      database,
      shop,
      [{ productExternalId: 'p', variantExternalId: 'v', quantity }],
      await readTime(query)
    )
  }

  t.test('takes the key of the hub and the present stock, as far as the operator lets it be shown', async t => {
    const { create, created, row, offerId } = await openDraft()
    await query('update offers set buffer = 2, max_listed = 5 where id = $1', [offerId])

    t.match(await create(), { result: { externalId: 'hub-offer-1', quantity: 5 }, jobTypes: { length: 0 } })
    t.strictSame(created, [{ ...offer, externalId: 'hub-offer-1', quantity: 5 }])
    t.match(await row(), { status: 'DRAFT', quantity: 5, title: 'Mug' })
  })

  t.test('takes the quantity that the operator wished instead', async t => {
    const { create, created } = await openDraft({ stock: null })
    await create({ quantity: 3 })

    t.strictSame(created.map(({ quantity }) => quantity), [3])
  })

  t.test('shows none of a variant that was switched off after the operator wished a quantity', async t => {
    for (const stock of [9, null]) {
      const { create, created } = await openDraft({ stock, isSwitchedOff: true })
      await create({ quantity: 3 })

      t.strictSame(created.map(({ quantity }) => quantity), [0])
    }
  })

  t.test('is refused without a quantity, and on a connection that the offer does not belong to', async t => {
    const { create, created } = await openDraft({ stock: null })

    await t.rejects(create(), { code: 'LNK_ADAPTER_REJECTED' })
    await t.rejects(create({ quantity: 3 }, await jobs.addConnection()), { code: 'LNK_ADAPTER_REJECTED' })
    t.strictSame(created, [])
  })

  t.test('happens once: a repeat, and an offer that was unlinked, need no call', async t => {
    const { create, created, offerId } = await openDraft()
    await create()
    t.match(await create(), { result: { skipped: /already created/ } })
    await query('delete from offers where id = $1', [offerId])
    t.match(await create(), { result: { skipped: /unlinked/ } })

    t.equal(created.length, 1)
  })

  t.test('is followed by a write of the stock that changed meanwhile', async t => {
    const { create } = await openDraft({ onCreate: shop => setStock(shop, 4) })

    t.strictSame((await create()).jobTypes, ['marketplace.offerQuantity.update'])
  })

  t.test('that died marks the draft as failed, with each reason where it was', async t => {
    const { die, row, offerId } = await openDraft()
    await die({ offerId }, [
      { pointer: '/title', code: 'long', message: 'is too long' },
      { pointer: '', code: 'x', message: 'is odd' }
    ])
    const failed = await row()

    t.equal(failed?.status, 'FAILED')
    t.strictSame(failed?.problems.map(({ detail }) => detail), ['/title: is too long', 'is odd'])
  })

  t.test('that died leaves an offer alone that the marketplace has, and a payload that names none', async t => {
    const { create, die, row, offerId } = await openDraft()
    await create()
    await die({ offerId })
    await die({ offerId: 'none' })

    t.match(await row(), { status: 'DRAFT', problems: { length: 0 } })
  })

  t.test('that is tried again makes the failed offer a draft, unless another job creates it now', async t => {
    const { create, die, retry, row, offerId } = await openDraft()
    await die({ offerId })
    await retry(randomUUID())
    t.match(await row(), { status: 'FAILED' })
    await retry(undefined, 'none')
    await retry()

    t.match(await row(), { status: 'DRAFT', problems: { length: 0 } })
    t.match(await create(), { result: { quantity: 9 } })
  })
})
