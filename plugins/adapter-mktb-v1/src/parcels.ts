import { AuthenticationError, NotFoundError, OutcomeUnknownError, RejectedError, TransientError, type AdapterError, type HttpClient, type Tracking } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { createHash } from 'node:crypto'
import type { MarketplaceContext } from './config.ts'
import { Nullable } from './nullable.ts'
import { orderPath } from './order-path.ts'
import { DeliveryTracking } from './read-order.ts'
import { vendorOf } from './vendors.ts'

const rememberedSeconds = 90 * 24 * 3_600

const Known = Type.Object({ id: Type.String(), deliveryTracking: Nullable(DeliveryTracking) })
const Parcel = Type.Object({ id: Type.Union([Type.Integer(), Type.String({ minLength: 1 })]) })
const Failure = Type.Object({ errorCode: Type.Integer(), errorMessage: Type.Optional(Type.String()) })
const Failed = Type.Object({ error: Type.Array(Failure, { minItems: 1 }) })

/** Registers a parcel. Sent twice it would be two, so the order is asked first, and parcels that it no longer shows are remembered. */
export async function addTracking (http: HttpClient, { kv, log }: MarketplaceContext, externalId: string, { carrier, number }: Tracking): Promise<void> {
  const order = await http.json({ method: 'GET', path: orderPath(externalId) })
  if (!Value.Check(Known, order)) throw new TransientError('the marketplace described the order in an unknown form')
  const trackingNumber = number.replaceAll(/\s/g, '')
  const key = `parcel:${createHash('sha256').update(`${externalId}\n${trackingNumber}`).digest('base64url')}`
  if (order.deliveryTracking?.trackingNumber === trackingNumber || await kv.get(key) !== undefined) return

  const { vendor, isKnown, isTracked } = vendorOf(carrier)
  if (!isKnown) log.warn({ externalId, carrier }, 'the marketplace does not know this carrier: the parcel is reported as own transport')
  const body = [{ vendor, orderId: externalId, trackingNumber, ...(isTracked ? {} : { status: 'sent' }) }]
  const answer = await http.json({ method: 'POST', path: 'shipping/external', body })
  await kv.set(key, readParcel(answer, externalId), { ttlSeconds: rememberedSeconds })
}

// A 200 may hold a failure for each parcel.
function readParcel (answer: unknown, externalId: string): string | number {
  const parcel: unknown = Array.isArray(answer) ? answer[0] : undefined
  if (Value.Check(Failed, parcel)) throw failureOf(parcel.error, externalId)
  if (!Value.Check(Parcel, parcel)) throw new OutcomeUnknownError('the marketplace does not say what became of the parcel')
  return parcel.id
}

function failureOf (failures: Static<typeof Failed>['error'], externalId: string): AdapterError {
  const said = failures.map(({ errorCode, errorMessage = '' }) => `${errorCode} ${errorMessage.slice(0, 300)}`.trim()).join(', ')
  const message = `the marketplace did not take the parcel of order ${externalId}: ${said}`
  switch (failures[0]?.errorCode) {
    case 1100: case 1101: case 1102: return new TransientError(message)
    case 1300: return new AuthenticationError(message)
    case 1400: case 1402: return new NotFoundError(message)
    default: return new RejectedError(message)
  }
}
