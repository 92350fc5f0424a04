import {
  AdapterErrorCode,
  isAdapterError,
  NotFoundError,
  Nullable,
  OutcomeUnknownError,
  quoteAnswer,
  RateLimitedError,
  RejectedError,
  splitTrackingNumbers,
  TransientError,
  type AdapterError,
  type HttpClient,
  type Tracking
} from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { createHash } from 'node:crypto'
import type { MarketplaceContext } from '../config.ts'
import { orderPath } from './path.ts'
import { DeliveryTracking } from './read.ts'
import { isNumberOf, vendorOf } from './vendors.ts'

const rememberedSeconds = 90 * 24 * 3_600
/** The marketplace may still work on an aborted request for this long. */
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
  status: string | undefined
}
/** Stored before a parcel is sent. Later the parcel's id at the marketplace replaces it. */
const Sent = Type.Object({ sentAt: Type.String() })

/**
 * Registers the parcels of an order: one for each tracking number. A repetition skips the parcels
 * that are registered.
 */
export async function addTracking (
  http: HttpClient,
  context: MarketplaceContext,
  externalId: string,
  { carrier, number }: Tracking
): Promise<void> {
  const order = await http.get(orderPath(externalId), { as: Known })
  const { vendor, isKnown, isTracked } = vendorOf(carrier)
  const numbers = splitTrackingNumbers(number).map(part => part.replaceAll(/\s/g, ''))
  // The field may hold anything: neither a log nor a problem gets its text.
  const wrong = numbers.flatMap((part, index) => isNumberOf(vendor, part) ? [] : [index + 1])
  if (wrong.length > 0) {
    const rule = 'has 2 to 32 letters and digits, with at most two slashes between them'
    const named = `number ${wrong.join(', ')} of ${numbers.length} does not`
    const message = `a tracking number of ${vendor} ${rule} on the marketplace: ${named}`
    throw new RejectedError(message, { fields: [{ pointer: '/number', code: 'invalid', message }] })
  }
  if (!isKnown) {
    context.log.warn(
      { externalId, carrier },
      'the marketplace does not know this carrier: the parcel is reported as own transport'
    )
  }
  const status = isTracked ? undefined : 'sent'
  for (const trackingNumber of new Set(numbers)) {
    await addParcel(http, context, order, { vendor, orderId: externalId, trackingNumber, status })
  }
}

/**
 * Registers a parcel. Sending it twice would make two parcels, so the adapter stores a mark before
 * it sends. After a lost answer the order decides:
 *
 *     sent ──id──▶ registered
 *       └──no answer──▶ the order shows this number ──▶ registered
 *                       the order shows no parcel, after 2 minutes ──▶ sent again
 *                       the order shows another number, after 2 minutes ──▶ refused:
 *                         only the seller can see whether the parcel is there
 */
async function addParcel (
  http: HttpClient,
  { kv, clock }: MarketplaceContext,
  order: Known,
  parcel: NewParcel
): Promise<void> {
  const { orderId, trackingNumber } = parcel
  const key = `parcel:${createHash('sha256').update(`${orderId}\n${trackingNumber}`).digest('base64url')}`
  const keep = async (value: unknown): Promise<void> => kv.set(key, value, { ttlSeconds: rememberedSeconds })

  const kept = await kv.get(key)
  const isLost = Value.Check(Sent, kept)
  if (order.deliveryTracking?.trackingNumber === trackingNumber) {
    // Remember that the order showed the parcel: the next parcel replaces it in the order.
    if (isLost || kept === undefined) await keep('shown')
    return
  }
  if (isLost) requireMissing(order, kept, clock.now())
  else if (kept !== undefined) return

  await keep({ sentAt: clock.now().toISOString() })
  const id = await register(http, parcel).catch(async (error: unknown) => {
    if (isAdapterError(error) && error.code !== AdapterErrorCode.outcomeUnknown) await kv.delete(key)
    throw error
  })
  await keep(id)
}

/** Throws unless the order proves that a parcel whose answer was lost does not exist. */
function requireMissing ({ id, deliveryTracking }: Known, { sentAt }: Static<typeof Sent>, now: Date): void {
  const waitMs = Date.parse(sentAt) + underWayMs - now.getTime()
  if (waitMs > 0) {
    throw new RateLimitedError(
      `the marketplace did not answer when the hub sent the parcel of order ${id}, and may still be at work`,
      { retryAfterMs: waitMs }
    )
  }
  if (deliveryTracking === undefined || deliveryTracking === null) return
  const cause = `the marketplace did not answer when the hub sent the parcel of order ${id}`
  const remedy = "look for the parcel in the seller's panel, and add it there if it is missing"
  throw new RejectedError(`${cause}, and the order does not show its number: ${remedy}`)
}

/**
 * Returns the id of the new parcel. Any error of the SDK except an `OutcomeUnknownError` means that
 * there is no parcel.
 */
async function register (http: HttpClient, parcel: NewParcel): Promise<string | number> {
  return readParcel(await sendParcel(http, parcel), parcel.orderId)
}

async function sendParcel (http: HttpClient, parcel: NewParcel): Promise<unknown> {
  try {
    return await http.json({ method: 'POST', path: 'shipping/external', body: [parcel] })
  } catch (error) {
    if (!leavesOpen(error)) throw error
    const { message, status } = error
    throw new OutcomeUnknownError(message, { cause: error, status })
  }
}

/**
 * Whether the parcel may have been registered despite the error: the marketplace or a proxy failed,
 * or its answer could not be read.
 */
function leavesOpen (error: unknown): error is AdapterError {
  if (!isAdapterError(error)) return false
  const { code, status } = error
  if (status === undefined) return code === AdapterErrorCode.rejected
  return status < 300 || status === 408 || status >= 500
}

// A 200 may hold a failure for each parcel.
function readParcel (answer: unknown, orderId: string): string | number {
  const parcel: unknown = Array.isArray(answer) ? answer[0] : undefined
  if (Value.Check(Failed, parcel)) throw failureOf(parcel.error, orderId)
  if (!Value.Check(Parcel, parcel)) {
    throw new OutcomeUnknownError('the marketplace does not say whether it registered the parcel')
  }
  return parcel.id
}

function failureOf (failures: Static<typeof Failed>['error'], orderId: string): AdapterError {
  const texts = failures.map(({ errorCode, errorMessage = '' }) => `${errorCode} ${quoteAnswer(errorMessage)}`.trim())
  const said = texts.join(', ')
  // The marketplace may answer a general error after it stored the parcel.
  if (failures.some(({ errorCode }) => errorCode === 1100 || errorCode === 1101)) {
    return new OutcomeUnknownError(`the marketplace failed at the parcel of order ${orderId}: ${said}`)
  }
  const message = `the marketplace refused the parcel of order ${orderId}: ${said}`
  switch (failures[0]?.errorCode) {
    case 1102:
      return new TransientError(message)
    case 1400:
    case 1402:
      return new NotFoundError(message)
    // 1300 (authorisation) too: it is about this parcel, as the marketplace accepted the key.
    default:
      return new RejectedError(message)
  }
}
