import type { OfferPatch } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { variantIdOf } from '../../src/catalog/identity.ts'
import { createOfferChecks } from '../../src/offers/check-offers.ts'
import { createOfferCommands } from '../../src/offers/commands.ts'
import { recordStock } from '../../src/stock/record-stock.ts'
import { createServices, type Abilities } from '../handlers/fake-adapter.ts'
import { kinds, openJobsFor } from '../jobs/support.ts'

const fields: OfferPatch = { title: 'Mug' }

for (const kind of kinds(t)) {
  t.test(`commands on offers, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { database } = jobs

    /** Opens an offer on a connection whose adapter has these abilities. */
    async function open (abilities: Abilities) {
      const connectionId = await jobs.addConnection()
      const [{ now = '' } = {}] = await database.query<{ now: string }>('select clock_timestamp()::text as now')
      await recordStock(database, { id: randomUUID(), connectionId, claimedAt: now }, [{
        productExternalId: 'p',
        variantExternalId: 'v',
        quantity: 5
      }])
      await database.query(
        `
        insert into offers (
          id, connection_id, variant_id, external_id, status,
          frozen_fields, problems, created_at, updated_at
        )
        values ($1, $2, $3, 'offer-1', 'ACTIVE', '[]', '[]', now(), now())`,
        [randomUUID(), connectionId, variantIdOf(connectionId, 'p', 'v')]
      )
      const { connections: { get, openEnabled }, adapters, enqueueJobs } = createServices(jobs, () => abilities)
      const connections = { getEnabled: get, openEnabled }
      const commands = createOfferCommands({ database, connections, checks: createOfferChecks(adapters), enqueueJobs })
      const reference = { connectionId, offerId: 'offer-1' }
      const request = () => ({ operationId: randomUUID(), requestId: randomUUID() })
      return {
        update: () => commands.updateFields(reference, fields, request()),
        end: () => commands.end(reference, request()),
        jobTypes: async () =>
          (await database.query<{ type: string }>(
            'select job_type as type from jobs where connection_id = $1 order by command_order',
            [connectionId]
          )).map(({ type }) => type)
      }
    }

    for (const capability of ['OfferManager', 'Marketplace']) {
      t.test(`are taken when ${capability} has the method`, async t => {
        const { update, end, jobTypes } = await open({
          [capability]: { updateOffer: () => undefined, endOffer: () => undefined }
        })
        await update()
        await end()

        t.strictSame(await jobTypes(), ['marketplace.offer.updateFields', 'marketplace.offer.end'])
      })

      t.test(`are refused without a job when ${capability} lacks the method or finds a problem`, async t => {
        const unable = await open({ [capability]: {} })
        const code = 'LNK_CAPABILITY_NOT_SUPPORTED'
        await t.rejects(unable.update(), { code, message: new RegExp(`${capability}\\.updateOffer`) })
        await t.rejects(unable.end(), { code, message: new RegExp(`${capability}\\.endOffer`) })

        const asked: unknown[] = []
        const strict = await open({
          [capability]: {
            updateOffer: () => undefined,
            checkPatch (patch: unknown) {
              asked.push(patch)
              return [{ pointer: '/title', code: 'too-short', message: 'a title has four letters' }]
            }
          }
        })
        await t.rejects(strict.update(), {
          code: 'LNK_OFFER_INVALID',
          message: /four letters/,
          errors: [{ pointer: '/title' }]
        })
        t.strictSame(asked, [fields])
        t.strictSame([await unable.jobTypes(), await strict.jobTypes()], [[], []])
      })
    }
  })
}
