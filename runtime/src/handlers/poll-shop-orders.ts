import { AdapterErrorCode, isAdapterError, Order, type AdapterError } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { followPage, PageTrail } from '../adapters/page-trail.ts'
import { parseAnswer } from '../adapters/parse-answer.ts'
import { moveCursor, readCursor } from '../adapters/store.ts'
import type { OpenConnection } from '../connections/open-connection.ts'
import { settingDefaults } from '../connections/settings/schema.ts'
import { repeatOnConflict } from '../database/conflict.ts'
import { readTime } from '../database/read-time.ts'
import { settledEvent } from '../orders/history-events.ts'
import { pollShopOrders } from '../orders/jobs.ts'
import { addProblem } from '../orders/problems.ts'
import { recordDestinationOrders } from '../orders/shop/destination.ts'
import { findAtShop, hasOrdersAtShop, listOpenAtShop, markReadAtShop, shopOrdersCursor } from '../orders/shop/store.ts'
import { findLastEntry, lockOrderAtShop } from '../orders/store.ts'
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

const capability = 'OrderProcessorManager'
const pageSize = 100
/** How long a run may read each of the two. */
const longestMs = 30_000
/** Orders of one call that reads many. */
const atOnce = 50
/** So many orders are read in a run even where the platform allows few requests. */
const leastOrders = 20
/** The part of the requests of a connection that this poll may use. */
const share = 0.1
/** Requests per second to a platform that names no limit. */
const usualRate = 5
const longestSpanSeconds = 3_600
const usualSpanSeconds = 300
/** After so many the platform answers nothing at all, and the next orders would fail as well. */
const mostFailuresInARow = 3

/**
 * The value of the cursor, in JSON: how far the hub has read what a shop lists as changed. It is
 * everything up to a time, and the list since then up to a page.
 */
const Position = Type.Object({
  since: Type.String(),
  list: Type.Optional(Type.Object({
    startedAt: Type.String(),
    cursor: Type.String(),
    trail: Type.Optional(PageTrail)
  }))
})
type Position = Static<typeof Position>

interface Polling {
  job: CheckedJob
  services: HandlerServices
  opened: OpenConnection
  counts: { open: number, listed: number, read: number, missing: number, unreadable: number }
  /** When the run began, by the clock of the database. */
  startedAt: string
  /** Whether the run has sent so many requests that the others should go to other jobs. */
  hasSentMost: () => boolean
}

/**
 * Reads in a shop the orders that the hub made there, because shops do not announce that an order
 * was shipped, or got its tracking number later: those that are not delivered yet, the one read
 * longest ago first, and those that the shop lists as changed. The next run goes on with a long
 * list.
 */
export default implementJob(pollShopOrders, async (job, services) => {
  const { connectionId } = job
  const opened = await services.connections.openEnabled(connectionId)
  if (!opened.connection.capabilities.includes(capability)) {
    return { result: { skipped: `the connection has no ${capability}` } }
  }
  const { query } = services.database
  const stored = await readCursor(query, connectionId, shopOrdersCursor)
  const position = parsePosition(stored)
  const startedAt = new Date(await readTime(query)).toISOString()
  const counts: Polling['counts'] = { open: 0, listed: 0, read: 0, missing: 0, unreadable: 0 }
  const most = await mostRequests(services, opened, { since: position?.since, startedAt })
  let requests = 0
  const counted: CheckedJob = {
    ...job,
    noteCall (call) {
      requests += 1
      job.noteCall?.(call)
    }
  }
  const polling: Polling = { job: counted, services, opened, counts, startedAt, hasSentMost: () => requests >= most }
  await readOpen(polling)
  const next = position === undefined ? { since: startedAt } : await readChanged(polling, position)
  return {
    result: { ...counts, ...next.list === undefined ? {} : { goesOn: true } },
    async effects (transaction) {
      const to = JSON.stringify(next)
      await moveCursor(transaction.query, connectionId, { name: shopOrdersCursor, from: stored, to })
      return []
    }
  }
})

function parsePosition (stored: string | undefined): Position | undefined {
  try {
    const position: unknown = JSON.parse(stored ?? 'null')
    return Value.Check(Position, position) ? position : undefined
  } catch {
    return undefined
  }
}

/** The requests that one run may send: its share of those since the last run. */
async function mostRequests (
  { database }: HandlerServices,
  { connection, adapter }: OpenConnection,
  { since, startedAt }: { since: string | undefined, startedAt: string }
): Promise<number> {
  const { state } = await readState(database.query, connection.id)
  const budget = effectiveBudget(adapter.description.budget, state)
  const seconds = since === undefined ? usualSpanSeconds : (Date.parse(startedAt) - Date.parse(since)) / 1_000
  return share * (budget?.ratePerSecond ?? usualRate) * Math.min(longestSpanSeconds, seconds)
}

