import { AdapterErrorCode, ExternalId, isAdapterError, Product, StockLevel } from '@linker/sdk'
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import type { FollowedPage } from '../adapters/page-trail.ts'
import { parseAnswer } from '../adapters/parse-answer.ts'
import { listUnnamed, listUntaxed } from '../catalog/store.ts'
import { repeatOnConflict } from '../database/conflict.ts'
import type { Transaction } from '../database/database.ts'
import { readTime } from '../database/read-time.ts'
import type { JobRequest } from '../jobs/job.ts'
import { markGone } from '../stock/mark-gone.ts'
import { recordCatalog } from '../stock/record-catalog.ts'
import {
  byVariant,
  firstReadingJob,
  parseLevels,
  propagationJobs,
  storeQuantities,
  taxReadingJob
} from '../stock/record-stock.ts'
import { isSuspicious } from '../stock/rules.ts'
import {
  countMissing,
  findDifferences,
  listMissing,
  markSeen,
  type MissingProduct,
  type Sweep
} from '../stock/sweeps/store.ts'
import { advanceSweep, finishSweep, holdSweep } from '../stock/sweeps/sweep.ts'
import type { HandlerServices } from './call-adapter.ts'

//     stock ──listStock──▶ end ──nothing missing──────────────▶ products ──names──▶ complete
//                           │                                     ▲
//                           ├──some──▶ missing ──each looked up───┘
//                           └──suspiciously much, not accepted──▶ held
//
// The step `products` reads the names of the products that were new, and has some products without
// a tax rate read again.

/** The tools of the steps of a sweep. */
export interface Sweeping {
  connectionId: string
  services: HandlerServices
  canReadProducts: boolean
  call(capability: 'InventoryMaster' | 'ProductMaster', method: string, argument: unknown): Promise<unknown>
  readStock(productExternalId: string): Promise<StockLevel[]>
  /** Records a page in the trail, as `followPage` does. */
  follow(page: FollowedPage): void
}

export interface StepResult {
  sweep: Sweep
  outcome?: 'complete' | 'held'
  problem?: string
}

const pageSize = 200
const missingAtOnce = 50
const acceptedAtOnce = 500
/** The most new products that are read one by one. For more the hub reads the shop's list. */
const mostSingleReadings = 50

const pageOf = <Item extends TSchema>(item: Item) =>
  Type.Object({ items: Type.Array(item), nextCursor: Type.Optional(ExternalId) })

/** One transaction of a sweep, after the calls that it needs. */
export function takeStep (sweeping: Sweeping, sweep: Sweep): Promise<StepResult> {
  switch (sweep.phase) {
    case 'stock':
      return compareStock(sweeping, sweep)
    case 'missing':
      return sweep.acceptMissing ? acceptGone(sweeping, sweep) : lookUpMissing(sweeping, sweep)
    case 'products':
      return readNewProducts(sweeping, sweep)
  }
}

/** The result of a step's transaction, and the jobs that follow from it. */
type StoreStep = (transaction: Transaction) => Promise<StepResult & { jobs?: JobRequest[] }>

async function store ({ services: { database, enqueueJobs } }: Sweeping, storeStep: StoreStep): Promise<StepResult> {
  const { jobs = [], ...result } = await repeatOnConflict(() =>
    database.transaction(async transaction => {
      const done = await storeStep(transaction)
      await enqueueJobs(done.jobs ?? [], transaction)
      return done
    })
  )
  if (jobs.length > 0) database.notify('jobs')
  return result
}

async function readPage<Item extends TSchema> (
  { call, follow }: Sweeping,
  capability: 'InventoryMaster' | 'ProductMaster',
  method: string,
  item: Item,
  cursor: string | null
): Promise<{ items: Static<Item>[], nextCursor?: string }> {
  const answer = await call(capability, method, { limit: pageSize, ...(cursor === null ? {} : { cursor }) })
  const page = parseAnswer(pageOf(item), `${capability}.${method}`, answer)
  follow({ method: `${capability}.${method}`, items: page.items.length, nextCursor: page.nextCursor })
  return page
}

async function compareStock (sweeping: Sweeping, sweep: Sweep): Promise<StepResult> {
  const { connectionId } = sweeping
  const readAt = await readTime(sweeping.services.database.query)
  const { items, nextCursor } = await readPage(sweeping, 'InventoryMaster', 'listStock', StockLevel, sweep.cursor)
  const levels = byVariant(connectionId, parseLevels(items))
  return store(sweeping, async transaction => {
    const { query } = transaction
    const differing = (await findDifferences(query, levels, readAt)).flatMap(({ id }) => levels.get(id) ?? [])
    const advanced = await advanceSweep(query, sweep, {
      phase: 'stock',
      cursor: nextCursor ?? null,
      pages: 1,
      seen: levels.size,
      changed: differing.length
    })
    await markSeen(query, sweep, [...levels.keys()])
    const { stored } = await storeQuantities(transaction, connectionId, differing, readAt)
    const jobs = propagationJobs(connectionId, stored)
    return nextCursor === undefined
      ? { jobs, ...await concludeStock(transaction, advanced) }
      : { jobs, sweep: advanced }
  })
}

/** The shop has listed all that it has. */
async function concludeStock ({ query }: Transaction, sweep: Sweep): Promise<StepResult> {
  const { known, missing } = await countMissing(query, sweep)
  if (!sweep.acceptMissing && isSuspicious({ known, missing, seen: sweep.seen })) {
    const problem = `the shop does not list ${missing} of ${known} variants. If it really no longer has them, send ` +
      '`acceptMissing` with POST /stock/reconcile'
    const held = await advanceSweep(query, sweep, { phase: 'stock', cursor: null, missing })
    await finishSweep(query, held, 'held', problem)
    return { sweep: held, outcome: 'held', problem }
  }
  return { sweep: await advanceSweep(query, sweep, { phase: missing > 0 ? 'missing' : 'products', cursor: null }) }
}

