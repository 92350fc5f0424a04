import type { Offer } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { insertLinked } from '../../../src/offers/unlinked/insert-linked.ts'
import { cheapestKind, openJobsFor } from '../../jobs/support.ts'
import { openMarket } from '../market.ts'

const shown: Offer = {
  externalId: 'offer-1',
  status: 'INACTIVE',
  upstreamStatus: 'paused',
  title: 'Mug',
  price: { amount: '10.00', currency: 'PLN' },
  quantity: 9_000_000_000,
  frozenFields: ['stock'],
  problems: ['no pictures']
}

t.test('links to variants', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database

  t.test('begin with what the marketplace shows of the offer', async t => {
    const { market, variantId, offer, problems } = await openMarket(jobs)
    const id = randomUUID()
    const own = { code: 'not-looked-up' as const, detail: 'away' }
    const link = { id, variantId, externalId: 'offer-1', buffer: 2, maxListed: 4, shown, problems: [own] }

    t.strictSame(await insertLinked(query, market, [link]), [id])
    t.match(await offer(id), {
      connection_id: market,
      variant_id: variantId,
      status: 'INACTIVE',
      upstream_status: 'paused',
      title: 'Mug',
      price: shown.price,
      buffer: 2,
      max_listed: 4,
      upstream_quantity: 2_147_483_647,
      upstream_read_at: /./,
      seen_at: /./,
      quantity: null,
      last_synced_at: null,
      created_upstream_at: null
    })
    t.strictSame((await offer(id))?.frozen_fields, ['stock'])
    t.strictSame(await problems(id), [{ code: 'marketplace', detail: 'no pictures' }, own])
  })

  t.test('are active and unseen when the hub did not look', async t => {
    const { market, variantId, offer, problems } = await openMarket(jobs)
    const id = randomUUID()
    await insertLinked(query, market, [{ id, variantId, externalId: 'offer-1' }])

    t.match(await offer(id), {
      status: 'ACTIVE',
      buffer: 0,
      max_listed: null,
      upstream_quantity: null,
      upstream_read_at: null,
      seen_at: null
    })
    t.strictSame([(await offer(id))?.frozen_fields, await problems(id)], [[], []])
  })
})