/** Reads the orders that the shop lists as changed. Returns where the next run goes on. */
async function readChanged (polling: Polling, position: Position): Promise<Position> {
  const { job, services, opened, counts, startedAt, hasSentMost } = polling
  const { query } = services.database
  const { since, list } = position
  const whole = { since: list?.startedAt ?? startedAt }
  if (opened.adapter.description.capabilities[capability]?.includes('listOrders') !== true) return whole
  // A shop that only gives stock has many orders of its own.
  if (!await hasOrdersAtShop(query, job.connectionId)) return whole
  const began = performance.now()
  let [cursor, trail] = [list?.cursor, list?.trail]
  for (let pages = 0; pages === 0 || (!hasSentMost() && performance.now() - began < longestMs); pages += 1) {
    job.signal.throwIfAborted()
    const readAt = await readTime(query)
    const request = { limit: pageSize, updatedSince: since, ...(cursor === undefined ? {} : { cursor }) }
    const answer = await callCapability(services, job, opened, capability, 'listOrders', request)
      .catch((error: unknown) => {
        // The platform may have forgotten a cursor of the last run.
        if (pages === 0 && list !== undefined && isRejected(error)) return undefined
        throw error
      })
    if (answer === undefined) return { since }
    const method = `${capability}.listOrders`
    const page = parseAnswer(ListedPage, method, answer)
    const listed = page.items.filter(item => Value.Check(Listed, item))
    const own = await findAtShop(query, job.connectionId, listed.map(({ externalId }) => externalId))
    await record(polling, readableOf(polling, listed.filter(({ externalId }) => own.has(externalId))), readAt)
    counts.listed += page.items.length
    trail = followPage(trail, { method, items: page.items.length, nextCursor: page.nextCursor })
    cursor = page.nextCursor
    if (cursor === undefined) return whole
  }
  return cursor === undefined ? whole : { since, list: { startedAt: whole.since, cursor, trail } }
}

/** The orders that keep the contract. The others are counted. */
function readableOf ({ counts }: Polling, items: readonly unknown[]): Order[] {
  const readable = items.filter(item => Value.Check(Order, item))
  counts.unreadable += items.length - readable.length
  return readable
}

function isRejected (error: unknown): error is AdapterError {
  return isAdapterError(error) && error.code === AdapterErrorCode.rejected
}

/**
 * Reads orders that are not delivered yet and not too old, as many as the requests and the time
 * allow. A list still has the older ones.
 */
async function readOpen (polling: Polling): Promise<void> {
  const { job: { connectionId, signal }, services: { database: { query } }, counts, startedAt, hasSentMost } = polling
  const { orderPollDays: days } = { ...settingDefaults, ...polling.opened.connection.settings }
  const limit = canReadMany(polling) ? atOnce : leastOrders
  const began = performance.now()
  while (counts.open < leastOrders || (!hasSentMost() && performance.now() - began < longestMs)) {
    signal.throwIfAborted()
    const externalIds = await listOpenAtShop(query, connectionId, { days, before: startedAt, limit })
    if (externalIds.length === 0) break
    await readMany(polling, externalIds)
    counts.open += externalIds.length
  }
}

function canReadMany ({ opened }: Polling): boolean {
  return opened.adapter.description.capabilities[capability]?.includes('getOrders') === true
}

/**
 * Reads orders, and alone those that a call for many left out. Stops at the first error that is not
 * about one order, after it has stored what it read.
 */
async function readMany (polling: Polling, externalIds: readonly string[]): Promise<void> {
  const { job, services, opened, counts } = polling
  const readAt = await readTime(services.database.query)
  const answer = canReadMany(polling)
    ? await callCapability(services, job, opened, capability, 'getOrders', externalIds)
    : []
  const items = parseAnswer(Type.Array(Type.Unknown()), `${capability}.getOrders`, answer)
  const orders = items.filter(item => Value.Check(Order, item))
  const found = new Set(orders.map(({ externalId }) => externalId))
  const missing: string[] = []
  const asked = externalIds.filter(externalId => found.has(externalId))
  let failure: unknown
  let failuresInARow = 0
  for (const externalId of externalIds.filter(externalId => !found.has(externalId))) {
    job.signal.throwIfAborted()
    const order = await readOne(polling, externalId).catch((error: unknown) => {
      failure = error
    })
    if (order === undefined) break
    asked.push(externalId)
    failuresInARow = order instanceof Error ? failuresInARow + 1 : 0
    if (order === 'missing') missing.push(externalId)
    else if (!(order instanceof Error)) orders.push(order)
    else if (failuresInARow >= mostFailuresInARow && !isRejected(order)) {
      failure = order
      break
    }
  }
  await record(polling, orders, readAt)
  await noteMissing(polling, missing, readAt)
  await markReadAtShop(services.database.query, job.connectionId, asked)
  counts.missing += missing.length
  if (failure !== undefined) throw failure
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
  { job: { connectionId, requestId }, services: { database, enqueueJobs }, counts }: Polling,
  orders: readonly Order[],
  readAt: string
): Promise<void> {
  counts.read += orders.length
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
  { job: { connectionId }, services: { database } }: Polling,
  externalIds: readonly string[],
  readAt: string
): Promise<void> {
  for (const externalId of externalIds) {
    const detail = `the shop does not have order ${externalId} any more`
    await database.transaction(async ({ query }) => {
      const order = await lockOrderAtShop(query, connectionId, externalId, readAt)
      if (order === undefined || order.problems.some(({ code }) => code === 'missing-in-shop')) return
      // Somebody saw to it, and ships the order without the shop.
      if (await findLastEntry(query, order.id, settledEvent) !== undefined) return
      await addProblem(query, order.id, { code: 'missing-in-shop', detail })
    })
  }
}
