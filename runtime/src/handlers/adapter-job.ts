import { ExternalId, Offer, Order, Product, RefusedQuantity, StockLevel, type JobOutcome } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { parseAnswer } from '../adapters/parse-answer.ts'
import type { OpenConnection } from '../connections/open-connection.ts'
import type { Transaction } from '../database/database.ts'
import { JobTypeUnknownError } from '../errors.ts'
import type { JobRequest } from '../jobs/job.ts'
import { storeRefused } from '../offers/own-problems.ts'
import { recordShown, tellOf } from '../offers/reconcile/record-shown.ts'
import { demandRewrite } from '../offers/store.ts'
import { ingestOrder, readingOptions } from '../orders/ingest-order.ts'
import { recordDestinationOrders } from '../orders/shop/destination.ts'
import { readAgainJobs } from '../stock/read-again.ts'
import { recordCatalog } from '../stock/record-catalog.ts'
import { effectsOfStock, parseLevels, recordStock } from '../stock/record-stock.ts'
import { callJob, type CoreHandler, type HandlerServices } from './call-adapter.ts'
import { jobsOfRecorded } from './recorded-offers.ts'

// A reading of more quantities would hold up the other jobs of a shared transaction.
const mostShared = 100

const Outcome = Type.Object({
  products: Type.Optional(Type.Array(Product)),
  stock: Type.Optional(Type.Array(StockLevel)),
  orders: Type.Optional(Type.Array(Order)),
  offers: Type.Optional(Type.Array(Offer)),
  refusedQuantities: Type.Optional(Type.Array(RefusedQuantity)),
  overwrittenOffers: Type.Optional(Type.Array(ExternalId)),
  result: Type.Optional(Type.Unknown())
}, { additionalProperties: false })
type Outcome = Static<typeof Outcome>
type OfferFindings = Pick<JobOutcome, 'offers' | 'refusedQuantities' | 'overwrittenOffers'>

/**
 * Ingests the orders of a marketplace, unless another connection to the account does. From a shop,
 * takes only the orders that the hub made there and ignores the shop's own orders.
 */
async function recordOrders (
  transaction: Transaction,
  opened: OpenConnection,
  orders: readonly Order[],
  requestId: string | undefined
): Promise<JobRequest[]> {
  const { connection } = opened
  if (!isMarketplace(opened)) {
    return (await recordDestinationOrders(transaction, connection.id, orders, { requestId })).jobs
  }
  if (typeof connection.accountShared === 'string') return []
  const jobs: JobRequest[] = []
  for (const order of orders) {
    const ingested = await ingestOrder(transaction, connection.id, order, readingOptions(opened, requestId))
    jobs.push(...ingested.jobs)
  }
  return jobs
}

function isMarketplace ({ connection }: OpenConnection): boolean {
  return connection.capabilities.some(name => name === 'OrderSource' || name === 'Marketplace')
}

function countsOf (outcome: JobOutcome): object {
  const { products = [], stock = [], orders, offers, refusedQuantities, overwrittenOffers } = outcome
  return {
    products: products.length,
    variants: stock.length,
    orders: orders?.length,
    offers: offers?.length,
    refusedQuantities: refusedQuantities?.length,
    overwrittenOffers: overwrittenOffers?.length
  }
}

/**
 * Stores the offers that the marketplace shows, then the quantities that it refused: a reading that
 * began earlier does not know the refusals. Offers that show an older quantity are written again.
 */
async function recordOffers (
  { query }: Transaction,
  opened: OpenConnection,
  { offers = [], refusedQuantities = [], overwrittenOffers = [] }: OfferFindings,
  { log }: HandlerServices,
  requestId: string | undefined
): Promise<JobRequest[]> {
  const { id: connectionId } = opened.connection
  const recorded = await recordShown(query, opened, { offers })
  tellOf(log, recorded, { connectionId, requestId })
  await storeRefused(query, connectionId, refusedQuantities)
  const rewritten = await demandRewrite(query, overwrittenOffers.map(externalId => ({ connectionId, externalId })))
  const offerIds = [...recorded.offerIds, ...rewritten]
  return jobsOfRecorded(query, connectionId, { ...recorded, offerIds }, requestId)
}

/**
 * Runs a job type of a platform: the adapter reads, and the runtime stores what the adapter
 * answers. A few quantities are stored together with those of other jobs. A job with nothing else
 * to store has no effects, so that it ends without a transaction of its own.
 */
export const runAdapterJob: CoreHandler = async (job, services) => {
  const { jobType } = job
  const opened = job.connectionId === null ? undefined : await services.connections.openEnabled(job.connectionId)
  if (opened === undefined || !Object.hasOwn(opened.adapter.description.jobs, jobType)) {
    throw new JobTypeUnknownError(job.id, jobType)
  }
  const { id: connectionId } = opened.connection
  const readAtMs = services.now().getTime()
  const answer = await callJob(services, job, opened)
  const { stock, result, ...others } = answer === undefined ? {} : parseAnswer(Outcome, jobType, answer)
  const { length: levels = 0 } = stock ?? []
  const isLarge = levels > mostShared
  const hasOrders = (others.orders ?? []).length > 0 && isMarketplace(opened)
  const ready = hasOrders ? { ...opened, connection: await services.connections.learnAccountForOrders(opened) } : opened
  return {
    followUps: stock === undefined && others.products === undefined
      ? undefined
      : readAgainJobs({ ...job, connectionId }, opened.adapter.description.webhooks?.windowMs, readAtMs),
    result: result ?? countsOf({ stock, ...others }),
    effects: isEmpty(others) && !isLarge ? undefined : async transaction => {
      const productJobs = await recordCatalog(transaction, connectionId, others.products ?? [], job.requestId)
      const orderJobs = await recordOrders(transaction, ready, others.orders ?? [], job.requestId)
      const offerJobs = [others.offers, others.refusedQuantities, others.overwrittenOffers].every(isNone)
        ? []
        : await recordOffers(transaction, opened, others, services, job.requestId)
      const stockJobs = isLarge ? await recordStock(transaction, { ...job, connectionId }, stock ?? []) : []
      return [...productJobs, ...orderJobs, ...offerJobs, ...stockJobs]
    },
    shared: levels === 0 || isLarge
      ? undefined
      : effectsOfStock({ reading: { ...job, connectionId }, levels: parseLevels(stock ?? []) })
  }
}

function isNone (found: readonly unknown[] = []): boolean {
  return found.length === 0
}

function isEmpty (outcome: Omit<Outcome, 'stock' | 'result'>): boolean {
  return Object.values(outcome).every(isNone)
}
