import { isOnSale, quantityWithin, sellable } from '../../stock/rules.ts'
import { countOf } from '../../words.ts'
import type { ConnectionFacts, JobFacts, LinkedFacts } from './facts.ts'
import { atMoment, momentOf, piecesOf, untilMoment, type Finding } from './finding.ts'
import {
  chooseBuffer,
  confirmStock,
  diagnoseConnection,
  enableConnection,
  noWay,
  previewReconcile,
  reconcileStock,
  removeBuffer,
  removeMaxListed,
  resumeCapability,
  resumeConnection,
  retryJob,
  retryOrder,
  showAdapters,
  showJob,
  showOrder,
  showUpstream,
  testConnection,
  unlinkOffer
} from './next-actions.ts'
import { confirmedAt, quantitiesOf } from './quantities.ts'
import type { Evidence, NextAction, ReservingOrder } from './schemas.ts'

// The reasons for the quantity that an offer should show.

const namedOrders = 3
/** Do not call a shorter gap late: a sweep needs time, and its slot may wait. */
const shortestSweepGapMs = 3_600_000

/** Why a connection does not work, and what to do about it. */
export interface Stop {
  clause: string
  nextAction: NextAction
  at: string | null
  until?: string | null
}

/** Returns why no job of a connection can call its platform; undefined when one can. */
export function whyStopped (connection: ConnectionFacts, kind: 'shop' | 'connection', now: string): Stop | undefined {
  const { id, name, status, statusReason, adapterProblem } = connection
  const subject = `${kind} '${name}'`
  const why = statusReason === null ? '' : `: ${statusReason}`
  if (status === 'disabled') {
    return {
      clause: `${subject} is disabled${why}`,
      nextAction: { sentence: 'Enable the connection.', ...enableConnection(id) },
      at: null
    }
  }
  if (status === 'error') {
    return {
      clause: `${subject} is in error${why}`,
      nextAction: {
        sentence: 'Test the connection: its jobs go on when the test succeeds. Otherwise give it new credentials.',
        ...testConnection(id)
      },
      at: null
    }
  }
  if (adapterProblem !== null) {
    return {
      clause: `${subject} has no adapter: ${adapterProblem}`,
      nextAction: { sentence: 'Find out why the adapter is not loaded.', ...showAdapters },
      at: null
    }
  }
  return whyPaused(connection, kind, now)
}

/** Returns the pause that stops a connection, if one does. */
export function whyPaused (
  { id, name, pause }: ConnectionFacts,
  kind: 'shop' | 'connection',
  now: string
): Stop | undefined {
  if (pause === null) return undefined
  const { capability, reason, until, since, by } = pause
  const subject = capability === null ? `${kind} '${name}'` : `capability '${capability}' of ${kind} '${name}'`
  const end = until === null ? ' until somebody resumes it' : untilMoment(until, now)
  const why = reason === null ? '' : `: ${reason}`
  return {
    clause: `${subject} is paused by ${by.name} since ${momentOf(since, now)}${end}${why}`,
    nextAction: {
      sentence: `Resume it${until === null ? '' : ', or wait for the end of the pause'}.`,
      ...capability === null ? resumeConnection(id) : resumeCapability(id, capability)
    },
    at: since,
    until
  }
}

/** Whether the write waits because nothing of the shop goes on. */
export function isHeldByShop ({ shop, writeJob, checkedAt: now }: LinkedFacts): boolean {
  const isOfShop = writeJob !== null && writeJob.waitsFor !== null && writeJob.connectionId === shop.id
  return isOfShop && shop.connection !== null && whyStopped(shop.connection, 'shop', now) !== undefined
}

interface Doubt {
  clause: string
  nextAction: NextAction
  evidence?: Partial<Evidence>
}

