import type { Offer } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { exclusionKeyOf } from '../../../src/jobs/identity.ts'
import { updateOfferQuantity } from '../../../src/offers/jobs.ts'
import { recordShown } from '../../../src/offers/reconcile/record-shown.ts'
import { recordWithinLag } from '../../../src/offers/reconcile/record-within-lag.ts'
import { openedConnection } from '../../connections/support.ts'
import { cheapestKind, openJobsFor } from '../../jobs/support.ts'
import { longAgo, openMarket } from '../market.ts'

const lagMs = 60_000
const shown = (externalId: string, quantity?: number): Offer => ({
  externalId,
  status: 'ACTIVE',
  ...quantity === undefined ? {} : { quantity },
  frozenFields: [],
  problems: []
})

t.test('a reading within the lag of a write', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database

  /** Opens a marketplace with offers that were written with 5 just now, over a 4. */
  async function openWritten (columns: Readonly<Record<string, Readonly<Record<string, unknown>>>>) {
    const market = await openMarket(jobs)
    const written = { quantity: 5, stock_version: 1, sent_link_version: 1, last_synced_at: new Date() }
    const ids = new Map<string, string>()
    for (const [name, more] of Object.entries(columns)) {
      const id = await market.addOffer({ ...written, external_id: name, ...more })
      ids.set(name, id)
      await addJob(market.market, id, { quantity: 5, frozen: [], before: 4 })
    }
    const row = async (name: string) => {
      const found = await market.offer(ids.get(name) ?? '')
      return {
        shown: found?.upstream_quantity,
        readAt: found?.upstream_read_at,
        older: found?.lag_quantity,
        olderAt: found?.lag_read_at,
        linkVersion: found?.link_version
      }
    }
    const read = (...offers: Offer[]) => recordWithinLag(query, market.market, lagMs, offers)
    return { ...market, row, read }
  }

  /** Adds a quantity job of the offer that succeeded just now. */
  async function addJob (connectionId: string, offerId: string, result: object): Promise<void> {
    const request = updateOfferQuantity.request({ offerId }, { connectionId, key: randomUUID() })
    await query(
      `
      insert into jobs (id, job_type, lane, connection_id, object_key, idempotency_key, payload, attempts, outcome,
        result, created_at, finished_at)
      values ($1, $2, 'state', $3, $4, $5, '{}', '[]', 'succeeded', $6, now(), now())`,
      [
        randomUUID(),
        request.jobType,
        connectionId,
        exclusionKeyOf(updateOfferQuantity, request),
        request.idempotencyKey,
        JSON.stringify(result)
      ]
    )
  }

  t.test('is kept: the last write, what may be from before it, and what somebody changed', async t => {
    const { row, read } = await openWritten({ same: {}, older: {}, changed: {}, silent: {} })
    const found = await read(shown('same', 5), shown('older', 4), shown('changed', 99), shown('silent'))

    t.match(
      new Map(found.map(({ shown, mayBeOlder }) => [shown, mayBeOlder])),
      new Map([[5, false], [4, true], [
        99,
        false
      ]])
    )
    t.match(await row('same'), { shown: 5, readAt: String, older: null, olderAt: null })
    t.match(await row('older'), { shown: null, readAt: null, older: 4, olderAt: String })
    t.match(
      await row('changed'),
      { shown: 99, readAt: String, older: null, linkVersion: 1 },
      'the hub does not write yet'
    )
    t.match(await row('silent'), { shown: null, older: null })
  })

  t.test('leaves alone what another rule reads: settled, unwritten and ended offers', async t => {
    const { row, read } = await openWritten({
      settled: { last_synced_at: longAgo },
      unwritten: { sent_link_version: 0 },
      ended: { status: 'ENDED' },
      unknown: { quantity: null }
    })
    const names = ['settled', 'unwritten', 'ended', 'unknown']

    t.strictSame(await read(...names.map(name => shown(name, 99))), [])
    for (const name of names) t.match(await row(name), { shown: null, older: null }, name)
  })

  t.test('does not hide what was sure before, and gives way to what is sure', async t => {
    const { row, read } = await openWritten({ offer: {} })
    await read(shown('offer', 4))
    await read(shown('offer', 5))
    t.match(await row('offer'), { shown: 5, older: 4 })
    await read(shown('offer', 4))
    t.match(await row('offer'), { shown: 5, older: 4 }, 'a cache may go back')
  })

  t.test('is part of every reading of a marketplace', async t => {
    const { market, row } = await openWritten({ offer: {} })
    const opened = openedConnection({ id: market, methods: { OfferManager: [] }, visibleAfterMs: lagMs })
    const { offerIds } = await recordShown(query, opened, { offers: [shown('offer', 99)] })

    t.strictSame(offerIds, [])
    t.match(await row('offer'), { shown: 99 })
  })
})
