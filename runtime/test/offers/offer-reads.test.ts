import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createOfferReads } from '../../src/offers/offer-reads.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'
import { openMarket } from './market.ts'

t.test('offers that several jobs read at once', async t => {
  const jobs = await openJobsFor(t, cheapestKind)

  /** Opens two offers of different variants. */
  async function open () {
    const { variantId, variantIdOf, addOffer } = await openMarket(jobs, ['v', 'w', 'x'])
    const first = await addOffer()
    const second = await addOffer({ external_id: 'offer-2', variant_id: variantIdOf('w') })
    const statements: string[] = []
    const reads = createOfferReads({
      query (text, values) {
        statements.push(text)
        return jobs.database.query(text, values)
      }
    })
    return { first, second, variantId, variantIdOf, reads, statements }
  }

  t.test('come by one statement, each to its own job, and none to an unknown id', async t => {
    const { first, second, reads, statements } = await open()
    const ids = [first, second, randomUUID(), second]
    const found = await Promise.all(ids.map(id => reads.stockOf(id)))

    t.strictSame(found.map(offer => offer?.id), [first, second, undefined, second])
    t.equal(statements.length, 1)
  })

  t.test('have their versions by variant', async t => {
    const { first, second, variantId, variantIdOf, reads, statements } = await open()
    const variants = [variantIdOf('w'), variantId, variantIdOf('x')]
    const found = await Promise.all(variants.map(id => reads.versionsOf(id)))

    t.strictSame(found.map(offers => offers.map(({ id }) => id)), [[second], [first], []])
    t.equal(statements.length, 1)
  })

  t.test('are found by ids in capitals', async t => {
    const { first, variantId, reads } = await open()
    t.match(await reads.stockOf(first.toUpperCase()), { id: first })
    t.match(await reads.versionsOf(variantId.toUpperCase()), [{ id: first }])
  })
})
