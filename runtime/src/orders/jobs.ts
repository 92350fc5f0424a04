import { carrierCapability, HubJobType } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { PageTrail } from '../adapters/page-trail.ts'
import { defineJob, ExternalObject, Id } from '../jobs/define-job.ts'
import { DateTime } from '../text-patterns.ts'

const OrderOnly = Type.Object({ orderId: Id })
const marketplaces = ['OrderSource', 'Marketplace']
const shops = ['OrderProcessorManager']

/**
 * The longest time for which a marketplace keeps its journal of events, in days. A sweep over this
 * time therefore finds every order whose event was lost.
 */
export const journalDays = 60

export const pollOrders = defineJob({
  type: HubJobType.pollOrders,
  lane: 'state',
  object: 'connection',
  payload: Type.Object({}),
  needs: marketplaces
})

export const pollShopOrders = defineJob({
  type: HubJobType.pollShopOrders,
  lane: 'state',
  object: 'connection',
  payload: Type.Object({}),
  needs: shops
})

export const sweepOrders = defineJob({
  type: HubJobType.sweepOrders,
  lane: 'state',
  object: 'payload',
  payload: Type.Object({
    updatedSince: Type.Optional(Type.String({
      ...DateTime,
      description:
        `only orders that changed at this time or later; without it and \`days\`, of the last ${journalDays} days`
    })),
    // Not before the connection was made: somebody may have handled older orders without the hub.
    days: Type.Optional(Type.Integer({
      minimum: 1,
      maximum: journalDays,
      description:
        'without `updatedSince`, only orders that changed within so many days and since the connection was made'
    })),
    /**
     * A sweep runs in slices, each a job of its own. This is the id of the job of the first slice.
     * The keys of the later jobs contain it, so that a repeated slice makes no second job.
     */
    first: Type.Optional(Type.String()),
    /** When the first slice began, by the clock of the database. */
    startedAt: Type.Optional(DateTime),
    /** Where this slice continues the list; absent in the first slice. */
    cursor: Type.Optional(Type.String()),
    /** The pages so far, by which the hub notices a list without an end. */
    trail: Type.Optional(PageTrail)
  }),
  needs: marketplaces
})

export const syncOrder = defineJob({
  type: HubJobType.syncOrder,
  lane: 'state',
  object: 'externalId',
  payload: Type.Object({
    ...ExternalObject.properties,
    /** Whether it asks again for an order that neither the hub nor the marketplace knew. */
    isAskedAgain: Type.Optional(Type.Boolean())
  }),
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

// The lane `command` runs the jobs of one order in the sequence in which they were enqueued, so the
// shop creates an order before it cancels it.

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

export const updateOrderAtShop = defineJob({
  type: 'master.order.update',
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

// The lane `command` does the same for the carrier: it makes the shipment of an order before it
// cancels this shipment.

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
