import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import type { Money } from '@linker/sdk'

export type OfferStatus = 'DRAFT' | 'ACTIVE' | 'INACTIVE' | 'ENDED' | 'FAILED'

/**
 * An offer on a marketplace, linked to the variant whose stock it follows. `quantity` and
 * `stockVersion` are what was written there last. `linkVersion` grows when it has to be written
 * although the stock did not change.
 */
export const Offer = defineEntity({
  name: 'Offer',
  tableName: 'offers',
  properties: {
    id: p.uuid().primary(),
    connectionId: p.uuid(),
    variantId: p.uuid(),
    externalId: p.text(),
    status: p.text().$type<OfferStatus>(),
    upstreamStatus: p.text().nullable(),
    /** The job that creates it, or did last. */
    createJobId: p.uuid().nullable(),
    title: p.text().nullable(),
    price: p.json<Money>().nullable(),
    quantity: p.integer().nullable(),
    stockVersion: p.integer().nullable(),
    buffer: p.integer(),
    maxListed: p.integer().nullable(),
    linkVersion: p.integer(),
    sentLinkVersion: p.integer().nullable(),
    /** What the marketplace showed when it was read last. */
    upstreamQuantity: p.integer().nullable(),
    upstreamReadAt: p.datetime().nullable(),
    frozenFields: p.json<string[]>(),
    problems: p.json<string[]>(),
    /**
     * When the marketplace accepted an offer that the hub created; null until then, and for one
     * that was linked.
     */
    createdUpstreamAt: p.datetime().nullable(),
    /** When its quantity was written last. */
    lastSyncedAt: p.datetime().nullable(),
    /** When anything else was written last. */
    writtenAt: p.datetime().nullable(),
    /** When the marketplace showed it last. */
    seenAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime()
  }
})
export type Offer = InferEntity<typeof Offer>