async function acceptGone (sweeping: Sweeping, sweep: Sweep): Promise<StepResult> {
  return store(sweeping, async ({ query }) => {
    const products = await listMissing(query, sweep, acceptedAtOnce)
    if (products.length === 0) return { sweep: await advanceSweep(query, sweep, { phase: 'products', cursor: null }) }
    await holdSweep(query, sweep)
    // A variant that a job read after the sweep began is no candidate, so the start of the sweep is
    // the limit.
    const { stored, gone } = await markGone(
      query,
      products.flatMap(({ variants }) => variants.map(({ id }) => id)),
      sweep.startedAt
    )
    return {
      sweep: await advanceSweep(query, sweep, { phase: 'missing', cursor: null, missing: gone }),
      jobs: propagationJobs(sweeping.connectionId, stored)
    }
  })
}

/**
 * Looks up each missing product by itself: a listing leaves out products that are gone and products
 * that it does not know, and unknown is not zero.
 */
async function lookUpMissing (sweeping: Sweeping, sweep: Sweep): Promise<StepResult> {
  const { connectionId, services: { database } } = sweeping
  const readAt = await readTime(database.query)
  const products = await listMissing(database.query, sweep, missingAtOnce)
  const found = await Promise.all(products.map(product => lookUp(sweeping, product)))
  const gone = found.flatMap(({ gone }) => gone)
  const levels = parseLevels(found.flatMap(({ levels }) => levels))
  return store(sweeping, async transaction => {
    const { query } = transaction
    if (products.length === 0) return { sweep: await advanceSweep(query, sweep, { phase: 'products', cursor: null }) }
    await holdSweep(query, sweep)
    const zeroed = await markGone(query, gone, readAt)
    const { stored } = await storeQuantities(transaction, connectionId, levels, readAt)
    // Mark all of them as looked up, whatever the result: the next step takes others.
    await markSeen(query, sweep, products.flatMap(({ variants }) => variants.map(({ id }) => id)))
    const advanced = await advanceSweep(query, sweep, { phase: 'missing', cursor: null, missing: zeroed.gone })
    return { sweep: advanced, jobs: propagationJobs(connectionId, [...zeroed.stored, ...stored]) }
  })
}

interface LookUp {
  gone: string[]
  levels: StockLevel[]
}

const nothingKnown: LookUp = { gone: [], levels: [] }

async function lookUp (sweeping: Sweeping, { externalId, variants }: MissingProduct): Promise<LookUp> {
  const all = variants.map(({ id }) => id)
  const levels = await ifKnown(sweeping.readStock(externalId))
  if (levels === 'unknown') return nothingKnown
  if (levels === 'gone') return { gone: all, levels: [] }
  const listed = new Set(levels.map(level => level.variantExternalId))
  const left = variants.filter(variant => !listed.has(variant.externalId))
  if (left.length === 0 || !sweeping.canReadProducts) return { gone: left.map(({ id }) => id), levels }
  const product =
    await ifKnown(sweeping.call('ProductMaster', 'getProduct', externalId).then(answer =>
      parseAnswer(Product, 'ProductMaster.getProduct', answer)
    ))
  if (product === 'unknown') return { gone: [], levels }
  const sold = new Set(product === 'gone' ? [] : product.variants.map(variant => variant.externalId))
  return { gone: left.filter(variant => !sold.has(variant.externalId)).map(({ id }) => id), levels }
}

/**
 * `gone`: the shop says that it does not have it. `unknown`: it does not say, this time. Everything
 * else ends the slice.
 */
async function ifKnown<Result> (reading: Promise<Result>): Promise<Result | 'gone' | 'unknown'> {
  try {
    return await reading
  } catch (error) {
    if (!isAdapterError(error)) throw error
    if (error.code === AdapterErrorCode.notFound) return 'gone'
    if (error.code === AdapterErrorCode.transient || error.code === AdapterErrorCode.rejected) return 'unknown'
    throw error
  }
}

async function readNewProducts (sweeping: Sweeping, sweep: Sweep): Promise<StepResult> {
  const { connectionId, services: { database }, canReadProducts } = sweeping
  const unnamed = canReadProducts ? await listUnnamed(database.query, connectionId, mostSingleReadings + 1) : []
  const isListed = sweep.cursor !== null || unnamed.length > mostSingleReadings
  const { items, nextCursor } = isListed
    ? await readPage(sweeping, 'ProductMaster', 'listProducts', Product, sweep.cursor)
    : { items: [], nextCursor: undefined }
  return store(sweeping, async transaction => {
    const { query } = transaction
    const wanted = new Set(await listUnnamed(
      query,
      connectionId,
      items.length,
      items.map(({ externalId }) => externalId)
    ))
    const found = items.filter(({ externalId }) => wanted.has(externalId))
    const switched = await recordCatalog(transaction, connectionId, found)
    const advanced = await advanceSweep(query, sweep, {
      phase: 'products',
      cursor: nextCursor ?? null,
      pages: isListed ? 1 : 0
    })
    if (nextCursor !== undefined) return { sweep: advanced, jobs: switched }
    await finishSweep(query, advanced, 'complete')
    const left = canReadProducts ? await listUnnamed(query, connectionId, mostSingleReadings) : []
    const untaxed = canReadProducts ? await listUntaxed(query, connectionId, mostSingleReadings) : []
    return {
      sweep: advanced,
      outcome: 'complete',
      jobs: [
        ...switched,
        ...left.map(externalId => firstReadingJob(connectionId, externalId)),
        ...untaxed.map(externalId => taxReadingJob(connectionId, externalId))
      ]
    }
  })
}
