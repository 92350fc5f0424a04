import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { Query, Transaction } from '../../src/database/database.ts'
import { recordReserved, recordSold } from '../../src/stock/reserved-pieces.ts'
import { sellable } from '../../src/stock/rules.ts'
import { listStockOf, writeQuantities } from '../../src/stock/store.ts'
import { blocked, kinds, openJobsFor, type Jobs } from '../jobs/support.ts'
import { openMarket } from '../offers/market.ts'

/** Lets a variant join a stock of five pieces. */
async function join (query: Query, id: string, sharedId: string): Promise<void> {
  const [{ readAt = '' } = {}] = await query<{ readAt: string }>('select clock_timestamp()::text as "readAt"')
  await writeQuantities(query, [{ id, quantity: 5, isCounted: true, sharedId, readAt }])
}

/** Does `first`, holds its transaction open until `second` waits for it, and commits it. */
async function interleave<Result> (
  { database: { query, transaction } }: Jobs,
  first: (opened: Transaction) => Promise<void>,
  second: (opened: Transaction) => Promise<Result>
): Promise<Result> {
  const isDone = Promise.withResolvers<undefined>()
  const mayCommit = Promise.withResolvers<undefined>()
  const held = transaction(async opened => {
    await first(opened)
    isDone.resolve(undefined)
    await mayCommit.promise
  })
  await isDone.promise
  const result = transaction(second)
  await Promise.race([blocked(query), result])
  mayCommit.resolve(undefined)
  await held
  return result
}

t.test('while a variant joins a stock', { skip: kinds(t).length === 1 && 'one connection' }, async t => {
  const jobs = await openJobsFor(t, 'postgres')
  const { query } = jobs.database

  async function openStock (names: [string, ...string[]], shared: readonly string[]) {
    const { variantIdOf } = await openMarket(jobs, names)
    const ids = Object.fromEntries(names.map(name => [name, variantIdOf(name)]))
    const pool = randomUUID()
    await query('update stock set shared_id = $1 where variant_id = any($2)', [pool, shared.map(variantIdOf)])
    return {
      pool,
      idOf: variantIdOf,
      namesOf: (rows: readonly { variantId: string }[]) =>
        rows.map(({ variantId }) => names.find(name => ids[name] === variantId)).toSorted(),
      left: async () => (await listStockOf(query, Object.values(ids))).map(sellable)
    }
  }

  t.test('its reservation is told to all that share the stock', async t => {
    const { pool, idOf, namesOf, left } = await openStock(['a', 'b', 'c'], ['b', 'c'])

    const told = await interleave(
      jobs,
      opened => join(opened.query, idOf('a'), pool),
      opened => recordReserved(opened, [{ variantId: idOf('a'), by: 2 }])
    )

    t.strictSame(namesOf(told), ['a', 'b', 'c'])
    t.strictSame(await left(), [3, 3, 3])
  })

  t.test('a reservation of another is told to it', async t => {
    const { pool, idOf, namesOf, left } = await openStock(['a', 'b', 'c'], ['b', 'c'])

    const told = await interleave(
      jobs,
      opened => join(opened.query, idOf('a'), pool),
      opened => recordReserved(opened, [{ variantId: idOf('b'), by: 2 }])
    )

    t.strictSame(namesOf(told), ['a', 'b', 'c'])
    t.strictSame(await left(), [3, 3, 3])
  })

  t.test('a reservation of another that joins the same new stock is told to it', async t => {
    const { pool, idOf, namesOf, left } = await openStock(['a', 'b'], [])

    const told = await interleave(jobs, opened => join(opened.query, idOf('a'), pool), async opened => {
      await join(opened.query, idOf('b'), pool)
      return recordReserved(opened, [{ variantId: idOf('b'), by: 2 }])
    })

    t.strictSame(namesOf(told), ['a', 'b'])
    t.strictSame(await left(), [3, 3])
  })

  t.test('a sale of another takes its pieces, too', async t => {
    const { pool, idOf, left } = await openStock(['a', 'b', 'c'], ['b', 'c'])
    await recordReserved(jobs.database, [{ variantId: idOf('b'), by: 2 }])

    await interleave(
      jobs,
      opened => join(opened.query, idOf('a'), pool),
      opened => recordSold(opened, [{ variantId: idOf('b'), by: 2 }])
    )

    t.strictSame(await left(), [3, 3, 3])
  })
})