/** The quantity in the shop is not known, or may have changed since the hub read it. */
export function masterNotRead (facts: LinkedFacts): Finding | undefined {
  const { shop, checkedAt: now } = facts
  const at = confirmedAt(facts)
  const doubt = doubtOf(facts, at)
  if (doubt === undefined) return undefined
  const lastSweepAt = shop.lastCompleteSweep?.finishedAt
  const history = [
    ...at === null ? [] : [`the stock was last read${atMoment(at, now)}`],
    ...typeof lastSweepAt === 'string' ? [`the last complete sweep ended${atMoment(lastSweepAt, now)}`] : [],
    ...shop.lastEvent === null
      ? []
      : [`the last event of the shop (${shop.lastEvent.event}) came${atMoment(shop.lastEvent.at, now)}`]
  ]
  return {
    verdict: 'master-not-read',
    clause: history.length === 0 ? doubt.clause : `${doubt.clause} (${history.join(', ')})`,
    evidence: {
      at,
      connectionId: shop.id,
      ...shop.lastSweep === null ? {} : { sweepId: shop.lastSweep.id },
      ...typeof lastSweepAt === 'string' ? { lastSweepAt } : {},
      ...shop.lastEvent === null ? {} : { lastEventAt: shop.lastEvent.at },
      ...doubt.evidence
    },
    nextAction: doubt.nextAction
  }
}

function doubtOf (facts: LinkedFacts, at: string | null): Doubt | undefined {
  const { shop, stock, checkedAt: now } = facts
  if (shop.connection === null) {
    return {
      clause: `shop '${shop.name}' was deleted${atMoment(shop.deletedAt, now)}, so nobody reads its stock`,
      nextAction: {
        sentence: 'Unlink the offer with `DELETE /offers/{id}`, and link it to a variant of another shop.',
        ...unlinkOffer(facts.offer.id)
      }
    }
  }
  const stop = whyStopped(shop.connection, 'shop', now)
  if (stop !== undefined) {
    const { clause, nextAction, until } = stop
    return {
      clause: `${clause}; meanwhile its stock is not read`,
      nextAction,
      evidence: typeof until === 'string' ? { until } : {}
    }
  }
  const readNow = { sentence: 'Read all stock of the shop.', ...reconcileStock(shop.id) }
  const reading = unsettledReading(facts, at)
  if (reading !== undefined) return reading
  if (stock === null) return { clause: `shop '${shop.name}' has not told its stock yet`, nextAction: readNow }
  return isSweepLate(facts, at)
    ? { clause: `shop '${shop.name}' was not swept in time, so its quantity may be out of date`, nextAction: readNow }
    : undefined
}

/** The last job that reads the product, when it did not bring a quantity. */
function unsettledReading ({ readingJob, variant, checkedAt: now }: LinkedFacts, at: string | null): Doubt | undefined {
  if (readingJob === null) return undefined
  const { id, status, problem, createdAt, finishedAt } = readingJob
  const product = `product '${variant.productExternalId}'`
  if (status === 'dead' || status === 'cancelled') {
    // A later reading or sweep brought the quantity all the same.
    if (at !== null && finishedAt !== null && at > finishedAt) return undefined
    const end = `${status === 'dead' ? 'died' : 'was cancelled'}${atMoment(finishedAt, now)}`
    return {
      clause: `job ${id}, which should have read the stock of ${product}, ${end}${reasonOf(problem)}`,
      nextAction: { sentence: 'Run the job again.', ...retryJob(id) },
      evidence: { jobId: id, ...problem === null ? {} : { code: problem.code } }
    }
  }
  if (status === 'succeeded') return undefined
  const { until } = readingJob.waitsFor ?? {}
  return {
    clause: `a reading of ${product}, asked for${atMoment(createdAt, now)}, has not ended: ${
      describeWaiting(readingJob, now)
    }`,
    nextAction: actionWhileWaiting(readingJob),
    evidence: { jobId: id, ...until === undefined ? {} : { until } }
  }
}

/** Returns what to do about a job that goes on by itself, and may go on sooner. */
export function actionWhileWaiting ({ id, connectionId, waitsFor }: JobFacts): NextAction {
  const subject = connectionId ?? ''
  switch (waitsFor?.reason) {
    case 'budget':
      return {
        sentence: 'Wait for the job, or raise the budget of the connection.',
        ...showUpstream(subject)
      }
    case 'rate-limit':
      return {
        sentence: 'Wait for the job, or find out why the platform asks for rest.',
        ...diagnoseConnection(subject)
      }
    case 'unavailable':
      return {
        sentence: 'End the maintenance of the platform: the job goes on when it works again.',
        ...diagnoseConnection(subject)
      }
    case 'circuit-breaker':
      return {
        sentence: 'Find out why the platform fails: the job goes on when it works again.',
        ...diagnoseConnection(subject)
      }
    default:
      return { sentence: 'Wait for the job: it goes on by itself.', ...showJob(id) }
  }
}

