import {
  AuthenticationError,
  NotFoundError,
  RejectedError,
  TransientError,
  type Product,
  type StockLevel
} from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { takeStep, type StepResult, type Sweeping } from '../../src/handlers/sweep-steps.ts'
import { storeQuantities } from '../../src/stock/record-stock.ts'
import type { Sweep } from '../../src/stock/sweeps/store.ts'
import { openSweep, SweepTakenError } from '../../src/stock/sweeps/sweep.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'
import { createServices } from './fake-adapter.ts'

const level = (productExternalId: string, variantExternalId: string, quantity: number): StockLevel => ({
  productExternalId,
  variantExternalId,
  quantity
})

/** Product `p` with two variants and product `q` with one; the shop lists the stock of `q` only. */
const known = [level('p', '1', 5), level('p', '2', 6), level('q', '1', 7)]
const listed = [level('q', '1', 7)]

function product (...variants: string[]): Product {
  return { externalId: 'p', name: 'Mug', isActive: true, variants: variants.map(externalId => ({ externalId })) }
}

type Answer<Value> = Value | Error

function give<Value> (answer: Answer<Value>): Promise<Value> {
  return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
}

interface Shop {
  stock: Answer<StockLevel[]>
  product?: Answer<Product>
  canReadProducts?: boolean
}

t.test('the steps of a sweep', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { database } = jobs
  const { query } = database

  /** A sweep over a shop that answers so when it is asked for product `p` alone. */
  async function open ({ stock, product = new Error('not asked'), canReadProducts = true }: Shop) {
    const connectionId = await jobs.addConnection()
    await storeQuantities(database, connectionId, known, '2020-01-01 00:00:00+00')
    const begun = await openSweep(query, connectionId, randomUUID(), 'fake.api.v1@1.0.0')
    if (begun === undefined) throw new TypeError('no sweep was opened')
    const asked: unknown[] = []
    const sweeping: Sweeping = {
      connectionId,
      services: createServices(jobs, () => ({})),
      canReadProducts,
      async call (_capability, method, argument) {
        if (method === 'listStock') return { items: listed }
        asked.push(argument)
        return give(product)
      },
      async readStock (externalId) {
        asked.push(externalId)
        return give(stock)
      },
      follow: () => undefined
    }
    return {
      begun,
      asked,
      step: (sweep: Sweep) => takeStep(sweeping, sweep),
      /** Takes steps until the sweep has ended. */
      async run (): Promise<StepResult> {
        let result: StepResult = { sweep: begun }
        while (result.outcome === undefined) result = await takeStep(sweeping, result.sweep)
        return result
      },
      stock: async () =>
        Object.fromEntries((await query<{ name: string, quantity: number }>(
          `
            select products.external_id || variants.external_id as name, stock.quantity
            from stock
            join variants on variants.id = stock.variant_id
            join products on products.id = variants.product_id
            where products.connection_id = $1
            order by 1`,
          [connectionId]
        )).map(({ name, quantity }) => [name, quantity])),
      /** Counts the jobs that propagate another version than the first. */
      propagations: async () =>
        (await query(
          `
          select from jobs
          where connection_id = $1
            and job_type = 'inventory.propagateToMarketplaces'
            and payload ->> 'stockVersion' <> '1'`,
          [connectionId]
        )).length
    }
  }

  const asIs = { p1: 5, p2: 6, q1: 7 }
  const cases: [what: string, shop: Shop, stock: object, missing: number][] = [
    ['a product that the shop does not have is gone', { stock: new NotFoundError('x') }, { p1: 0, p2: 0, q1: 7 }, 2],
    ['a product that the shop does not answer for stays', { stock: new TransientError('x') }, asIs, 0],
    ['a product that the shop refuses to show stays', { stock: new RejectedError('x') }, asIs, 0],
    ['a product that was only left out of the list stays', { stock: known.slice(0, 2) }, asIs, 0],
    [
      'a variant without a quantity stays while the product has it: unknown is not zero',
      { stock: [level('p', '1', 4)], product: product('1', '2') },
      { p1: 4, p2: 6, q1: 7 },
      0
    ],
    [
      'a variant that the product does not have any more is gone',
      { stock: [level('p', '1', 5)], product: product('1') },
      { p1: 5, p2: 0, q1: 7 },
      1
    ],
    [
      'a variant of a product that is gone by then is gone',
      { stock: [level('p', '1', 5)], product: new NotFoundError('x') },
      { p1: 5, p2: 0, q1: 7 },
      1
    ],
    [
      'a variant stays when the shop does not answer for the product; its quantities are stored',
      { stock: [level('p', '1', 4)], product: new TransientError('x') },
      { p1: 4, p2: 6, q1: 7 },
      0
    ],
    [
      'a shop that cannot show products has no other word than its stock',
      { stock: [level('p', '1', 5)], canReadProducts: false },
      { p1: 5, p2: 0, q1: 7 },
      1
    ]
  ]
  for (const [what, shop, expected, missing] of cases) {
    t.test(what, async t => {
      const { run, stock, propagations } = await open(shop)
      const { sweep, outcome } = await run()
      const changed = Object.entries(expected).filter(([name, quantity]) => Reflect.get(asIs, name) !== quantity)

      t.equal(outcome, 'complete')
      t.strictSame(await stock(), expected)
      t.equal(sweep.missing, missing)
      t.equal(await propagations(), changed.length)
    })
  }

  t.test('a failure that concerns the whole shop ends the slice, and nothing is taken for gone', async t => {
    const { run, stock } = await open({ stock: new AuthenticationError('x') })

    await t.rejects(run(), { code: 'LNK_ADAPTER_AUTHENTICATION' })
    t.strictSame(await stock(), asIs)
  })

  t.test('missing products that the operator gave up are gone without a question', async t => {
    const { begun, step, stock, asked } = await open({ stock: known })
    await query('update inventory_sweeps set accept_missing = true where id = $1', [begun.id])
    const { sweep } = await step({ ...begun, acceptMissing: true })
    await step(sweep)

    t.equal(sweep.phase, 'missing')
    t.strictSame(await stock(), { p1: 0, p2: 0, q1: 7 })
    t.strictSame(asked, [])
  })

  for (const canReadProducts of [true, false]) {
    t.test(`a sweep reads products without a tax rate again, if it can: ${canReadProducts}`, async t => {
      const { begun, run } = await open({ stock: known, product: product('1', '2'), canReadProducts })
      const { connectionId } = begun
      await query(
        `update variants set price = '{"amount":"1","currency":"EUR"}'
         from products where products.id = variants.product_id and products.connection_id = $1`,
        [connectionId]
      )
      await query("update products set name = 'Mug', updated_at = '2020-01-01' where connection_id = $1", [
        connectionId
      ])
      await run()

      const made = await query<{ id: string }>(
        `select payload ->> 'externalId' as id from jobs
         where connection_id = $1 and job_type = 'master.product.syncByExternalId' order by 1`,
        [connectionId]
      )
      t.strictSame(made.map(({ id }) => id), canReadProducts ? ['p', 'q'] : [])
    })
  }

  t.test('a run that another one has overtaken stores nothing of its step', async t => {
    const { begun, step, stock } = await open({ stock: new NotFoundError('x') })
    const { sweep } = await step(begun)
    await query('update inventory_sweeps set steps = steps + 1 where id = $1', [begun.id])

    t.ok(await step(sweep).catch((error: unknown) => error) instanceof SweepTakenError)
    t.strictSame(await stock(), asIs)
  })
})
