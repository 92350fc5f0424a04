import { randomUUID } from 'node:crypto'
import t from 'tap'
import {
  findSettled,
  findRefreshed,
  listDrifting,
  listExpected,
  lockUnwritten,
  lockUnwrittenOf,
  storeCompared
} from '../../../src/offers/reconcile/store.ts'
import { cheapestKind, openJobsFor } from '../../jobs/support.ts'
import { longAgo, openMarket } from '../market.ts'

const lagMs = 60_000
/** The versions and times of an offer whose last write the marketplace shows by now. */
const written = { quantity: 5, stock_version: 1, sent_link_version: 1, last_synced_at: longAgo }

t.test('offers that a comparison reads and stores', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database

  t.test('are expected at the marketplace once they are created and their last write is visible', async t => {
    const { market, addOffer } = await openMarket(jobs)
    const sorted = [1, 2, 3].map(() => randomUUID()).toSorted()
    const [first = '', second = '', third = ''] = sorted
    await addOffer({ id: third, external_id: 'active', seen_at: '2026-01-02T00:00:00Z' })
    await addOffer({ id: first, external_id: 'draft', status: 'DRAFT', created_upstream_at: longAgo })
    await addOffer({ id: second, external_id: 'inactive', status: 'INACTIVE', seen_at: longAgo })
    const others = [
      { external_id: 'not created', status: 'DRAFT' },
      { external_id: 'ended', status: 'ENDED' },
      { external_id: 'failed', status: 'FAILED', created_upstream_at: longAgo },
      { external_id: 'just written', written_at: new Date() }
    ]
    for (const other of others) await addOffer(other)
    const list = async (more: { unseenSince?: string, after?: string, limit?: number } = {}) =>
      (await listExpected(query, { connectionId: market, visibleAfterMs: lagMs, limit: 50, ...more }))
        .map(({ externalId }) => externalId)

    t.strictSame(await list(), ['draft', 'inactive', 'active'])
    t.strictSame(await list({ limit: 2 }), ['draft', 'inactive'])
    t.strictSame(await list({ after: second }), ['active'])
    t.strictSame(await list({ unseenSince: '2026-01-01T00:00:00Z' }), ['draft', 'inactive'])
  })

  t.test('are read by themselves once they are created, and say until when a reading does not count', async t => {
    const { market, shop, addOffer } = await openMarket(jobs)
    const now = new Date()
    const ended = await addOffer({ status: 'ENDED', quantity: 3, last_synced_at: longAgo })
    const draft = await addOffer({ external_id: 'draft', status: 'DRAFT' })
    const fresh = await addOffer({ external_id: 'fresh', last_synced_at: now })

    t.match(await findRefreshed(query, market, lagMs, ended), {
      id: ended,
      externalId: 'offer-1',
      status: 'ENDED',
      quantity: 3,
      writtenAt: new Date(longAgo).toISOString(),
      staleUntil: null
    })
    t.equal(await findRefreshed(query, market, lagMs, draft), undefined)
    t.match(await findRefreshed(query, market, lagMs, fresh), {
      id: fresh,
      staleUntil: new Date(now.getTime() + lagMs).toISOString()
    })
    t.match(await findRefreshed(query, market, 0, fresh), { id: fresh, staleUntil: null })
    t.equal(await findRefreshed(query, shop, lagMs, ended), undefined)
  })

  t.test('are settled when no write is pending and the last one is visible', async t => {
    const { market, addOffer } = await openMarket(jobs)
    const changes = {
      settled: {},
      'older stock': { stock_version: 2 },
      'older link': { link_version: 2 },
      'never written': { stock_version: null, sent_link_version: null },
      'just written': { last_synced_at: new Date() },
      'frozen from the beginning': { last_synced_at: null, quantity: null },
      'not asked': {},
      ended: { status: 'ENDED' }
    }
    for (const [name, change] of Object.entries(changes)) {
      await addOffer({ ...written, external_id: name, buffer: 1, ...change })
    }
    const asked = Object.keys(changes).filter(name => name !== 'not asked')
    const settled = await findSettled(query, market, lagMs, asked)

    t.strictSame(settled.map(({ externalId }) => externalId).toSorted(), ['frozen from the beginning', 'settled'])
    t.match(settled.find(({ externalId }) => externalId === 'settled'), {
      sent: 5,
      quantity: 5,
      reserved: 0,
      buffer: 1,
      maxListed: null
    })
  })

  t.test('keep the shown quantity, and get a new version of the link when it differs', async t => {
    const { addOffer, offer } = await openMarket(jobs)
    const same = await addOffer({ ...written, frozen_fields: ['title', 'stock'] })
    const other = await addOffer({ ...written, external_id: 'other' })
    const pending = await addOffer({ ...written, external_id: 'pending', stock_version: 2 })
    const compared = await storeCompared(query, [
      { id: same, shown: 5, frozen: false, differs: false },
      { id: other, shown: 4, frozen: true, differs: true },
      { id: pending, shown: 4, frozen: false, differs: true }
    ])

    t.strictSame(compared, { differing: [other], taken: [] })
    t.match(await offer(same), { upstream_quantity: 5, upstream_read_at: /./, link_version: 1 })
    t.match(await offer(other), { upstream_quantity: 4, link_version: 2 })
    t.match(await offer(pending), { upstream_quantity: null, link_version: 1 }, 'it was written meanwhile')
    t.strictSame([(await offer(same))?.frozen_fields, (await offer(other))?.frozen_fields], [['title'], ['stock']])
  })

  t.test('keep a refusal until the marketplace shows the quantity of a later write', async t => {
    const { addOffer, problems } = await openMarket(jobs)
    const refused = [{ code: 'quantity-refused', detail: 'at most 2' }, { code: 'change-not-written', detail: 'away' }]
    const offers = {
      same: await addOffer({ ...written, external_id: 'same', problems: refused }),
      other: await addOffer({ ...written, external_id: 'other', problems: refused }),
      unrefused: await addOffer({ ...written, external_id: 'unrefused' })
    }

    const compared = await storeCompared(query, [
      { id: offers.same, shown: 5, frozen: false, differs: false },
      { id: offers.other, shown: 4, frozen: false, differs: true },
      { id: offers.unrefused, shown: 5, frozen: false, differs: false }
    ])

    t.strictSame(compared, { differing: [offers.other], taken: [offers.same] })
    t.strictSame(await problems(offers.same), refused.slice(1))
    t.strictSame(await problems(offers.other), refused)
  })

  t.test('are unwritten when they lack a version, and when their quantity was refused', async t => {
    const { market, addOffer } = await openMarket(jobs)
    const sorted = [1, 2, 3].map(() => randomUUID()).toSorted()
    const [first = '', second = '', refused = ''] = sorted
    await addOffer({ ...written, id: second, external_id: 'link', link_version: 2 })
    await addOffer({ ...written, id: first, external_id: 'stock', stock_version: 7 })
    await addOffer({ ...written, id: refused, external_id: 'refused', stock_version: null })
    await addOffer({ ...written, external_id: 'written' })
    await addOffer({ external_id: 'not created', status: 'DRAFT' })
    await addOffer({ external_id: 'ended', status: 'ENDED' })
    const listed = async (after?: string) =>
      (await lockUnwrittenOf(query, market, after)).offers.map(({ id, version, linkVersion }) => [
        id,
        version,
        linkVersion
      ])

    t.strictSame(await listed(), [[first, 1, 1], [second, 1, 2], [refused, 1, 1]])
    t.strictSame(await listed(first), [[second, 1, 2], [refused, 1, 1]])
    t.equal((await lockUnwrittenOf(query, market, undefined)).next, undefined)
    t.match(await lockUnwritten(query, refused), [{ id: refused, version: 1 }])
  })

  t.test('drift for a reason that their row knows', async t => {
    const { market, addOffer } = await openMarket(jobs)
    const reasons: [object, string | null | undefined][] = [
      [{ ...written, quantity: 4, stock_version: 0 }, null],
      [{ ...written, quantity: 4 }, 'wished'],
      [{ ...written, quantity: null, stock_version: null }, null],
      [{ ...written, quantity: 4, frozen_fields: ['stock'] }, 'frozen'],
      [{ status: 'DRAFT' }, 'not-created'],
      [{ ...written, quantity: 4, status: 'ENDED' }, undefined],
      [{ ...written, quantity: 5 }, undefined],
      [{ ...written, quantity: 2, buffer: 1, max_listed: 2 }, undefined]
    ]
    for (const [index, [columns]] of reasons.entries()) await addOffer({ external_id: String(index), ...columns })
    const { offers, next } = await listDrifting(query, market, undefined)
    const found = new Map(offers.map(({ externalId, keptBecause }) => [externalId, keptBecause]))

    t.strictSame(reasons.map((_, index) => found.get(String(index))), reasons.map(([, because]) => because))
    t.match(offers.find(({ externalId }) => externalId === '0'), { sent: 4, wanted: 5, version: 1, linkVersion: 1 })
    t.equal(next, undefined)
  })

  t.test('come two hundred to a page, and a full page says where the next one begins', async t => {
    const { market, addOffer, variantId } = await openMarket(jobs)
    const id = await addOffer()
    await query(
      `
        insert into offers (
          id, connection_id, variant_id, external_id, status, frozen_fields, problems, created_at, updated_at
        )
        select gen_random_uuid(), $1, $2, 'more-' || number, 'ACTIVE', '[]', '[]', now(), now()
        from generate_series(1, 200) as number`,
      [market, variantId]
    )
    for (const list of [lockUnwrittenOf, listDrifting]) {
      const page = await list(query, market, undefined)
      t.equal(page.offers.length, 200)
      t.equal(page.next, page.offers.at(-1)?.id)
      const rest = await list(query, market, page.next)
      t.equal(rest.offers.length, 1)
      t.ok([...page.offers, ...rest.offers].some(offer => offer.id === id))
    }
  })
})
