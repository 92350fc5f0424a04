import type { OfferPatch } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { variantIdOf } from '../../src/catalog/identity.ts'
import { readTime } from '../../src/database/read-time.ts'
import { coreDeathEffectsOf } from '../../src/handlers/core-jobs.ts'
import { storeQuantities } from '../../src/stock/record-stock.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'
import { createServices, runJob, runningJob } from './fake-adapter.ts'

// What the seller froze is tested in frozen-fields.test.ts.

const jobType = 'marketplace.offer.updateFields'
const description: OfferPatch['description'] = { sections: [{ items: [{ type: 'TEXT', content: 'A red mug' }] }] }

t.test('changing the fields of an offer', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { database } = jobs
  const { query } = database

  async function openOffer (status = 'ACTIVE') {
    const [shop, market, offerId] = [await jobs.addConnection(), await jobs.addConnection(), randomUUID()]
    const level = { productExternalId: 'p', variantExternalId: 'v', quantity: 5 }
    await storeQuantities(database, shop, [level], await readTime(query))
    await query(
      `
      insert into offers (id, connection_id, variant_id, external_id, status, frozen_fields, problems, created_at,
        updated_at)
      values ($1, $2, $3, 'offer-1', $4, '[]', '[]', now(), now())`,
      [offerId, market, variantIdOf(shop, 'p', 'v'), status]
    )
    const writes: [string, OfferPatch][] = []
    const services = createServices(jobs, () => ({
      OfferManager: {
        updateOffer (externalId: string, patch: OfferPatch) {
          writes.push([externalId, patch])
          return { applied: Object.keys(patch), frozen: [] }
        }
      }
    }))
    return {
      market,
      offerId,
      writes,
      change: (fields: OfferPatch, connectionId = market) =>
        runJob(services, runningJob(jobType, connectionId, { offerId, fields })),
      die: (connectionId: string, payload: Record<string, unknown> = { offerId }) =>
        database.transaction(async transaction =>
          coreDeathEffectsOf(jobType)?.(
            transaction,
            { id: randomUUID(), connectionId, payload },
            { code: 'LNK_ADAPTER_REJECTED', message: 'the title is too long' }
          )
        ),
      problems: async () =>
        (await query<{ problems: { code: string, detail: string }[] }>('select problems from offers where id = $1', [
          offerId
        ]))[0]?.problems
    }
  }

  t.test('sends the given fields and no others', async t => {
    const { change, writes } = await openOffer()
    await change({ title: 'Mug', description })

    t.strictSame(writes, [['offer-1', { title: 'Mug', description }]])
  })

  t.test('is refused for an offer that is not at the marketplace of the job', async t => {
    const [failed, other, unlinked] = [await openOffer('FAILED'), await openOffer(), await openOffer()]
    await query('delete from offers where id = $1', [unlinked.offerId])

    await t.rejects(failed.change({ title: 'Mug' }), { code: 'LNK_ADAPTER_REJECTED' })
    await t.rejects(other.change({ title: 'Mug' }, await jobs.addConnection()), { code: 'LNK_ADAPTER_REJECTED' })
    await t.rejects(unlinked.change({ title: 'Mug' }), { code: 'LNK_ADAPTER_REJECTED' })
    t.strictSame([...failed.writes, ...other.writes, ...unlinked.writes], [])
  })

  t.test('that died is noted on the offer until the next change is written', async t => {
    const { die, change, problems, market } = await openOffer()
    await die(market)
    t.match(await problems(), [{ code: 'change-not-written', detail: /the title is too long$/ }])
    await change({ title: 'Mug' })

    t.strictSame(await problems(), [])
  })

  t.test('that died on another connection, or without an offer, is noted nowhere', async t => {
    const { die, problems, market } = await openOffer()
    await die(await jobs.addConnection())
    await die(market, { offerId: 'none' })

    t.strictSame(await problems(), [])
  })
})
