import {
  AdapterErrorCode,
  isAdapterError,
  NotFoundError,
  OutcomeUnknownError,
  RateLimitedError,
  RejectedError,
  TransientError,
  type AdapterError,
  type HttpClient,
  type Tracking
} from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { createHash } from 'node:crypto'
import type { MarketplaceContext } from './config.ts'
import { Nullable } from './nullable.ts'
import { orderPath } from './order-path.ts'
import { DeliveryTracking } from './read-order.ts'
import { vendorOf } from './vendors.ts'

const rememberedSeconds = 90 * 24 * 3_600
/** A request that was given up may still be worked on for as long. */
const underWayMs = 120_000

const Known = Type.Object({ id: Type.String(), deliveryTracking: Nullable(DeliveryTracking) })
type Known = Static<typeof Known>
const Parcel = Type.Object({ id: Type.Union([Type.Integer(), Type.String({ minLength: 1 })]) })
const Failure = Type.Object({ errorCode: Type.Integer(), errorMessage: Type.Optional(Type.String()) })
const Failed = Type.Object({ error: Type.Array(Failure, { minItems: 1 }) })
interface NewParcel {
  vendor: string
  orderId: string
  trackingNumber: string
  status?: string
}
/** Kept before a parcel is sent; its id at the marketplace takes the place of this. */
const Sent = Type.Object({ sentAt: Type.String() })

/**
 * Registers a parcel. Sent twice it would be two, so what is sent is kept before, and after a lost
 * answer the order decides:
 *
 *     sent ──id──▶ registered
 *       └──no answer──▶ the order shows it ──▶ registered
 *                       the order shows no parcel, after 2 minutes ──▶ sent again
 *                       the order shows another, after 2 minutes ──▶ refused: only the seller can see whether it is there
 */
export async function addTracking (
  http: HttpClient,
  { kv, log, clock }: MarketplaceContext,
  externalId: string,
  { carrier, number }: Tracking
): Promise<void> {
  const order = await http.json({ method: 'GET', path: orderPath(externalId) })
  if (!Value.Check(Known, order)) throw new TransientError('the marketplace described the order in an unknown form')
  const trackingNumber = number.replaceAll(/\s/g, '')
  const key = `parcel:${createHash('sha256').update(`${externalId}\n${trackingNumber}`).digest('base64url')}`
  const keep = async (value: unknown): Promise<void> => kv.set(key, value, { ttlSeconds: rememberedSeconds })

  const kept = await kv.get(key)
  const isLost = Value.Check(Sent, kept)
  if (order.deliveryTracking?.trackingNumber === trackingNumber) {
    // The next parcel takes its place in the order.
    if (isLost) await keep('shown')
    return
  }
  if (isLost) requireMissing(order, kept, clock.now())
  else if (kept !== undefined) return

  const { vendor, isKnown, isTracked } = vendorOf(carrier)
  if (!isKnown) {
    log.warn(
      { externalId, carrier },
      'the marketplace does not know this carrier: the parcel is reported as own transport'
    )
  }
  await keep({ sentAt: clock.now().toISOString() })
  const parcel = { vendor, orderId: externalId, trackingNumber, ...(isTracked ? {} : { status: 'sent' }) }
  const id = await register(http, parcel).catch(async (error: unknown) => {
    if (isAdapterError(error) && error.code !== AdapterErrorCode.outcomeUnknown) await kv.delete(key)
    throw error
  })
  await keep(id)
}

/** Throws unless the order says that a parcel whose answer was lost is not there. */
function requireMissing ({ id, deliveryTracking }: Known, { sentAt }: Static<typeof Sent>, now: Date): void {
  const waitMs = Date.parse(sentAt) + underWayMs - now.getTime()
  if (waitMs > 0) {
    throw new RateLimitedError(
      `the marketplace did not answer when it was told the parcel of order ${id}, and may still be at it`,
      { retryAfterMs: waitMs }
    )
  }
  if (deliveryTracking === undefined || deliveryTracking === null) return
  throw new RejectedError(`the marketplace did not answer when it was told the parcel of order ${id}, and the order does not show that number: look in the seller's panel whether it is there, and add it there if it is not`)
}

/**
 * The id of the new parcel. Any error of the SDK but an `OutcomeUnknownError` says that there is
 * none.
 */
async function register (http: HttpClient, parcel: NewParcel): Promise<string | number> {
  const answer = await http.json({ method: 'POST', path: 'shipping/external', body: [parcel] })
    .catch((error: unknown) => {
      throw leavesOpen(error)
        ? new OutcomeUnknownError(error.message, {
          cause: error,
          ...(error.status === undefined ? {} : { status: error.status })
        })
        : error
    })
  return readParcel(answer, parcel.orderId)
}

/**
 * Whether a parcel may have been registered all the same: the marketplace or what is before it lost
 * its way, or answered more than is read.
 */
function leavesOpen (error: unknown): error is AdapterError {
  if (!isAdapterError(error)) return false
  const { code, status } = error
  return status === undefined ? code === AdapterErrorCode.rejected : status < 300 || status === 408 || status >= 500
}

// A 200 may hold a failure for each parcel.
function readParcel (answer: unknown, orderId: string): string | number {
  const parcel: unknown = Array.isArray(answer) ? answer[0] : undefined
  if (Value.Check(Failed, parcel)) throw failureOf(parcel.error, orderId)
  if (!Value.Check(Parcel, parcel)) {
    throw new OutcomeUnknownError('the marketplace does not say what became of the parcel')
  }
  return parcel.id
}

function failureOf (failures: Static<typeof Failed>['error'], orderId: string): AdapterError {
  const said = failures.map(({ errorCode, errorMessage = '' }) => `${errorCode} ${errorMessage.slice(0, 300)}`.trim())
    .join(', ')
  // General errors may come after the parcel was stored.
  if (failures.some(({ errorCode }) => errorCode === 1100 || errorCode === 1101)) {
    return new OutcomeUnknownError(`the marketplace failed over the parcel of order ${orderId}: ${said}`)
  }
  const message = `the marketplace did not take the parcel of order ${orderId}: ${said}`
  switch (failures[0]?.errorCode) {
    case 1102:
      return new TransientError(message)
    case 1400:
    case 1402:
      return new NotFoundError(message)
    // 1300 too: it is about this parcel, the key was accepted.
    default:
      return new RejectedError(message)
  }
}
