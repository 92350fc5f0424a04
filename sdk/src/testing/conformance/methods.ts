import { Type, type TSchema } from '@sinclair/typebox'
import type { Capabilities, CapabilityName } from '../../capabilities/capabilities.ts'
import { DeliveryMethod, ExternalId, Offer, OfferWriteResult, Order, OrderEvent, Product, StockLevel } from '../../schemas.ts'
import { commandId, newOffer, offerPatch, order, orderEvent, pageRequest, stockLevel, tracking } from './samples.ts'

/** What the suite knows of a method: how it is called and what it may answer. */
export interface Method {
  args: readonly unknown[]
  answer: TSchema
  /** A read says what the platform has; whatever else it is, a platform that answers rubbish has not said it. */
  isRead: boolean
  /** A platform's 409 may mean that this was done already. */
  mayBeDone?: true
  /** A platform's 404 may mean that there is none, which the method can say. */
  mayBeNone?: true
}

const pageOf = (item: TSchema): TSchema => Type.Object({ items: Type.Array(item), nextCursor: Type.Optional(Type.String({ minLength: 1 })) }, { additionalProperties: false })
const read = (answer: TSchema, ...args: unknown[]): Method => ({ args, answer, isRead: true })
const write = (answer: TSchema, ...args: unknown[]): Method => ({ args, answer, isRead: false })

const Nothing = Type.Unknown()
const Reference = Type.Object({ externalId: ExternalId }, { additionalProperties: false })
const CommandState = Type.Object({
  status: Type.Union([Type.Literal('accepted'), Type.Literal('succeeded'), Type.Literal('failed')]), error: Type.Optional(Type.String())
}, { additionalProperties: false })

export const methods: { readonly [Name in CapabilityName]: { readonly [MethodName in keyof Required<Capabilities[Name]>]: Method } } = {
  ProductMaster: {
    getProduct: read(Product, '1'),
    listProducts: read(pageOf(Product), pageRequest)
  },
  InventoryMaster: {
    getStock: read(Type.Array(StockLevel), '1'),
    listStock: read(pageOf(StockLevel), pageRequest),
    getStockMany: { ...read(Type.Array(StockLevel), ['1']), mayBeNone: true },
    setStock: write(Nothing, stockLevel)
  },
  OrderProcessorManager: {
    getOrder: read(Order, '1'),
    createOrder: { ...write(Reference, order, { reference: 'linker-1' }), mayBeDone: true },
    findOrder: { ...read(Type.Union([Reference, Type.Null()]), 'linker-1'), mayBeNone: true },
    updateOrderStatus: write(Nothing, '1', 'shipped'),
    addTracking: write(Nothing, '1', tracking),
    cancelOrder: { ...write(Nothing, '1'), mayBeDone: true },
    listOrders: read(pageOf(Order), pageRequest)
  },
  Marketplace: {
    listOffers: read(pageOf(Offer), pageRequest),
    updateOfferQuantity: { ...write(OfferWriteResult, { externalId: '1', quantity: 1, commandId }), mayBeDone: true },
    listOrderEvents: read(pageOf(OrderEvent), pageRequest),
    getOrder: read(Order, '1'),
    updateOffer: write(OfferWriteResult, '1', offerPatch),
    getQuantityCommand: read(CommandState, commandId),
    listDeliveryMethods: read(Type.Array(DeliveryMethod))
  },
  OfferManager: {
    createOffer: { ...write(Nothing, newOffer), mayBeDone: true },
    updateOffer: write(OfferWriteResult, '1', offerPatch),
    updateStock: write(OfferWriteResult, '1', 1),
    getOffer: read(Offer, '1'),
    listOffers: read(pageOf(Offer), pageRequest),
    listDeliveryMethods: read(Type.Array(DeliveryMethod))
  },
  OrderSource: {
    listUnread: read(Type.Array(OrderEvent), pageRequest),
    acknowledge: { ...write(Nothing, [orderEvent]), mayBeDone: true },
    getOrder: read(Order, '1'),
    updateOrderStatus: write(Nothing, '1', 'shipped'),
    listOrders: read(pageOf(Order), pageRequest)
  }
}

/** A connection test may say something, and what it found besides. It is a read: it has to tell a platform from a page that says 200. */
export const connectionTest: Method = {
  ...read(Type.Union([Type.Undefined(), Type.Null(), Type.Object({ message: Type.Optional(Type.String()), warnings: Type.Optional(Type.Array(Type.String())) }, { additionalProperties: false })]))
}

const JobAnswer = Type.Object({ products: Type.Optional(Type.Array(Product)), stock: Type.Optional(Type.Array(StockLevel)), result: Type.Optional(Type.Unknown()) }, { additionalProperties: false })

/** A job may give absence a meaning. */
export function jobMethod (payload: unknown): Method {
  return { args: [payload], answer: Type.Union([Type.Undefined(), JobAnswer]), isRead: true, mayBeNone: true }
}

/** A capability of a third party: nothing is known of its answers. */
export function foreignMethod (args: readonly unknown[]): Method {
  return { args, answer: Type.Unknown(), isRead: false, mayBeDone: true, mayBeNone: true }
}
