import type { Offer } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { Position } from '../../../src/http/paging.ts'
import {
  findUnknown,
  forgetUnseen,
  listUnlinked,
  releaseOffer,
  storeLinks,
  storeUnlinked,
  type Link
} from '../../../src/offers/unlinked/store.ts'
import { cheapestKind, openJobsFor } from '../../jobs/support.ts'
import { longAgo, openMarket } from '../market.ts'

const shown = (externalId: string, more: Partial<Offer> = {}): Offer => ({
  externalId,
  status: 'ACTIVE',
  frozenFields: [],
  problems: [],
  ...more
})

t.test('offers without a variant', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database
  const list = async (connectionId: string, limit = 50, after?: Position) =>
    (await listUnlinked(query, { connectionId, limit, after })).map(({ externalId }) => externalId)
  const kept = async () =>
    (await query<
      { id: string, released: boolean, status: string | null }
    >('select external_id as id, released_at is not null as released, status from unlinked_offers order by 1')).map(
      ({ id, released, status }) => [id, released, status]
    )

  t.test('are listed oldest first, without those that are linked by now', async t => {
    const { market, shop, addOffer } = await openMarket(jobs)
    for (const name of ['1', '2', '3']) await storeUnlinked(query, market, [shown(name)])
    await storeUnlinked(query, shop, [shown('elsewhere')])
    const age = "update unlinked_offers set created_at = created_at - $2 * interval '1 day' where external_id = $1"
    for (const [name, days] of [['2', 9], ['1', 5], ['3', 1]] as const) await query(age, [name, days])

    const [first] = await listUnlinked(query, { connectionId: market, limit: 1, after: undefined })
    t.strictSame(await list(market), ['2', '1', '3'])
    t.strictSame(await list(market, 50, first), ['1', '3'])
    t.strictSame(await list(market, 2), ['2', '1'])
    t.equal((await listUnlinked(query, { limit: 50, after: undefined })).length, 4)
    t.match(await listUnlinked(query, { externalId: '2', limit: 50, after: undefined }), [{ externalId: '2' }])
    await storeUnlinked(query, market, [shown('3', { sku: 'SKU-1', ean: '012345678905' })])
    for (const filter of [{ sku: ' sku-1' }, { ean: '12345678905' }, { externalId: '3', sku: 'SKU-1' }]) {
      t.match(await listUnlinked(query, { ...filter, limit: 50, after: undefined }), [{ externalId: '3' }])
    }
    for (const filter of [{ sku: 'SKU' }, { ean: '0' }, { sku: ' ' }]) {
      t.strictSame(await listUnlinked(query, { ...filter, limit: 50, after: undefined }), [], JSON.stringify(filter))
    }
    await addOffer({ external_id: '1' })
    t.strictSame(await list(market), ['2', '3'])
  })

  t.test('keep the mark of an operator while the marketplace shows them or not', async t => {
    const { market, addOffer } = await openMarket(jobs)
    const id = await addOffer({
      external_id: 'released',
      title: 'Mug',
      upstream_quantity: 3,
      seen_at: longAgo,
      sku: 'SKU-1'
    })
    const ended = await addOffer({ external_id: 'ended', status: 'ENDED' })

    t.strictSame([await releaseOffer(query, id), await releaseOffer(query, ended)], [true, true])
    t.equal(await releaseOffer(query, id), false)
    t.match(await listUnlinked(query, { connectionId: market, limit: 50, after: undefined }), [{
      externalId: 'released',
      status: 'ACTIVE',
      title: 'Mug',
      sku: 'SKU-1',
      quantity: 3,
      seenAt: longAgo
    }])
    t.strictSame(await list(market), ['released'], 'the offer that has ended sells nothing')

    await storeUnlinked(query, market, [shown('released', { status: 'INACTIVE' }), shown('ended')])
    t.strictSame(await kept(), [['ended', true, 'ACTIVE'], ['released', true, 'INACTIVE']])
    await forgetUnseen(query, market, new Date(Date.now() + 60_000).toISOString())
    t.strictSame(await kept(), [['ended', true, null], ['released', true, null]])
    t.strictSame(await list(market), [])
  })

  t.test('are forgotten when a complete list leaves them out, or once they are linked', async t => {
    const { market, shop, addOffer } = await openMarket(jobs)
    await storeUnlinked(query, market, ['seen', 'unseen', 'linked'].map(name => shown(name)))
    await storeUnlinked(query, shop, [shown('elsewhere')])
    await query("update unlinked_offers set seen_at = $1 where external_id in ('unseen', 'elsewhere')", [longAgo])
    await addOffer({ external_id: 'linked' })
    await forgetUnseen(query, market, '2026-01-01T00:00:00Z')

    t.strictSame(await kept(), [['elsewhere', false, 'ACTIVE'], ['seen', false, 'ACTIVE']])
  })

  t.test('are unknown unless the hub has them; only a reference to a variant names one', async t => {
    const { market, shop, variantId, addOffer } = await openMarket(jobs)
    await addOffer({ external_id: 'known' })
    await releaseOffer(query, await addOffer({ external_id: 'released' }))
    const wanted = ['known', 'released', 'new'].map(externalId => ({ externalId, variantId }))
    const foreign = { externalId: 'foreign', variantId: randomUUID() }
    const byName = (a: { externalId: string }, b: { externalId: string }) => a.externalId < b.externalId ? -1 : 1

    t.strictSame((await findUnknown(query, market, [...wanted, foreign])).toSorted(byName), [
      { externalId: 'foreign', variantId: null, isReleased: false },
      { externalId: 'new', variantId, isReleased: false },
      { externalId: 'released', variantId, isReleased: true }
    ])
    t.match(
      await findUnknown(query, shop, [{ externalId: 'released', variantId }]),
      [{ isReleased: false }],
      'on another connection it is another offer'
    )
  })

  t.test('are linked once, whoever is first', async t => {
    const { market, variantId } = await openMarket(jobs)
    const linkOf = (externalId: string, title: string): Link => ({
      id: randomUUID(),
      variantId,
      externalId,
      status: 'ACTIVE',
      upstreamStatus: undefined,
      title,
      price: undefined,
      buffer: 0,
      frozenFields: [],
      problems: [],
      upstreamQuantity: undefined,
      isSeen: false
    })
    const [first, second, other] = [linkOf('1', 'first'), linkOf('1', 'second'), linkOf('2', 'other\0')]

    t.strictSame(await storeLinks(query, market, [first]), [first.id])
    t.strictSame(await storeLinks(query, market, [second, other]), [other.id])
    t.strictSame(await query('select title from offers order by external_id'), [
      { title: 'first' },
      { title: 'other\ufffd' }
    ])
  })
})
