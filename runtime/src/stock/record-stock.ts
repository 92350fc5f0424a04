import { RejectedError, type StockLevel } from '@linker/sdk'
import { productIdOf, sharedStockIdOf, variantIdOf } from '../catalog/identity.ts'
import { syncProduct } from '../catalog/jobs.ts'
import { recordReferences } from '../catalog/record-products.ts'
import { clearMissing, switchVariants } from '../catalog/store.ts'
import type { Transaction } from '../database/database.ts'
import { toStorableJson } from '../database/storable-json.ts'
import type { JobRequest } from '../jobs/job.ts'
import { defineSharedEffects } from '../jobs/shared-effects.ts'
import { noteOutdated } from '../jobs/store.ts'
import { propagateStock } from './jobs.ts'
import { uncountedPieces } from './rules.ts'
import { raiseSwitchedVersions, writeQuantities, type StoredVersion, type VariantLevel } from './store.ts'

/** The largest number of the column. */
const largestQuantity = 2_147_483_647

type Writer = Pick<Transaction, 'query'>

/** The job that read quantities. `claimedAt`: the reading did not begin before this time. */
export interface Reading {
  id: string
  connectionId: string
  claimedAt: string
  requestId?: string
  /** That of the webhook, if one led to the reading. */
  payload?: Readonly<Record<string, unknown>>
}

/** A reading with its quantities, which `parseLevels` has checked. */
export interface StockReading {
  reading: Reading
  levels: readonly StockLevel[]
}

/**
 * Writes quantities that a job read from a master shop. Returns the jobs that follow: a propagation
 * per variant, and a first reading of each new product. The version grows only when the quantity
 * changed, and the propagation's key carries it: repeating a reading starts nothing, while 5 → 6 →
 * 5 starts three propagations. Call it in the transaction that ends the job: the job's result says
 * how many quantities came too late.
 */
export async function recordStock (
  transaction: Writer,
  reading: Reading,
  found: readonly StockLevel[]
): Promise<JobRequest[]> {
  return recordReadings(transaction, [{ reading, levels: parseLevels(found) }])
}

/** Like `recordStock`, for several jobs. */
export async function recordReadings (
  transaction: Writer,
  readings: readonly StockReading[]
): Promise<JobRequest[]> {
  const stored = await storeTogether(
    transaction,
    readings.map(({ reading: { connectionId, claimedAt }, levels }) => ({ connectionId, levels, readAt: claimedAt }))
  )
  const jobs: JobRequest[] = []
  for (const [index, { reading: { id, connectionId, requestId, payload } }] of readings.entries()) {
    const { stored: versions, newProducts, outdated } = stored[index] ?? nothingStored
    if (outdated > 0) await noteOutdated(transaction.query, id, outdated)
    jobs.push(
      ...newProducts.map(externalId => firstReadingJob(connectionId, externalId, requestId)),
      ...propagationJobs(connectionId, versions, { requestId, receivedAt: receivedAtOf(payload) })
    )
  }
  return jobs
}

/** Makes the effects of a job that read quantities: jobs that end together store theirs at once. */
export const effectsOfStock = defineSharedEffects(recordReadings)

/** Checks quantities of an adapter and makes them storable. */
export function parseLevels (found: readonly StockLevel[]): StockLevel[] {
  const levels = JSON.parse(toStorableJson(found)) as StockLevel[]
  const beyond = levels.find(level => Math.abs(level.quantity) > largestQuantity)
  if (beyond !== undefined) {
    const { quantity, variantExternalId } = beyond
    throw new RejectedError(`the shop reports an invalid quantity of variant '${variantExternalId}': ${quantity}`)
  }
  return levels
}

/**
 * Returns quantities by the id of their variant. When a variant is named twice, the last quantity
 * counts: a statement must not write a row twice. When a shared stock has several quantities, the
 * smallest one counts, because more could not be delivered.
 */
export function byVariant (connectionId: string, levels: readonly StockLevel[]): Map<string, VariantLevel> {
  const smallest = new Map<string, StockLevel>()
  for (const level of levels) {
    const { sharedStockId } = level
    if (sharedStockId === undefined) continue
    const known = smallest.get(sharedStockId)
    if (known === undefined || piecesOf(level) < piecesOf(known)) smallest.set(sharedStockId, level)
  }
  return new Map(levels.map(level => {
    const { productExternalId, variantExternalId, sharedStockId } = level
    const { quantity, isCounted = true } = smallest.get(sharedStockId ?? '') ?? level
    return [variantIdOf(connectionId, productExternalId, variantExternalId), {
      ...level,
      quantity: isCounted ? quantity : uncountedPieces,
      isCounted,
      sharedId: sharedStockId === undefined ? null : sharedStockIdOf(connectionId, sharedStockId)
    }]
  }))
}

function piecesOf ({ quantity, isCounted = true }: StockLevel): number {
  return isCounted ? quantity : Number.POSITIVE_INFINITY
}

export interface StoredQuantities {
  stored: StoredVersion[]
  newProducts: string[]
  outdated: number
}

const nothingStored: StoredQuantities = { stored: [], newProducts: [], outdated: 0 }

/**
 * Writes quantities. `readAt`: the start of the reading or earlier, by the clock of the database.
 * Rows with a later reading stay, and are counted as `outdated`. Returns the written rows, without
 * those of new variants, which no offer can sell yet.
 */
export async function storeQuantities (
  transaction: Writer,
  connectionId: string,
  levels: readonly StockLevel[],
  readAt: string
): Promise<StoredQuantities> {
  const [stored] = await storeTogether(transaction, [{ connectionId, levels, readAt }])
  return stored ?? nothingStored
}

