import { HubJobType, NewOffer, OfferPatch } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { PageTrail } from '../adapters/page-trail.ts'
import { defineJob, Id, ReceivedAt } from '../jobs/define-job.ts'

const OfferOnly = Type.Object({ offerId: Id })
const marketplaces = ['OfferManager', 'Marketplace']

export const updateOfferQuantity = defineJob({
  type: 'marketplace.offerQuantity.update',
  lane: 'state',
  object: 'offerId',
  payload: Type.Object({
    offerId: Id,
    /** For people who read the job. */
    stockVersion: Type.Optional(Type.Unknown()),
    receivedAt: ReceivedAt
  }),
  needs: marketplaces
})

export const compareOffers = defineJob({
  type: HubJobType.syncOffers,
  lane: 'state',
  object: 'payload',
  payload: Type.Object({
    offerId: Type.Optional(Type.String({ ...Id, description: 'one offer alone' })),
    // The id of the job that ran the first slice.
    first: Type.Optional(Type.String()),
    startedAt: Type.Optional(Type.String()),
    position: Type.Optional(Type.String()),
    trail: Type.Optional(PageTrail),
    /**
     * Whether the listing is complete, so that the offers that it left out are looked up one by
     * one.
     */
    isListed: Type.Optional(Type.Boolean())
  }),
  needs: marketplaces
})

// The three commands on one offer are in one lane, so they run in the order in which they were
// given: an offer is created before its price is changed.

export const createOffer = defineJob({
  type: 'marketplace.offer.create',
  lane: 'command',
  object: 'offerId',
  payload: Type.Object({
    offerId: Id,
    offer: Type.Omit(NewOffer, ['externalId', 'quantity']),
    quantity: Type.Optional(Type.Integer({ minimum: 0 }))
  }),
  needs: ['OfferManager']
})

export const updateOfferFields = defineJob({
  type: 'marketplace.offer.updateFields',
  lane: 'command',
  object: 'offerId',
  payload: Type.Object({ offerId: Id, fields: OfferPatch }),
  needs: marketplaces
})

export const endOffer = defineJob({
  type: 'marketplace.offer.end',
  lane: 'command',
  object: 'offerId',
  payload: OfferOnly,
  needs: marketplaces
})
