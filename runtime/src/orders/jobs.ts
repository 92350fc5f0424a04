import { carrierCapability } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { PageTrail } from '../adapters/page-trail.ts'
import { defineJob, ExternalObject, Id } from '../jobs/define-job.ts'
import { DateTime } from '../text-patterns.ts'

const OrderOnly = Type.Object({ orderId: Id })
const marketplaces = ['OrderSource', 'Marketplace']
const shops = ['OrderProcessorManager']

/** The longest time for which a marketplace keeps its journal, in days: no lost event is older. */
export const journalDays = 60

export const pollOrders = defineJob({
  type: 'marketplace.orders.poll',
  lane: 'state',
  object: 'connection',
  payload: Type.Object({}),
  needs: marketplaces
})

export const sweepOrders = defineJob({
  type: 'marketplace.orders.sweep',
  lane: 'state',
  object: 'payload',
  payload: Type.Object({
    /**
     * Lists orders that changed since this time, or within this many days but not before the
     * connection was made: somebody may have handled older orders without the hub.
     */
    updatedSince: Type.Optional(DateTime),
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: journalDays })),
    // The id of the job that ran the first slice.
    first: Type.Optional(Type.String()),
    startedAt: Type.Optional(DateTime),
    cursor: Type.Optional(Type.String()),
    trail: Type.Optional(PageTrail)
  }),
  needs: marketplaces
})

export const syncOrder = defineJob({
  type: 'marketplace.order.syncByExternalId',
  lane: 'state',
  object: 'externalId',
  payload: ExternalObject,
  needs: marketplaces
})

export const updateStatusAtMarketplace = defineJob({
  type: 'marketplace.order.updateStatus',
  lane: 'command',
  object: 'orderId',
  payload: Type.Object({
    orderId: Id,
    status: Type.Union([
      Type.Literal('processing'),
      Type.Literal('shipped'),
      Type.Literal('delivered'),
      Type.Literal('cancelled')
    ])
  }),
  needs: marketplaces
})

export const addTrackingAtMarketplace = defineJob({
  type: 'marketplace.order.addTracking',
  lane: 'command',
  object: 'orderId',
  payload: OrderOnly,
  needs: marketplaces
})

// The shop hears of one order in sequence: an order is created before it is cancelled.

export const createOrderAtShop = defineJob({
  type: 'master.order.create',
  lane: 'command',
  object: 'orderId',
  payload: OrderOnly,
  needs: shops
})

export const cancelOrderAtShop = defineJob({
  type: 'master.order.cancel',
  lane: 'command',
  object: 'orderId',
  payload: OrderOnly,
  needs: shops
})

export const addTrackingAtShop = defineJob({
  type: 'master.order.addTracking',
  lane: 'command',
  object: 'orderId',
  payload: OrderOnly,
  needs: shops
})

// The carrier gets the commands on one parcel in order, too: the hub has it made before it has it
// called back.

export const createShipment = defineJob({
  type: 'fulfilment.shipment.create',
  lane: 'command',
  object: 'orderId',
  payload: OrderOnly,
  needs: [carrierCapability]
})

export const cancelShipment = defineJob({
  type: 'fulfilment.shipment.cancel',
  lane: 'command',
  object: 'orderId',
  payload: OrderOnly,
  needs: [carrierCapability]
})
