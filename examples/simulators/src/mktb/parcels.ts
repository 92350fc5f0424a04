import type { FastifyInstance, FastifyReply } from 'fastify'
import { ShopApiError } from './errors.ts'
import { newParcelsBody, parcelBody, parcelIdParameter } from './order-schemas.ts'
import { trackingStatuses, type TrackingStatus } from './order.ts'
import type { Orders } from './orders.ts'

export interface Parcel {
  id: number
  orderId: string
  type: 'external'
  shipping: { vendor: string }
  status: string
  trackingNumber?: string
  createdAt: string
  updatedAt: string
}

interface ParcelMembers {
  vendor: string
  status?: string
  trackingNumber?: string
}
interface NewParcel extends ParcelMembers {
  orderId: string
}
interface ById {
  Params: { id: string }
}

/**
 * Makes the store of parcels that the seller sends with a carrier of the seller's choice. Adding
 * the same parcel twice makes two, also with the same number.
 */
export function createParcels (orders: Orders) {
  const parcels = new Map<number, Parcel>()
  let lastId = 54

  function add ({ orderId, vendor, status = 'preparing', trackingNumber }: NewParcel) {
    const order = orders.find(orderId)
    if (order === undefined) return { vendor, orderId, error: [{ errorCode: 1402, errorMessage: 'order not found' }] }
    if (order.status === 'cancelled') {
      return { vendor, orderId, error: [{ errorCode: 1110, errorMessage: 'order is cancelled' }] }
    }
    lastId += 1
    const timestamp = orders.now().toISOString()
    return store({
      id: lastId,
      orderId,
      type: 'external',
      shipping: { vendor },
      status,
      trackingNumber,
      createdAt: timestamp,
      updatedAt: timestamp
    })
  }

  function store (parcel: Parcel): Parcel {
    const { orderId, shipping: { vendor }, status, trackingNumber } = parcel
    parcels.set(parcel.id, parcel)
    orders.update(orderId, { deliveryTracking: { status: shownStatus(status), vendor, trackingNumber } })
    return parcel
  }

  function update (parcel: Parcel, { vendor, ...members }: ParcelMembers): Parcel {
    return store({ ...parcel, ...members, shipping: { vendor }, updatedAt: orders.now().toISOString() })
  }

  return {
    add,
    update,
    find: (id: string): Parcel | undefined => parcels.get(Number(id)),
    remove: (id: string): boolean => parcels.delete(Number(id)),
    all: (): Parcel[] => [...parcels.values()]
  }
}

/** The status that an order shows of its parcel: it has fewer of them than the parcel itself. */
function shownStatus (status: string): TrackingStatus {
  if (status === 'delivered') return 'sent'
  if (status === 'pickupTimeExpired') return 'readyToPickup'
  return trackingStatuses.find(shown => shown === status) ?? 'onTheWay'
}

export type Parcels = ReturnType<typeof createParcels>

/** Registers the parcel routes, which have their own error body: a list. */
export function registerParcels (app: FastifyInstance, parcels: Parcels): void {
  const params = parcelIdParameter

  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof Error && 'validation' in error)) throw error
    const details = error instanceof ShopApiError ? error.details ?? [] : []
    const problems = details.map(({ path, message }) => `${path.replace(/^\/\d+\//, '')}: ${message}`)
    return reply.code(400).send(problems.map(errorMessage => ({ errorCode: 1200, errorMessage })))
  })

  app.post<{ Body: NewParcel[] }>(
    '/shipping/external',
    { schema: { body: newParcelsBody } },
    async request => request.body.map(parcels.add)
  )

  app.get<ById>(
    '/shipping/external/:id',
    { schema: { params } },
    async (request, reply) => parcels.find(request.params.id) ?? notFound(reply)
  )

  app.patch<ById & { Body: ParcelMembers }>(
    '/shipping/external/:id',
    { schema: { params, body: parcelBody } },
    async (request, reply) => {
      const parcel = parcels.find(request.params.id)
      return parcel === undefined ? notFound(reply) : parcels.update(parcel, request.body)
    }
  )

  app.delete<ById>('/shipping/external/:id', { schema: { params } }, async (request, reply) => {
    return parcels.remove(request.params.id) ? reply.code(204).send() : notFound(reply)
  })
}

function notFound (reply: FastifyReply) {
  return reply.code(404).send([{ errorCode: 1402, errorMessage: 'parcel not found' }])
}
