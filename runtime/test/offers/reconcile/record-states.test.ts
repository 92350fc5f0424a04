import type { Offer } from '@linker/sdk'
import t from 'tap'
import { recordAbsent, recordStates } from '../../../src/offers/reconcile/record-states.ts'
import { cheapestKind, openJobsFor } from '../../jobs/support.ts'
import { longAgo, openMarket } from '../market.ts'

const lagMs = 60_000
const shown = (externalId: string, more: Partial<Offer> = {}): Offer => ({
  externalId,
  status: 'ACTIVE',
  frozenFields: [],
  problems: [],
  ...more
})

t.test('states that a marketplace shows', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database

  t.test('move an offer on, but never back from its end', async t => {
    const moves: [string, Offer['status'], string][] = [
      ['DRAFT', 'ACTIVE', 'ACTIVE'],
      ['ACTIVE', 'INACTIVE', 'INACTIVE'],
      ['INACTIVE', 'ACTIVE', 'ACTIVE'],
      ['ACTIVE', 'ENDED', 'ENDED'],
      ['FAILED', 'INACTIVE', 'INACTIVE'],
      ['ENDED', 'ACTIVE', 'ENDED'],
      ['ACTIVE', 'ACTIVE', 'ACTIVE']
    ]
    const { market, addOffer, offer } = await openMarket(jobs)
    const ids: string[] = []
    for (const [index, [status]] of moves.entries()) {
      ids.push(await addOffer({ status, external_id: String(index), created_upstream_at: longAgo }))
    }
    const { changed, toWrite } = await recordStates(
      query,
      market,
      lagMs,
      moves.map(([, status], index) => shown(String(index), { status }))
    )

    const after = await Promise.all(ids.map(async id => (await offer(id))?.status))
    t.strictSame(after, moves.map(([, , status]) => status))
    t.equal(changed, 5)
    t.strictSame(toWrite, [ids[4]], 'the failed offer exists after all')
  })

  t.test('come with what the marketplace knows the offer by', async t => {
    const { market, addOffer, offer } = await openMarket(jobs)
    const id = await addOffer()
    const names = { reference: 'ref-1', sku: 'SKU-1', ean: '590' }
    await recordStates(query, market, lagMs, [shown('offer-1', names)])
    t.match(await offer(id), names)
    await recordStates(query, market, lagMs, [shown('offer-1', { sku: 'SKU-2' })])
    t.match(await offer(id), { reference: null, sku: 'SKU-2', ean: null })
  })

  t.test('are ignored for an offer that was written within the lag, and for one that is not created', async t => {
    const { market, addOffer, offer } = await openMarket(jobs)
    const ids = [
      await addOffer({ external_id: 'written', written_at: new Date(), last_synced_at: longAgo }),
      await addOffer({ external_id: 'synced', written_at: longAgo, last_synced_at: new Date() }),
      await addOffer({ external_id: 'created', status: 'DRAFT', created_upstream_at: new Date() }),
      await addOffer({ external_id: 'not created', status: 'DRAFT' })
    ]
    const names = ['written', 'synced', 'created', 'not created', 'unknown']
    const states = names.map(name => shown(name, { status: 'ENDED' }))

    t.strictSame(await recordStates(query, market, lagMs, states), { changed: 0, toWrite: [] })
    for (const id of ids) t.match(await offer(id), { seen_at: null, upstream_status: null })
    t.match(await recordStates(query, market, 0, states), { changed: 3 }, 'the lag is over')
    t.match(await recordStates(query, market, lagMs, []), { changed: 0 })
  })

  t.test('bring the words of the marketplace, and keep the title and the problem of the hub', async t => {
    const { market, addOffer, offer, problems } = await openMarket(jobs)
    const own = [{ code: 'quantity-not-written', detail: 'away' }, { code: 'quantity-refused', detail: 'at most 2' }]
    const id = await addOffer({
      title: 'Mug',
      frozen_fields: ['title'],
      problems: [{ code: 'marketplace', detail: 'old' }, { code: 'change-not-written', detail: 'away' }, ...own]
    })
    const price = { amount: '1.00', currency: 'PLN' }
    await recordStates(query, market, lagMs, [
      shown('offer-1', { problems: ['not this one'] }),
      shown('offer-1', { upstreamStatus: 'live', title: 'Cup', price, frozenFields: ['price'], problems: ['new'] })
    ])

    t.match(await offer(id), { title: 'Mug', price, upstream_status: 'live', seen_at: /./ })
    t.strictSame((await offer(id))?.frozen_fields, ['price'])
    t.strictSame(await problems(id), [{ code: 'marketplace', detail: 'new' }, ...own])
    await recordStates(query, market, lagMs, [shown('offer-1', { status: 'ENDED' })])
    t.strictSame(await problems(id), [], 'an ended offer needs no write any more')
  })

  t.test('let thawed stock be written with a new version of the link', async t => {
    const { market, addOffer, offer } = await openMarket(jobs)
    const id = await addOffer({ frozen_fields: ['stock'] })
    const frozen = await addOffer({ external_id: 'frozen', frozen_fields: ['stock'] })
    const states = [shown('offer-1'), shown('frozen', { frozenFields: ['stock'] })]

    t.strictSame(await recordStates(query, market, lagMs, states), { changed: 0, toWrite: [id] })
    t.match([await offer(id), await offer(frozen)], [{ link_version: 2 }, { link_version: 1 }])
    t.strictSame(await recordStates(query, market, lagMs, states), { changed: 0, toWrite: [] })
  })

  t.test('that are missing end an offer, and fail a draft that never appeared', async t => {
    const { addOffer, offer, problems } = await openMarket(jobs)
    const draft = await addOffer({ status: 'DRAFT', created_upstream_at: longAgo })
    const active = await addOffer({ external_id: 'active', upstream_status: 'live' })
    const kept = [
      await addOffer({ external_id: 'written', written_at: new Date() }),
      await addOffer({ external_id: 'not created', status: 'DRAFT' }),
      await addOffer({ external_id: 'failed', status: 'FAILED' })
    ]

    t.equal(await recordAbsent(query, lagMs, [draft, active, ...kept]), 2)
    t.match([await offer(draft), await offer(active)], [
      { status: 'FAILED' },
      { status: 'ENDED', upstream_status: null }
    ])
    const codes = async (id: string) => (await problems(id))?.map(({ code }) => code)
    t.strictSame([await codes(draft), await codes(active)], [['never-shown'], ['unknown-at-marketplace']])
    for (const id of kept) t.strictSame(await codes(id), [])
    t.equal(await recordAbsent(query, lagMs, []), 0)
  })
})
