import t from 'tap'
import { markGone } from '../../src/stock/mark-gone.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'
import { longAgo, openMarket } from '../offers/market.ts'

t.test('variants that the master does not have any more', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database

  t.test('are missing and have no stock, except those that a later reading has found', async t => {
    const { variantIdOf, setStock } = await openMarket(jobs, ['gone', 'empty', 'found'])
    await setStock(0, 'empty')
    await query('update stock set read_at = $1 where variant_id <> $2', [longAgo, variantIdOf('found')])
    const ids = ['gone', 'empty', 'found'].map(variantIdOf)
    const { stored, gone } = await markGone(query, ids, '2025-06-01T00:00:00Z')

    t.strictSame(stored, [{ variantId: variantIdOf('gone'), version: 2 }], 'the other one had no stock before')
    t.equal(gone, 2)
    t.strictSame(
      await query(`
          select external_id as name, missing_at is not null as missing, quantity
          from variants
          join stock on stock.variant_id = variants.id
          order by external_id`),
      [
        { name: 'empty', missing: true, quantity: 0 },
        { name: 'found', missing: false, quantity: 5 },
        { name: 'gone', missing: true, quantity: 0 }
      ]
    )
    t.strictSame(await markGone(query, ids, '2025-06-01T00:00:00Z'), { stored: [], gone: 0 })
  })
})
