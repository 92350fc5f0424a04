import type { FastifyInstance } from 'fastify'
import { randomUUID } from 'node:crypto'
import type { Authorise } from './authorise.ts'
import type { CheckoutForm } from './checkout-form.ts'
import { RestError } from './errors.ts'
import type { Orders } from './orders.ts'
import { shipmentBody } from './schemas.ts'

export interface Carrier {
  id: string
  name: string
}

/** A tracking number of an order. */
export interface Shipment {
  id: string
  waybill: string
  carrierId: string
  carrierName: string | null
  lineItems: Array<{ id: string }>
  createdAt: string
}

export interface ShipmentBody {
  carrierId: string
  waybill: string
  carrierName?: string
  lineItems?: Array<{ id: string }>
}

export interface ShipmentSwitches {
  /**
   * How many orders may have the same tracking number; in one more it is answered 409. Default:
   * unlimited, because the marketplace does not publish its limit.
   */
  ordersPerWaybill: number
}

export interface ShipmentsOptions {
  now: () => Date
  orders: Orders
  switches: ShipmentSwitches
}

/**
 * Makes the store of tracking numbers, and the list of carriers. `MKTA`, the marketplace's own
 * carrier, is in the list but takes no new numbers.
 */
export function createShipments ({ now, orders, switches }: ShipmentsOptions) {
  const shipments = new Map<string, Shipment[]>()
  const carriers: Carrier[] = ['DPD', 'DHL', 'GLS', 'INPOST', 'MKTA', 'UPS', 'OTHER'].map(id => ({
    id,
    name: id === 'OTHER' ? 'Another carrier' : id
  }))

  function add (form: CheckoutForm, { carrierId, waybill, carrierName, lineItems }: ShipmentBody): Shipment {
    checkCarrier(carrierId, carrierName)
    if (waybill.trim() === '' || waybill.length > 64) {
      throw invalid('CarrierWaybillValidationException', 'waybill must have 1 to 64 characters', 'waybill')
    }
    if (/[\s,;]/.test(waybill.trim())) {
      throw invalid('WaybillValidationException', 'waybill must be one number', 'waybill')
    }
    const items = lineItems ?? form.lineItems.map(({ id }) => ({ id }))
    if (!items.every(({ id }) => form.lineItems.some(item => item.id === id))) {
      throw unprocessable(`Order ${form.id} does not have these line items`, 'lineItems')
    }
    if (form.status === 'CANCELLED' || form.fulfillment.status === 'CANCELLED') {
      throw unprocessable(`Order ${form.id} is cancelled`, 'status')
    }
    const sharing = [...shipments].filter(([id, rows]) => id !== form.id && rows.some(row => row.waybill === waybill))
    if (sharing.length >= switches.ordersPerWaybill) {
      throw new RestError(409, {
        code: 'WaybillUsedInTooManyOrders',
        message: `Waybill ${waybill} is used in too many orders`,
        path: 'waybill'
      })
    }
    orders.countOperation(form.id)
    const shipment: Shipment = {
      id: randomUUID(),
      waybill,
      carrierId,
      carrierName: carrierName ?? null,
      lineItems: items,
      createdAt: now().toISOString()
    }
    shipments.set(form.id, [...of(form.id), shipment])
    const sent = new Set(of(form.id).flatMap(row => row.lineItems.map(({ id }) => id)))
    orders.markSent(form.id, sent.size === form.lineItems.length ? 'ALL' : 'SOME')
    return shipment
  }

  function checkCarrier (id: string, name: string | undefined): void {
    if (id === 'MKTA' || !carriers.some(carrier => carrier.id === id)) {
      throw invalid('CarrierIdValidationException', `${id} is not a carrier for new tracking numbers`, 'carrierId')
    }
    if (name !== undefined && id !== 'OTHER') {
      throw invalid('CarrierNameValidationException', 'carrierName is for the carrier OTHER only', 'carrierName')
    }
    if (name !== undefined && name.length > 30) {
      throw invalid('CarrierNameValidationException', 'carrierName has at most 30 characters', 'carrierName')
    }
  }

  function of (orderId: string): Shipment[] {
    return shipments.get(orderId) ?? []
  }

  return { add, of, carriers }
}

export type Shipments = ReturnType<typeof createShipments>

function invalid (code: string, message: string, path: string): RestError {
  return new RestError(400, { code, message, path })
}

function unprocessable (message: string, path: string): RestError {
  return new RestError(422, { code: 'SellerOrdersStoreUnprocessableEntityException', message, path })
}

export interface ShipmentRoutes {
  shipments: Shipments
  orders: Orders
}

export function registerShipments (
  app: FastifyInstance,
  { shipments, orders }: ShipmentRoutes,
  authorise: Authorise
): void {
  const path = '/order/checkout-forms/:id/shipments'

  app.get('/order/carriers', async request => {
    authorise(request, 'mkta:api:orders:read')
    return { carriers: shipments.carriers }
  })

  app.get<{ Params: { id: string } }>(path, async request => {
    const { id } = orders.getOwned(request.params.id, authorise(request, 'mkta:api:orders:read'))
    return { shipments: shipments.of(id) }
  })

  app.post<{ Params: { id: string }, Body: ShipmentBody }>(
    path,
    { schema: { body: shipmentBody } },
    async (request, reply) => {
      const form = orders.getOwned(request.params.id, authorise(request, 'mkta:api:orders:write'))
      return reply.code(201).send(shipments.add(form, request.body))
    }
  )
}
