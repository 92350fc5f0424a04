import { TransientError } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createOffers } from '../../src/offers/offers.ts'
import { listUnlinked, releaseOffer } from '../../src/offers/unlinked/store.ts'
import { createServices, type Abilities } from '../handlers/fake-adapter.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'
import { openMarket } from './market.ts'

const shown = {
  externalId: 'offer-1',
  status: 'INACTIVE',
  quantity: 9,
  frozenFields: ['stock'],
  problems: ['no pictures']
}

t.test('links between offers and variants', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { database } = jobs
  const { query } = database

  /** Opens a marketplace whose adapter has these abilities, and the offers of the hub. */
  async function open (abilities: Abilities = { OfferManager: { getOffer: () => shown } }) {
    const market = await openMarket(jobs, ['v', 'w'])
    const { connections, adapters, enqueueJobs } = createServices(jobs, () => abilities)
    const waiting: string[] = []
    const offers = createOffers({
      database,
      connections,
      adapters,
      enqueueJobs,
      log: jobs.log,
      now: () => new Date(),
      async waitingOrderJobs (_query, { connectionId, offerExternalIds }, link, requestId) {
        waiting.push(link)
        const payload = { externalId: `waits for ${offerExternalIds?.join()}` }
        return [{ jobType: 'order.read', connectionId, payload, idempotencyKey: `order:${link}`, requestId }]
      }
    })
    const body = { connectionId: market.market, variantId: market.variantId, externalId: 'offer-1' }
    return {
      ...market,
      offers,
      waiting,
      body,
      jobTypes: async () =>
        (await query<{ type: string }>('select job_type as type from jobs order by 1')).map(({ type }) => type)
    }
  }

  t.test('show the offer as the marketplace does, and start the jobs that follow once', async t => {
    const { offers, body, waiting, jobTypes } = await open()
    const { offer, isNew } = await offers.link({ ...body, buffer: 2, maxListed: 4 }, 'request')
    const { id, variantId, status, upstreamQuantity, buffer, maxListed, frozenFields, problems } = offer

    t.strictSame({ isNew, variantId, status, upstreamQuantity, buffer, maxListed, frozenFields, problems }, {
      isNew: true,
      variantId: body.variantId,
      status: 'INACTIVE',
      upstreamQuantity: 9,
      buffer: 2,
      maxListed: 4,
      frozenFields: ['stock'],
      problems: [{ code: 'marketplace', detail: 'no pictures' }]
    })
    t.match(await offers.link(body, 'again'), { offer: { id, buffer: 2 }, isNew: false })
    t.strictSame(waiting, [id])
    t.strictSame(await jobTypes(), ['marketplace.offerQuantity.update', 'order.read'])
    const entries = await query(
      `select action, object_id, object_name, changes from audit_entries where connection_id = $1`,
      [body.connectionId]
    )
    t.strictSame(entries, [{
      action: 'offer.link',
      object_id: id,
      object_name: 'offer-1',
      changes: [
        { pointer: '/buffer', to: 2 },
        { pointer: '/maxListed', to: 4 },
        { pointer: '/variantId', to: variantId }
      ]
    }])
  })

  t.test('are refused before the marketplace is asked', async t => {
    let looks = 0
    const { offers, body, variantIdOf, market } = await open({
      Marketplace: {
        getOffer () {
          looks += 1
          return shown
        }
      }
    })
    await offers.link(body, 'request')

    await t.rejects(offers.link({ ...body, variantId: variantIdOf('w') }, 'request'), {
      code: 'LNK_OFFER_ALREADY_LINKED'
    })
    await t.rejects(offers.link({ ...body, variantId: randomUUID() }, 'request'), { code: 'LNK_VARIANT_NOT_FOUND' })
    t.equal(looks, 1)
    const unable = await open({ InventoryMaster: {} })
    await t.rejects(unable.offers.link({ ...unable.body, connectionId: market }, 'request'), {
      code: 'LNK_CAPABILITY_NOT_SUPPORTED'
    })
  })

  t.test('are made although the hub could not look, with a problem and a job that looks again', async t => {
    const { offers, body, market, jobTypes } = await open({
      OfferManager: {
        getOffer () {
          throw new TransientError('503')
        }
      }
    })
    const { offer } = await offers.link(body, 'request')

    t.match(offer, { status: 'ACTIVE', upstreamQuantity: null, seenAt: null })
    t.match(offer.problems, [{ code: 'not-looked-up', detail: /503$/ }])
    t.strictSame(await jobTypes(), [
      'marketplace.offerQuantity.update',
      'marketplace.offers.sync',
      'order.read'
    ])
    t.match(
      await query("select connection_id, payload from jobs where job_type = 'marketplace.offers.sync'"),
      [{ connection_id: market, payload: { offerId: offer.id } }]
    )
  })

  t.test('are made by one of two requests at once, which starts the jobs', async t => {
    const first = { start: async () => undefined as unknown }
    const { offers, body, jobTypes, waiting } = await open({
      OfferManager: {
        async getOffer () {
          await first.start()
          return shown
        }
      }
    })
    first.start = async () => {
      first.start = async () => undefined
      await offers.link(body, 'first')
    }

    t.match(await offers.link(body, 'second'), { isNew: false, offer: { status: 'INACTIVE' } })
    t.equal(waiting.length, 1)
    t.strictSame(await jobTypes(), ['marketplace.offerQuantity.update', 'order.read'])
  })

  t.test('by an operator end the mark that an operator once unlinked the offer', async t => {
    const { offers, body, market } = await open()
    const { offer } = await offers.link(body, 'request')
    await releaseOffer(query, offer.id)
    await offers.link(body, 'request')

    t.strictSame(await query('select id from unlinked_offers where connection_id = $1', [market]), [])
    t.strictSame(await listUnlinked(query, { connectionId: market, limit: 50, after: undefined }), [])
  })

  t.test('have limits whose change writes the quantity once, also when it is sent again', async t => {
    const { offers, body, jobTypes, variantId, addOffer } = await open()
    const id = await addOffer()

    await offers.limit(id, { buffer: 0, maxListed: null }, 'request')
    t.strictSame(await jobTypes(), [], 'nothing has changed')
    t.match(await offers.limit(id, { buffer: 2 }, 'request'), { buffer: 2, maxListed: null })
    t.match(await offers.limit(id, { buffer: 2 }, 'request'), { buffer: 2 })
    t.strictSame(await jobTypes(), ['marketplace.offerQuantity.update'])
    await t.rejects(offers.limit(randomUUID(), { buffer: 2 }, 'request'), { code: 'LNK_OFFER_NOT_FOUND' })
    const stock = await offers.stockOf((await offers.list({ connectionId: body.connectionId, limit: 50 })).offers)
    t.match(stock.get(variantId), { quantity: 5 })
  })
})
