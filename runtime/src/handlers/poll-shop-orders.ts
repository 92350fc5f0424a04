import { AdapterErrorCode, isAdapterError, Order, type AdapterError } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { followPage } from '../adapters/page-trail.ts'
import { parseAnswer } from '../adapters/parse-answer.ts'
import { moveCursor, readCursor } from '../adapters/store.ts'
import type { OpenConnection } from '../connections/open-connection.ts'
import { repeatOnConflict } from '../database/conflict.ts'
import { readTime } from '../database/read-time.ts'
import { pollShopOrders } from '../orders/jobs.ts'
import { addProblem } from '../orders/problems.ts'
import { recordDestinationOrders } from '../orders/shop/destination.ts'
import { findAtShop, hasOrdersAtShop, listOpenAtShop, markReadAtShop } from '../orders/shop/store.ts'
import { lockOrderAtShop } from '../orders/store.ts'
import { effectiveBudget } from '../upstream/budget.ts'
import { readState } from '../upstream/store.ts'
import { callCapability, type HandlerServices } from './call-adapter.ts'
import { implementJob, type CheckedJob } from './implement-job.ts'

/** A list may hold orders of the shop's own in any form: the hub looks at its own only. */
const Listed = Type.Object({ externalId: Type.String() })
const ListedPage = Type.Object({
  items: Type.Array(Type.Unknown()),
  nextCursor: Type.Optional(Type.String({ minLength: 1 }))
})

/** The cursor beside those of the adapter: the beginning of the last list, ISO 8601. */
const cursorName = 'shop-orders'
const capability = 'OrderProcessorManager'
/** The oldest orders that are read again and again. A list still has the older ones. */
const openDays = 60
const pageSize = 100
const mostPages = 50
const longestMs = 20_000
/** Orders of one call that reads many. */
const atOnce = 50
/** So many orders are read in a run even where the platform allows few requests. */
const leastOrders = 20
const mostOrders = 1_000
/** The part of the requests of a connection that this poll may use. */
const share = 0.1
/** Requests per second to a platform that names no limit. */
const usualRate = 5
const longestSpanSeconds = 3_600
const usualSpanSeconds = 300

type Slice = Static<typeof pollShopOrders.payload>

interface Polling {
  job: CheckedJob
  services: HandlerServices
  opened: OpenConnection
  counts: { listed: number, read: number, missing: number, unreadable: number }
  /** The requests of this run so far. */
  requests: () => number
}

/**
 * Reads in a shop the orders that the hub made there, because shops do not announce that an order
 * was shipped, or got its tracking number later: those that the shop lists as changed, and those
 * that are not delivered yet, the one read longest ago first.
 */
export default implementJob(pollShopOrders, async (job, services) => {
  const { connectionId, payload } = job
  const opened = await services.connections.openEnabled(connectionId)
  if (!opened.connection.capabilities.includes(capability)) {
    return { result: { skipped: `the connection has no ${capability}` } }
  }
  const { query } = services.database
  const counts: Polling['counts'] = { listed: 0, read: 0, missing: 0, unreadable: 0 }
  let requests = 0
  const counted: CheckedJob = {
    ...job,
    noteCall (call) {
      requests += 1
      job.noteCall?.(call)
    }
  }
  const polling: Polling = { job: counted, services, opened, counts, requests: () => requests }
  const since = await readCursor(query, connectionId, cursorName)
  const { first = job.id, startedAt = new Date(await readTime(query)).toISOString() } = payload
  const left = since === undefined ? undefined : await readChanged(polling, since, payload)
  if (left !== undefined) {
    const { cursor } = left
    return {
      result: { ...counts, goesOn: true },
      followUps: [pollShopOrders.request({ ...left, first, startedAt }, {
        connectionId,
        key: `shop-orders-poll:${first}:${cursor}`,
        requestId: job.requestId
      })]
    }
  }
  const open = await readOpen(polling, since, startedAt)
  return {
    result: { ...counts, open },
    async effects (transaction) {
      await moveCursor(transaction.query, connectionId, { name: cursorName, from: since, to: startedAt })
      return []
    }
  }
})

/**
 * Reads the orders that the shop lists as changed since a time. Returns where the next slice goes
 * on, if the list is long.
 */
async function readChanged (
  { job, services, opened, counts }: Polling,
  updatedSince: string,
  begun: Slice
): Promise<{ cursor: string, trail: Slice['trail'] } | undefined> {
  if (opened.adapter.description.capabilities[capability]?.includes('listOrders') !== true) return undefined
  const { query } = services.database
  // A shop that only gives stock has many orders of its own.
  if (!await hasOrdersAtShop(query, job.connectionId)) return undefined
  const began = performance.now()
  let { cursor, trail } = begun
  for (let pages = 0; pages < mostPages && performance.now() - began < longestMs; pages += 1) {
    job.signal.throwIfAborted()
    const readAt = await readTime(query)
    const request = { limit: pageSize, updatedSince, ...(cursor === undefined ? {} : { cursor }) }
    const method = `${capability}.listOrders`
    const page = parseAnswer(
      ListedPage,
      method,
      await callCapability(services, job, opened, capability, 'listOrders', request)
    )
    const listed = page.items.filter(item => Value.Check(Listed, item))
    counts.listed += page.items.length
    const own = await findAtShop(query, job.connectionId, listed.map(({ externalId }) => externalId))
    const ours = listed.filter(({ externalId }) => own.has(externalId))
    const readable = ours.filter(item => Value.Check(Order, item))
    counts.unreadable += ours.length - readable.length
    await record(job, services, readable, readAt)
    counts.read += readable.length
    trail = followPage(trail, { method, items: page.items.length, nextCursor: page.nextCursor })
    cursor = page.nextCursor
    if (cursor === undefined) return undefined
  }
  return cursor === undefined ? undefined : { cursor, trail }
}

