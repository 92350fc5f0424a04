import { AdapterErrorCode, NotFoundError, type QuantityChange } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { variantIdOf } from '../../src/catalog/identity.ts'
import type { OpenConnection } from '../../src/connections/open-connection.ts'
import type { HandlerServices } from '../../src/handlers/call-adapter.ts'
import { createOfferReads } from '../../src/offers/offer-reads.ts'
import { storeQuantities } from '../../src/stock/record-stock.ts'
import { kinds, openJobsFor } from '../jobs/support.ts'
import { handle } from './fake-adapter.ts'

for (const kind of kinds(t)) {
  t.test(`the stock of an offer that the hub creates, ${kind}`, async t => {
    const { database, addConnection } = await openJobsFor(t, kind)

    /**
     * Opens an offer of a variant with 4 pieces, and its quantity job. `answer` gives the answer to
     * each write.
     */
    async function addOffer (status: string, createdMinutesAgo: number | null, answer: () => void = () => undefined) {
      const [connectionId, id] = [await addConnection(), randomUUID()]
      await storeQuantities(
        database,
        connectionId,
        [{ productExternalId: 'p', variantExternalId: 'v', quantity: 4 }],
        '2026-01-01 00:00:00+00'
      )
      await database.query(
        `
        insert into offers (id, connection_id, variant_id, external_id, status, created_upstream_at, frozen_fields,
          problems, created_at, updated_at)
        values ($1, $2, $3, 'offer', $4, now() - interval '1 minute' * $5::integer, '[]', '[]', now(), now())`,
        [id, connectionId, variantIdOf(connectionId, 'p', 'v'), status, createdMinutesAgo]
      )
      const writes: Omit<QuantityChange, 'commandId'>[] = []
      const services = {
        database,
        now: () => new Date(),
        onStockWritten: () => undefined,
        offerReads: createOfferReads(database),
        connections: {
          openEnabled: async () =>
            ({
              connection: { capabilities: ['OfferManager'] },
              adapter: { description: { offers: { visibleAfterMs: 600_000 } } }
            }) as OpenConnection
        },
        stockWrites: {
          expect: () => () => undefined,
          async write (_job, _opened, _capability, write) {
            writes.push(write)
            answer()
            return { applied: ['stock'], frozen: [] }
          }
        }
      } as Pick<
        HandlerServices,
        'database' | 'now' | 'onStockWritten' | 'offerReads' | 'stockWrites'
      > as HandlerServices
      const run = () =>
        handle(services, {
          id: randomUUID(),
          jobType: 'marketplace.offerQuantity.update',
          connectionId,
          payload: { offerId: id },
          claimedAt: '2026-01-01 00:00:00+00',
          signal: new AbortController().signal,
          deadline: Date.now() + 60_000,
          servedBy: () => undefined
        })
      return { id, writes, run }
    }

    t.test('is not written before its creation, nor when that failed', async t => {
      const [draft, failed] = [await addOffer('DRAFT', null), await addOffer('FAILED', null)]

      t.match(await draft.run(), { result: { skipped: 'the offer is not created yet' } })
      t.match(await failed.run(), { result: { skipped: /could not be created/ } })
      t.strictSame([...draft.writes, ...failed.writes], [])
    })

    t.test('is written once it is created, although the marketplace does not show it yet', async t => {
      const offer = await addOffer('DRAFT', 1)

      t.match(await offer.run(), { result: { quantity: 4 } })
      t.strictSame(offer.writes, [{ externalId: 'offer', quantity: 4 }])
    })

    t.test(
      'waits for an offer that was created a moment ago and cannot be found; one of long ago, and a linked one, ' +
        'is gone',
      async t => {
        const missing = (): never => {
          throw new NotFoundError('no such offer')
        }
        const [young, old, linked] = [
          await addOffer('DRAFT', 9, missing),
          await addOffer('ACTIVE', 11, missing),
          await addOffer('ACTIVE', null, missing)
        ]
        const codeOf = ({ run }: typeof young) => run().then(() => undefined, (error: { code?: string }) => error.code)

        t.not(await codeOf(young), AdapterErrorCode.notFound)
        t.equal(await codeOf(old), AdapterErrorCode.notFound)
        t.equal(await codeOf(linked), AdapterErrorCode.notFound)
      }
    )

    if (kind === 'embedded') return
    t.test('is written when the creation ends while its job looks', async t => {
      const offer = await addOffer('DRAFT', null)
      const outcome = await database.transaction(async ({ query }) => {
        await query('update offers set created_upstream_at = now() where id = $1', [offer.id])
        let isOver = false
        const running = offer.run().finally(() => {
          isOver = true
        })
        for (let waiting = 0; waiting === 0 && !isOver;) {
          waiting =
            (await query('select 1 from pg_locks where not granted and pid in (select pid from pg_stat_activity ' +
              'where datname = current_database())'))
              .length
        }
        return { running }
      })

      t.match(await outcome.running, { result: { quantity: 4 } })
      t.equal(offer.writes.length, 1)
    })
  })
}
