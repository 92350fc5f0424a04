import type { Order as PlatformOrder, Tracking } from '@linker/sdk'
import { defineEntity, p } from '@mikro-orm/core'
import type { OrderProblem } from './problem-codes.ts'
import type { OrderStatus, SourceStatus } from './status.ts'

/**
 * An order as the hub last read it at its marketplace, with its state in the shop (`destination…`).
 */
export const Order = defineEntity({
  name: 'Order',
  tableName: 'orders',
  properties: {
    id: p.uuid().primary(),
    connectionId: p.uuid(),
    externalId: p.text(),
    status: p.text().$type<OrderStatus>(),
    sourceStatus: p.text().$type<SourceStatus>(),
    upstreamStatus: p.text().strictNullable(),
    /** Changes whenever the marketplace changes the order. */
    revision: p.text(),
    snapshot: p.json<PlatformOrder>(),
    /** The adapter that read `snapshot`, as `key@version`; null: an older hub wrote it. */
    readBy: p.text().strictNullable(),
    /** What the shop got, while the marketplace says something else; null: `snapshot`. */
    handedOn: p.json<PlatformOrder>().strictNullable(),
    problems: p.json<OrderProblem[]>(),
    placedAt: p.datetime(),
    cancelledAt: p.datetime().strictNullable(),
    /** The shop that masters the variants of the order. */
    destinationConnectionId: p.uuid().strictNullable(),
    destinationExternalId: p.text().strictNullable(),
    destinationStatus: p.text().$type<PlatformOrder['status']>().strictNullable(),
    /** When the hub last read the order in the shop. */
    shopReadAt: p.datetime().strictNullable(),
    /** When the first attempt to make the order in the shop began. */
    creationBegunAt: p.datetime().strictNullable(),
    /**
     * When a restore of the hub, or the removal of old orders, made it unsure whether the shop has
     * the order. Only the jobs that make and cancel orders in the shop read this.
     */
    searchedSince: p.datetime().strictNullable(),
    /** Until this time, the shop may still work on an attempt without showing the order. */
    creationUnsureUntil: p.datetime().strictNullable(),
    tracking: p.json<Tracking>().strictNullable(),
    /** Since when the marketplace has answered that it does not know the order. */
    unknownSince: p.datetime().strictNullable(),
    /** When a listing of the marketplace last contained the order. */
    listedAt: p.datetime().strictNullable(),
    /** Whether an operator gave back the pieces that a failed order otherwise keeps. */
    isReleased: p.boolean(),
    /** The member of the config that kept the hub from telling the marketplace of the shipment. */
    untoldSetting: p.text().strictNullable(),
    untoldAt: p.datetime().strictNullable(),
    /** When it got its status, if an order with this status has ended. */
    endedAt: p.datetime().strictNullable(),
    /** When the data of the buyer were removed from the order. */
    personalDataRemovedAt: p.datetime().strictNullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime()
  }
})

/** A line of an order, with the variant that it sells; the variant is null until it is known. */
export const OrderLine = defineEntity({
  name: 'OrderLine',
  tableName: 'order_lines',
  properties: {
    orderId: p.uuid().primary(),
    externalId: p.text().primary(),
    offerExternalId: p.text().strictNullable(),
    variantId: p.uuid().strictNullable(),
    quantity: p.integer(),
    /**
     * The pieces that the order in the shop has, when they may be others than `quantity`. The line
     * reserves those that are missing there.
     */
    atShop: p.integer().strictNullable(),
    /** Whether `stock.reserved` counts the pieces of the line. */
    isReserved: p.boolean()
  }
})

/**
 * An event in the history of an order. An idempotency key that contains the id of the event makes
 * one job for this event.
 */
export const OrderHistory = defineEntity({
  name: 'OrderHistory',
  tableName: 'order_history',
  properties: {
    orderId: p.uuid().primary(),
    id: p.bigint('string').primary(),
    at: p.datetime(),
    event: p.text(),
    detail: p.json<Record<string, unknown>>().strictNullable()
  }
})

/** The parcel of an order that the hub itself orders from a carrier. */
export const Shipment = defineEntity({
  name: 'Shipment',
  tableName: 'shipments',
  properties: {
    orderId: p.uuid().primary(),
    /** The connection of the carrier. */
    connectionId: p.uuid(),
    status: p.text().$type<'requested' | 'created' | 'failed' | 'cancelled'>(),
    /** When the first attempt to make the parcel began. */
    begunAt: p.datetime().strictNullable(),
    externalId: p.text().strictNullable(),
    tracking: p.json<Tracking>().strictNullable(),
    problem: p.text().strictNullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime()
  }
})