/** Reads orders that are not delivered yet, as many as the requests allow. Returns how many. */
async function readOpen (polling: Polling, since: string | undefined, startedAt: string): Promise<number> {
  const { job: { connectionId, signal }, services: { database: { query } }, requests } = polling
  const most = await mostRequests(polling, since, startedAt)
  const limit = canReadMany(polling) ? atOnce : leastOrders
  let open = 0
  while (open < mostOrders && (open < leastOrders || requests() < most)) {
    signal.throwIfAborted()
    const externalIds = await listOpenAtShop(query, connectionId, { days: openDays, before: startedAt, limit })
    if (externalIds.length === 0) break
    await readMany(polling, externalIds)
    open += externalIds.length
  }
  return open
}

/** The requests that one run may send: its share of those since the last run. */
async function mostRequests (
  { job, services, opened }: Polling,
  since: string | undefined,
  startedAt: string
): Promise<number> {
  const { state } = await readState(services.database.query, job.connectionId)
  const budget = effectiveBudget(opened.adapter.description.budget, state)
  const seconds = since === undefined ? usualSpanSeconds : (Date.parse(startedAt) - Date.parse(since)) / 1_000
  return share * (budget?.ratePerSecond ?? usualRate) * Math.min(longestSpanSeconds, seconds)
}

function canReadMany ({ opened }: Polling): boolean {
  return opened.adapter.description.capabilities[capability]?.includes('getOrders') === true
}

async function readMany (polling: Polling, externalIds: readonly string[]): Promise<void> {
  const { job, services, opened, counts } = polling
  const { query } = services.database
  const readAt = await readTime(query)
  const isAtOnce = canReadMany(polling)
  const orders = isAtOnce
    ? parseAnswer(
      Type.Array(Order),
      `${capability}.getOrders`,
      await callCapability(services, job, opened, capability, 'getOrders', externalIds)
    )
    : []
  const found = new Set(orders.map(({ externalId }) => externalId))
  const missing: string[] = []
  let failure: AdapterError | undefined
  for (const externalId of externalIds) {
    if (found.has(externalId)) continue
    job.signal.throwIfAborted()
    const order = await readOne(polling, externalId)
    if (order === 'missing') missing.push(externalId)
    else if (!(order instanceof Error)) orders.push(order)
    else if (order.code === AdapterErrorCode.transient) failure = order
  }
  await record(job, services, orders, readAt)
  await noteMissing(polling, missing, readAt)
  await markReadAtShop(query, job.connectionId, externalIds)
  counts.read += orders.length
  // The platform answers nothing at all, and the next orders would fail as well.
  if (failure !== undefined && !isAtOnce && orders.length + missing.length === 0) throw failure
}

/** An order that cannot be read must not keep the others from being read. */
async function readOne (
  { job, services, opened, counts }: Polling,
  externalId: string
): Promise<Order | 'missing' | AdapterError> {
  try {
    const answer = await callCapability(services, job, opened, capability, 'getOrder', externalId)
    return parseAnswer(Order, `${capability}.getOrder`, answer)
  } catch (error) {
    if (!isAdapterError(error)) throw error
    if (error.code === AdapterErrorCode.notFound) return 'missing'
    if (error.code !== AdapterErrorCode.rejected && error.code !== AdapterErrorCode.transient) throw error
    counts.unreadable += 1
    services.log.warn({ connectionId: job.connectionId, externalId, err: error }, 'an order of the shop cannot be read')
    return error
  }
}

async function record (
  { connectionId, requestId }: CheckedJob,
  { database, enqueueJobs }: HandlerServices,
  orders: readonly Order[],
  readAt: string
): Promise<void> {
  if (orders.length === 0) return
  const stored = await repeatOnConflict(() =>
    database.transaction(async transaction => {
      const { jobs } = await recordDestinationOrders(transaction, connectionId, orders, { requestId, readAt })
      await enqueueJobs(jobs, transaction)
      return jobs.length
    })
  )
  if (stored > 0) database.notify('jobs')
}

async function noteMissing (
  { job: { connectionId }, services: { database }, counts }: Polling,
  externalIds: readonly string[],
  readAt: string
): Promise<void> {
  for (const externalId of externalIds) {
    const detail = `the shop does not have order ${externalId} any more`
    await database.transaction(async ({ query }) => {
      const order = await lockOrderAtShop(query, connectionId, externalId, readAt)
      const isNoted = order?.problems.some(({ code }) => code === 'missing-in-shop')
      if (order !== undefined && isNoted === false) {
        await addProblem(query, order.id, { code: 'missing-in-shop', detail })
      }
    })
    counts.missing += 1
  }
}