/** Returns what a job that has not ended does now. */
export function describeWaiting ({ id, waitsFor }: JobFacts, now: string): string {
  return waitsFor === null
    ? `job ${id} runs now`
    : `job ${id} waits${untilMoment(waitsFor.until, now)}, because ${waitsFor.detail}`
}

export function reasonOf (problem: JobFacts['problem']): string {
  return problem === null ? '' : ` with ${problem.code}: ${problem.message}`
}

function isSweepLate ({ shop, checkedAt }: LinkedFacts, at: string | null): boolean {
  if (shop.sweepEveryMs === null) return false
  // A held sweep came in time. `sweepHeld` says what it leaves open.
  const heldAt = shop.lastSweep?.status === 'held' ? shop.lastSweep.finishedAt : null
  const times = [at, shop.lastCompleteSweep?.finishedAt, heldAt].flatMap(time =>
    typeof time === 'string' ? [Date.parse(time)] : []
  )
  return Date.parse(checkedAt) - Math.max(...times) > Math.max(2 * shop.sweepEveryMs, shortestSweepGapMs)
}

/**
 * The last sweep was held. It matters only for a variant with stock that was not read since: the
 * sweep would have set it to zero if it was among the missing ones, which the hub does not store.
 */
export function sweepHeld ({ shop, stock, checkedAt: now }: LinkedFacts): Finding | undefined {
  const sweep = shop.lastSweep
  if (sweep?.status !== 'held' || stock === null || stock.quantity <= 0 || stock.readAt >= sweep.startedAt) {
    return undefined
  }
  return {
    verdict: 'sweep-held',
    clause: `the last sweep of shop '${shop.name}'${atMoment(sweep.startedAt, now)} is held: it missed ` +
      `${sweep.missing} variants, and this one may be among them`,
    evidence: { at: sweep.finishedAt, sweepId: sweep.id, connectionId: shop.id },
    nextAction: {
      sentence: 'See what the shop lists now. If the variants are really gone, accept it with `--accept-missing`.',
      ...previewReconcile(shop.id)
    }
  }
}

/** The shop does not sell the variant, whatever its stock. */
export function switchedOff ({ stock, offer, shop }: LinkedFacts): Finding | undefined {
  if (stock === null || isOnSale(stock, offer)) return undefined
  return {
    verdict: 'switched-off',
    clause: `shop '${shop.name}' has switched the product off or takes no orders for it` +
      (stock.quantity > 0 ? `, so its ${piecesOf(stock.quantity)} are not sold` : ''),
    evidence: { at: stock.updatedAt, connectionId: shop.id },
    nextAction: {
      sentence: 'Switch the product on in the shop, if it should be sold: the quantity comes back by itself.',
      ...noWay
    }
  }
}

/** Orders keep pieces that the shop has not subtracted yet. */
export function reserved ({ stock, reservations, connection, checkedAt: now }: LinkedFacts): Finding | undefined {
  if (stock === null || !stock.isCounted || stock.reserved <= 0) return undefined
  const { orders, count, pieces } = reservations
  const [first] = orders
  const unexplained = stock.reserved - pieces
  const subject = `${piecesOf(stock.reserved)} ${stock.reserved === 1 ? 'is' : 'are'} reserved`
  const rest = unexplained > 0 && first !== undefined ? `; no open order accounts for ${unexplained} of them` : ''
  return {
    verdict: 'reserved',
    clause: first === undefined
      ? `${subject}, but no open order accounts for ${stock.reserved === 1 ? 'it' : 'them'}`
      : `${subject} by ${nameOrders(orders, count, now)}${rest}`,
    evidence: { at: first?.readAt ?? null, orders: [...orders] },
    nextAction: first === undefined
      ? {
        sentence: 'Compare the offers: the result of the job names the ended orders that still reserve pieces.',
        ...reconcileStock(connection.id)
      }
      : actionForOrder(orders.find(({ status }) => status === 'failed') ?? first)
  }
}

