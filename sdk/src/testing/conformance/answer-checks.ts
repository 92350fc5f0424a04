import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { AnswerLimitError } from '../../host/answer-limits.ts'
import { Product, StockLevel } from '../../schemas/product.ts'
import type { Check } from './check.ts'
import { anyAnswers } from './evidence.ts'
import type { Finding } from './finding.ts'
import { misfitOf } from './methods.ts'
import { shortened } from './observed.ts'
import { orderFaults } from './order-faults.ts'
import type { Subject } from './subject.ts'

export const answerChecks: readonly Check[] = [
  {
    id: 'L2-ANS-01',
    level: 2,
    needs: 'outcomes',
    experiments: 'all',
    evidence: anyAnswers,
    title: 'the answer of a call fits the contract of its method, even if the call sent no request',
    prevents:
      "the hub refused an answer that the adapter's own tests had accepted, and the job was dead at the first try",
    run: subject => findMisfits(subject)
  },
  {
    id: 'L2-ANS-02',
    level: 2,
    needs: 'outcomes',
    experiments: 'all',
    evidence: anyAnswers,
    title: 'the answer of a call has no more items than its limit and no more bytes than the hub accepts',
    prevents: 'one answer with a million items kept the hub busy for minutes',
    run: subject => findOversized(subject)
  },
  {
    id: 'L2-ANS-03',
    level: 2,
    needs: 'outcomes',
    experiments: 'all',
    evidence: anyAnswers,
    title: 'all counted levels of one shared stock have the same quantity',
    prevents: 'two offers showed different quantities of the same pieces, and the hub had to believe the smaller one',
    run: subject => findContradictions(subject)
  },
  {
    id: 'L2-ANS-04',
    level: 2,
    needs: 'outcomes',
    experiments: 'all',
    evidence: anyAnswers,
    title: 'an order has one currency, cash on delivery is not paid, and the total of an order of a marketplace is ' +
      'the sum of its lines, shipping and extras',
    prevents: 'a parcel to be paid on delivery went out as paid, and a deposit became a part of the shipping price',
    run: subject => findFaults(subject, orderFaults)
  },
  {
    id: 'L2-ANS-05',
    level: 2,
    needs: 'outcomes',
    experiments: 'all',
    evidence: anyAnswers,
    title: 'the regular price of a variant is at least its price, in the same currency',
    prevents: 'an offer of the marketplace had the price of a promotion that nobody could see in the hub',
    run: subject => findInProducts(subject, wrongPrices)
  },
  {
    id: 'L2-ANS-06',
    level: 2,
    needs: 'outcomes',
    experiments: 'all',
    evidence: anyAnswers,
    title: 'a product that is not active has no variant that says `sellable: true`',
    prevents: 'a product was recalled and switched off in the shop, and the marketplaces went on selling it',
    run: subject => findInProducts(subject, sellableAllTheSame)
  }
]

async function findInProducts (
  subject: Subject,
  faultOf: (product: Product) => string | undefined
): Promise<Finding[]> {
  return findFaults(subject, (_call, value) => productsOf(value).map(faultOf).filter(fault => fault !== undefined))
}

async function findFaults (
  { run }: Subject,
  faultsOf: (call: Parameters<typeof orderFaults>[0], value: unknown) => readonly string[]
): Promise<Finding[]> {
  const { report, plan } = await run()
  const found = new Map<string, Finding>()
  for (const { id, value } of (report?.results ?? []).flatMap(({ outcomes }) => outcomes)) {
    const target = plan.targets.get(id)
    if (target === undefined) continue
    for (const message of faultsOf(target.call, value)) {
      found.set(`${target.name} ${message}`, { target: target.name, message })
    }
  }
  return [...found.values()]
}

const Products = Type.Array(Product)
const WithProducts = Type.Union([
  Product,
  Type.Object({ items: Products }),
  Type.Object({ products: Products })
])

/** The products in the answer of a method or of a job. */
function productsOf (value: unknown): Product[] {
  if (!Value.Check(WithProducts, value)) return []
  if ('items' in value) return value.items
  return 'products' in value ? value.products : [value]
}

function wrongPrices ({ externalId, variants }: Product): string | undefined {
  const wrong = variants.find(({ price, regularPrice }) =>
    regularPrice !== undefined && (
      price === undefined || price.currency !== regularPrice.currency ||
      Number(regularPrice.amount) < Number(price.amount)
    )
  )
  return wrong === undefined
    ? undefined
    : `it answered product ${shortened(externalId)} with a regular price below the price of today, or without one`
}

function sellableAllTheSame ({ externalId, isActive, variants }: Product): string | undefined {
  return !isActive && variants.some(({ sellable }) => sellable === true)
    ? `it answered product ${shortened(externalId)} as switched off, with a variant that is sellable`
    : undefined
}

async function findContradictions ({ run }: Subject): Promise<Finding[]> {
  const { report, plan } = await run()
  const found = new Map<string, Finding>()
  for (const { id, value } of (report?.results ?? []).flatMap(({ outcomes }) => outcomes)) {
    const target = plan.targets.get(id)
    if (target === undefined) continue
    for (const stock of contradictingStocks(levelsOf(value))) {
      const message = `it answered several quantities of the shared stock ${shortened(stock)}`
      found.set(`${target.name} ${message}`, { target: target.name, message })
    }
  }
  return [...found.values()]
}

const Levels = Type.Array(StockLevel)
const WithLevels = Type.Union([
  Levels,
  Type.Object({ items: Levels }),
  Type.Object({ stock: Levels })
])

/** The levels in the answer of a method or of a job. */
function levelsOf (value: unknown): StockLevel[] {
  if (!Value.Check(WithLevels, value)) return []
  if (Array.isArray(value)) return value
  return 'items' in value ? value.items : value.stock
}

function contradictingStocks (levels: readonly StockLevel[]): string[] {
  // The quantity of a level that the shop does not count means nothing.
  const counted = levels.filter(({ isCounted = true }) => isCounted)
  const quantities = Map.groupBy(counted, ({ sharedStockId }) => sharedStockId)
  return [...quantities].flatMap(([stock, [first, ...others]]) =>
    stock !== undefined && others.some(({ quantity }) => quantity !== first?.quantity) ? [stock] : []
  )
}

async function findOversized ({ run }: Subject): Promise<Finding[]> {
  const { report, plan } = await run()
  const found = new Map<string, Finding>()
  for (const { id, error } of (report?.results ?? []).flatMap(({ outcomes }) => outcomes)) {
    const target = plan.targets.get(id)
    if (target === undefined || error?.name !== AnswerLimitError.name) continue
    found.set(`${target.name} ${error.message}`, { target: target.name, message: error.message })
  }
  return [...found.values()]
}

async function findMisfits ({ run }: Subject): Promise<Finding[]> {
  const { report, plan } = await run()
  const found = new Map<string, Finding>()
  for (const { id, value, error } of (report?.results ?? []).flatMap(({ outcomes }) => outcomes)) {
    const target = plan.targets.get(id)
    if (target === undefined || error !== undefined) continue
    const misfit = misfitOf(target.answer, value)
    // Report each misfit of a call once: it occurs for every way of answering.
    if (misfit !== undefined) {
      found.set(`${target.name} ${misfit}`, {
        target: target.name,
        message: `it answered ${shortened(value)}, which does not fit: ${misfit}`
      })
    }
  }
  return [...found.values()]
}
