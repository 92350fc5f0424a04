import { HubJobType } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { defineJob, ExternalObject, Id, ReceivedAt } from '../jobs/define-job.ts'

export const syncStock = defineJob({
  type: HubJobType.syncStock,
  lane: 'state',
  object: 'externalId',
  payload: ExternalObject,
  needs: ['InventoryMaster']
})

/** A connection has one sweep, and a waiting job continues it, so the payload does not matter. */
export const sweepStock = defineJob({
  type: HubJobType.syncAllStock,
  lane: 'state',
  object: 'connection',
  payload: Type.Object({}),
  needs: ['InventoryMaster']
})

export const propagateStock = defineJob({
  type: 'inventory.propagateToMarketplaces',
  lane: 'state',
  object: 'variantId',
  payload: Type.Object({
    variantId: Id,
    /** For people who read the job. */
    stockVersion: Type.Optional(Type.Unknown()),
    receivedAt: ReceivedAt
  })
})

export const readAgain = defineJob({
  type: 'inventory.readAgain',
  lane: 'state',
  object: 'externalId',
  payload: Type.Composite([
    ExternalObject,
    Type.Object({
      /** The type of the job that reads the object. */
      jobType: Type.String({ minLength: 1, maxLength: 100 }),
      eventId: Type.Optional(Type.String())
    })
  ])
})
