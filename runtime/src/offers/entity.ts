import type { Money } from '@linker/sdk'
import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import type { OfferProblem } from './problem-codes.ts'

export type OfferStatus = 'DRAFT' | 'ACTIVE' | 'INACTIVE' | 'ENDED' | 'FAILED'

/**
 * An offer on a marketplace, linked to the variant whose stock it follows. `quantity` and
 * `stockVersion` belong to the last write. `linkVersion` grows when the hub has to write the offer
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
    /** The seller's own id of the offer, as the marketplace last showed it; `sku` and `ean` too. */
    reference: p.text().nullable(),
    sku: p.text().nullable(),
    ean: p.text().nullable(),
    /** The last job that creates or created the offer. */
    createJobId: p.uuid().nullable(),
    title: p.text().nullable(),
    price: p.json<Money>().nullable(),
    quantity: p.integer().nullable(),
    stockVersion: p.integer().nullable(),
    buffer: p.integer(),
    maxListed: p.integer().nullable(),
    linkVersion: p.integer(),
    sentLinkVersion: p.integer().nullable(),
    /** The quantity that the marketplace showed since the last write. */
    upstreamQuantity: p.integer().nullable(),
    upstreamReadAt: p.datetime().nullable(),
    /** The quantity of the last reading that may have shown the state before a write. */
    lagQuantity: p.integer().nullable(),
    lagReadAt: p.datetime().nullable(),
    frozenFields: p.json<string[]>(),
    problems: p.json<OfferProblem[]>(),
    /** When the marketplace accepted an offer of the hub; null before, and for linked offers. */
    createdUpstreamAt: p.datetime().nullable(),
    /** When the hub last wrote the quantity. */
    lastSyncedAt: p.datetime().nullable(),
    /** When the hub last wrote another member. */
    writtenAt: p.datetime().nullable(),
    /** When the marketplace last showed the offer. */
    seenAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime()
  }
})
export type Offer = InferEntity<typeof Offer>

/** A link that a deleted connection left to the next one of its account. */
export const FormerLink = defineEntity({
  name: 'FormerLink',
  tableName: 'former_links',
  properties: {
    connectionId: p.uuid().primary(),
    externalId: p.text().primary(),
    variantId: p.uuid(),
    buffer: p.integer(),
    maxListed: p.integer().strictNullable()
  }
})

/** An offer that a marketplace shows and that no variant is linked to. */
export const UnlinkedOffer = defineEntity({
  name: 'UnlinkedOffer',
  tableName: 'unlinked_offers',
  properties: {
    id: p.uuid().primary(),
    connectionId: p.uuid(),
    externalId: p.text(),
    reference: p.text().strictNullable(),
    sku: p.text().strictNullable(),
    ean: p.text().strictNullable(),
    /** Null: the last complete list of the marketplace left it out. */
    status: p.text().$type<'ACTIVE' | 'INACTIVE'>().strictNullable(),
    upstreamStatus: p.text().strictNullable(),
    title: p.text().strictNullable(),
    price: p.json<Money>().strictNullable(),
    quantity: p.integer().strictNullable(),
    seenAt: p.datetime().strictNullable(),
    /** When an operator unlinked it: the hub does not link it again by its reference. */
    releasedAt: p.datetime().strictNullable(),
    createdAt: p.datetime()
  }
})

/** Offers that one request asked for. The jobs of its items say how far it is. */
export const OfferBatch = defineEntity({
  name: 'OfferBatch',
  tableName: 'offer_batches',
  properties: {
    id: p.uuid().primary(),
    connectionId: p.uuid(),
    createdAt: p.datetime()
  }
})

export const OfferBatchItem = defineEntity({
  name: 'OfferBatchItem',
  tableName: 'offer_batch_items',
  properties: {
    batchId: p.uuid().primary(),
    position: p.integer().primary(),
    /** The variant or the product that the request named. */
    item: p.json<{ variantId?: string, productId?: string }>(),
    variantId: p.uuid(),
    offerId: p.uuid(),
    /** The last job that creates the offer. */
    jobId: p.uuid()
  }
})