interface ReadLevels {
  connectionId: string
  levels: readonly StockLevel[]
  readAt: string
}

/** Writes the quantities of several readings. Returns what became of each reading. */
async function storeTogether (transaction: Writer, readings: readonly ReadLevels[]): Promise<StoredQuantities[]> {
  const found = readings.map(({ connectionId, levels }) => byVariant(connectionId, levels))
  const variants = new Set(found.flatMap(levels => [...levels.keys()]))
  if (variants.size === 0) return readings.map(() => nothingStored)
  // A statement must not write a row twice, and of a shared stock the later reading counts.
  const isRepeated = variants.size < found.reduce((sum, levels) => sum + levels.size, 0)
  if (isRepeated || shareStock(found)) return storeInTurn(transaction, readings)

  const { newProducts, newVariants } = await recordReferences(
    transaction,
    readings.flatMap(({ connectionId, levels }) => levels.map(level => ({ connectionId, ...level })))
  )
  const { written, sharing } = await writeQuantities(
    transaction.query,
    readings.flatMap(({ readAt }, index) =>
      Array.from(
        found[index] ?? [],
        ([id, { quantity, isCounted, sharedId }]) => ({ id, quantity, isCounted, sharedId, readAt })
      )
    )
  )
  await clearMissing(transaction.query, written.map(({ variantId }) => variantId))
  const switched = await storeSwitched(transaction.query, readings, found, written)
  return readings.map(({ connectionId, levels }, index) => {
    const ofReading = written.filter(({ variantId }) => found[index]?.has(variantId) === true)
    const named = new Set(levels.map(({ productExternalId }) => productExternalId))
    return {
      stored: [
        ...ofReading.filter(({ variantId }) => !newVariants.has(variantId))
          .map(({ variantId, version }) => ({ variantId, version: switched.get(variantId) ?? version })),
        ...sharing.filter(({ causedBy = '' }) => found[index]?.has(causedBy))
      ],
      newProducts: newProducts.size === 0
        ? []
        : [...named].filter(externalId => newProducts.has(productIdOf(connectionId, externalId))),
      outdated: (found[index]?.size ?? 0) - ofReading.length
    }
  })
}

/**
 * Stores which variants the master has switched on or off, of those whose quantity was written.
 * Returns their versions.
 */
async function storeSwitched (
  query: Transaction['query'],
  readings: readonly ReadLevels[],
  found: readonly ReadonlyMap<string, VariantLevel>[],
  written: readonly StoredVersion[]
): Promise<ReadonlyMap<string, number>> {
  const ids = new Set(written.map(({ variantId }) => variantId))
  const told = readings.flatMap(({ readAt }, index) =>
    Array.from(found[index] ?? []).flatMap(([id, { sellable }]) =>
      sellable === undefined || !ids.has(id) ? [] : [{ id, isSellable: sellable, readAt }]
    )
  )
  if (told.length === 0) return new Map()
  const raised = await raiseSwitchedVersions(query, told)
  await switchVariants(query, told)
  return new Map(raised.map(({ variantId, version }) => [variantId, version]))
}

/** The shared stocks of a reading. */
function stocksOf (levels: ReadonlyMap<string, VariantLevel>): Set<string> {
  return new Set([...levels.values()].flatMap(({ sharedId }) => sharedId ?? []))
}

/** Whether two readings tell the quantity of one shared stock. */
function shareStock (found: readonly ReadonlyMap<string, VariantLevel>[]): boolean {
  const stocks = found.flatMap(levels => [...stocksOf(levels)])
  return new Set(stocks).size < stocks.length
}

async function storeInTurn (transaction: Writer, readings: readonly ReadLevels[]): Promise<StoredQuantities[]> {
  const stored: StoredQuantities[] = []
  for (const reading of readings) stored.push(...await storeTogether(transaction, [reading]))
  return stored
}

/** One job propagates one version of the stock of a variant. */
export function propagationKey (variantId: string, version: number): string {
  return `stock:${variantId}:${version}`
}

/** The request and the webhook that led to a change of stock. */
export interface Cause {
  requestId?: string | undefined
  /** When the hub received the webhook, if it was one. */
  receivedAt?: string | undefined
}

/** A replay comes long after the webhook that it repeats. */
function receivedAtOf ({ publishedAt, replayOf }: Readonly<Record<string, unknown>> = {}): string | undefined {
  return typeof publishedAt === 'string' && replayOf === undefined ? publishedAt : undefined
}

/**
 * Returns the jobs that write the offers of variants after a change of their stock. `connectionId`:
 * the shop that has read them, so that a large reading leaves room for other connections.
 */
export function propagationJobs (
  connectionId: string | null,
  stored: readonly StoredVersion[],
  { requestId, receivedAt }: Cause = {}
): JobRequest[] {
  return stored.map(({ variantId, version }) =>
    propagateStock.request({ variantId, stockVersion: version, ...(receivedAt === undefined ? {} : { receivedAt }) }, {
      connectionId,
      key: propagationKey(variantId, version),
      requestId
    })
  )
}

/** The job that reads a product of which the hub only knows the stock. */
export function firstReadingJob (connectionId: string, externalId: string, requestId?: string): JobRequest {
  return syncProduct.request({ externalId }, {
    connectionId,
    key: `product:${connectionId}:${externalId}:first`,
    requestId
  })
}

/**
 * The job that reads a product again of which the hub does not know the tax rate. A shop that tells
 * none is asked once, as long as the ledger keeps the job.
 */
export function taxReadingJob (connectionId: string, externalId: string): JobRequest {
  return syncProduct.request({ externalId }, { connectionId, key: `product:${connectionId}:${externalId}:tax` })
}