function nameOrders (orders: readonly ReservingOrder[], count: number, now: string): string {
  const names = orders.slice(0, namedOrders).map(({ externalId, readAt }) =>
    `'${externalId}' (first read${atMoment(readAt, now)})`
  )
  const more = count - names.length
  const all = more > 0 ? [...names, `${more} more`] : names
  const list = all.length === 1 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`
  return `${count === 1 ? 'order' : 'orders'} ${list}`
}

function actionForOrder ({ id, externalId, status }: ReservingOrder): NextAction {
  return status === 'failed'
    ? {
      sentence: `Order '${externalId}' failed. Retry it, or give its pieces back with \`linker orders release\`.`,
      ...retryOrder(id)
    }
    : {
      sentence: `Look at order '${externalId}': its pieces are free when the shop has it, or when it is cancelled.`,
      ...showOrder(id)
    }
}

/** The stock grew by more than the shop's setting lets pass. */
export function jumped ({ stock, variant, shop, checkedAt: now }: LinkedFacts): Finding | undefined {
  const { quantity = 0, confirmedQuantity = null, jumpedAt = null } = stock ?? {}
  if (confirmedQuantity === null) return undefined
  return {
    verdict: 'waits-for-confirmation',
    clause: `the stock in shop '${shop.name}' jumped to ${quantity}${atMoment(jumpedAt, now)}, and the offer goes by ` +
      `${piecesOf(confirmedQuantity)} until somebody confirms that`,
    evidence: { at: jumpedAt, connectionId: shop.id },
    nextAction: {
      sentence: 'Confirm the stock if it is right, or correct it in the shop.',
      ...confirmStock(variant.id)
    }
  }
}

/** Says which kind of stock it is, when it is not one of counted pieces for this variant alone. */
export function kindsOfStock ({ stock, offer, shop }: LinkedFacts): string[] {
  if (stock === null) return []
  const { quantity, isCounted, sharedWith } = stock
  const shown = quantityWithin(stock, offer)
  return [
    ...isCounted || quantity <= 0 || !isOnSale(stock, offer)
      ? []
      : [`shop '${shop.name}' does not count this stock, so the offer should always show ${shown}`],
    ...sharedWith === 0
      ? []
      : [`${countOf(sharedWith, 'other variant')} ${sharedWith === 1 ? 'sells' : 'sell'} from the same stock`]
  ]
}

/** The limits of the offer hold pieces back. */
export function limited (facts: LinkedFacts): Finding | undefined {
  const { offer: { id, buffer, maxListed, createdAt }, stock, checkedAt: now } = facts
  const { isChosen, written } = quantitiesOf(facts)
  if (isChosen) {
    return {
      verdict: 'limited',
      clause: `the request that created the offer${atMoment(createdAt, now)} chose ${written}, which holds until the ` +
        'stock or the limits change',
      evidence: { at: createdAt },
      nextAction: {
        sentence: 'Change a limit of the offer: then it follows the stock.',
        ...chooseBuffer(id)
      }
    }
  }
  // The limits hold nothing back of a stock without an end.
  if (stock?.isCounted === false) return undefined
  const left = stock === null ? 0 : sellable(stock)
  const buffered = Math.max(0, left - buffer)
  const isCapped = maxListed !== null && maxListed < buffered
  if (left === buffered && !isCapped) return undefined
  const reasons = [
    ...left === buffered ? [] : [`the buffer keeps back ${piecesOf(left - buffered)}`],
    ...isCapped ? [`the offer lists ${maxListed} at most`] : []
  ]
  return {
    verdict: 'limited',
    clause: reasons.join(' and '),
    evidence: { at: null },
    nextAction: {
      sentence: 'Change the limits of the offer, if they are not wanted.',
      ...isCapped ? removeMaxListed(id) : removeBuffer(id)
    }
  }
}
