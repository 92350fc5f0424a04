import { Type, type TSchema } from '@sinclair/typebox'
import type { ValueError } from '@sinclair/typebox/errors'
import { Value } from '@sinclair/typebox/value'
import type { Capabilities, CapabilityName } from '../../capabilities/capabilities.ts'
import { carrierCapability, type Carrier } from '../../capabilities/carrier.ts'
import type { CallTarget } from '../../host/carrier.ts'
import { Account } from '../../schemas/account.ts'
import { Offer, OfferWriteResult, QuantityChangeResult, RefusedQuantity } from '../../schemas/offer.ts'
import {
  CreatedOrder,
  DeliveryMethod,
  Order,
  OrderEvent,
  OrderEventPage,
  UpdatedOrder,
  WriteBack
} from '../../schemas/order.ts'
import { Product, StockLevel } from '../../schemas/product.ts'
import { Shipment, ShipmentTracking, ShippingLabel } from '../../schemas/shipment.ts'
import { ExternalId, FieldError } from '../../schemas/values.ts'
import {
  installation,
  newOffer,
  newOrder,
  offerPatch,
  orderChanges,
  orderEvent,
  pageRequest,
  quantityChange,
  stockLevel,
  tracking
} from './samples.ts'

/** The suite's knowledge of a method: how to call it and what it may answer. */
export interface Method {
  args: readonly unknown[]
  answer: TSchema
  /**
   * Whether the method reads. A read answers the platform's data, and a platform that answers
   * rubbish has not given any.
   */
  isRead: boolean
  /** A platform's 409 may mean that the write already happened. */
  mayBeDone?: true
  /** A platform's 404 may mean that there is none, and the method can answer this. */
  mayBeNone?: true
  /**
   * The method reads one object, and the runtime acts on its absence: the method must throw a
   * `NotFoundError` for it, not a refusal.
   */
  isOne?: true
}

const pageOf = (item: TSchema): TSchema =>
  Type.Object({ items: Type.Array(item), nextCursor: Type.Optional(Type.String({ minLength: 1 })) }, {
    additionalProperties: false
  })
const read = (answer: TSchema, ...args: unknown[]): Method => ({ args, answer, isRead: true })
const readOne = (answer: TSchema): Method => ({ ...read(answer, '1'), isOne: true })
const write = (answer: TSchema, ...args: unknown[]): Method => ({ args, answer, isRead: false })

const Nothing = Type.Unknown()

export const methods: {
  readonly [Name in CapabilityName]: { readonly [MethodName in keyof Required<Capabilities[Name]>]: Method }
} = {
  ProductMaster: {
    getProduct: readOne(Product),
    listProducts: read(pageOf(Product), pageRequest)
  },
  InventoryMaster: {
    getStock: readOne(Type.Array(StockLevel)),
    listStock: read(pageOf(StockLevel), pageRequest),
    getStockMany: { ...read(Type.Array(StockLevel), ['1']), mayBeNone: true },
    setStock: write(Nothing, stockLevel)
  },
  OrderProcessorManager: {
    getOrder: read(Order, '1'),
    getOrders: { ...read(Type.Array(Order), ['1']), mayBeNone: true },
    createOrder: { ...write(CreatedOrder, newOrder, { reference: 'linker-1' }), mayBeDone: true },
    findOrder: { ...read(Type.Union([CreatedOrder, Type.Null()]), 'linker-1'), mayBeNone: true },
    updateOrder: write(UpdatedOrder, '1', orderChanges),
    updateOrderStatus: write(Nothing, '1', 'shipped'),
    addTracking: write(Nothing, '1', tracking),
    cancelOrder: { ...write(Nothing, '1'), mayBeDone: true },
    listOrders: read(pageOf(Order), pageRequest)
  },
  Marketplace: {
    listOffers: read(pageOf(Offer), pageRequest),
    updateOfferQuantity: { ...write(OfferWriteResult, quantityChange), mayBeDone: true },
    listOrderEvents: read(OrderEventPage, pageRequest),
    getOrder: read(Order, '1'),
    updateOfferQuantities: { ...write(Type.Array(QuantityChangeResult), [quantityChange]), mayBeDone: true },
    getOffer: readOne(Offer),
    checkPatch: read(Type.Array(FieldError), offerPatch),
    updateOffer: write(OfferWriteResult, '1', offerPatch),
    endOffer: { ...write(Nothing, '1'), mayBeDone: true },
    listOrders: read(pageOf(Order), pageRequest),
    listDeliveryMethods: read(Type.Array(DeliveryMethod))
  },
  OfferManager: {
    createOffer: { ...write(Nothing, newOffer), mayBeDone: true },
    updateOffer: write(OfferWriteResult, '1', offerPatch),
    updateOfferQuantity: write(OfferWriteResult, quantityChange),
    getOffer: readOne(Offer),
    checkNewOffers: read(Type.Array(Type.Array(FieldError)), [newOffer]),
    checkPatch: read(Type.Array(FieldError), offerPatch),
    updateOfferQuantities: write(Type.Array(QuantityChangeResult), [quantityChange]),
    endOffer: { ...write(Nothing, '1'), mayBeDone: true },
    listOffers: read(pageOf(Offer), pageRequest),
    listDeliveryMethods: read(Type.Array(DeliveryMethod))
  },
  OrderSource: {
    listUnread: read(Type.Array(OrderEvent), pageRequest),
    acknowledge: { ...write(Nothing, [orderEvent]), mayBeDone: true },
    getOrder: read(Order, '1'),
    updateOrderStatus: { ...write(WriteBack, '1', 'shipped'), mayBeDone: true },
    addTracking: { ...write(WriteBack, '1', tracking), mayBeDone: true },
    listOrders: read(pageOf(Order), pageRequest)
  }
}

/** The answers that the hub accepts from a carrier. Only its author knows how to call one. */
const carrierAnswers: { readonly [MethodName in keyof Carrier]: TSchema } = {
  createShipment: Shipment,
  getLabel: ShippingLabel,
  getTracking: ShipmentTracking,
  cancelShipment: Nothing
}

/**
 * A connection test may answer a message and warnings. It is a read: it must distinguish a platform
 * from a page with status 200.
 */
export const connectionTest: Method = {
  ...read(Type.Union([
    Type.Undefined(),
    Type.Null(),
    Type.Object({ message: Type.Optional(Type.String()), warnings: Type.Optional(Type.Array(Type.String())) }, {
      additionalProperties: false
    })
  ]))
}

/** Tells the account of a connection. */
export const accountRead: Method = read(Account)

/** Makes a platform send its webhooks. */
export const webhookInstall: Method = write(
  Type.Union([
    Type.Undefined(),
    Type.Null(),
    Type.Object({ warning: Type.Optional(Type.String()) }, { additionalProperties: false })
  ]),
  installation
)

const JobAnswer = Type.Union([
  Type.Undefined(),
  Type.Object({
    products: Type.Optional(Type.Array(Product)),
    stock: Type.Optional(Type.Array(StockLevel)),
    orders: Type.Optional(Type.Array(Order)),
    offers: Type.Optional(Type.Array(Offer)),
    refusedQuantities: Type.Optional(Type.Array(RefusedQuantity)),
    overwrittenOffers: Type.Optional(Type.Array(ExternalId)),
    result: Type.Optional(Type.Unknown())
  }, { additionalProperties: false })
])

/** A job may give absence a meaning. */
export function jobMethod (payload: unknown): Method {
  return { args: [payload], answer: JobAnswer, isRead: true, mayBeNone: true }
}

/** Makes the method of a third party's capability. */
export function foreignMethod (args: readonly unknown[], answer: TSchema = Type.Unknown()): Method {
  return { args, answer, isRead: false, mayBeDone: true, mayBeNone: true }
}

/**
 * Whether a method of a capability of the SDK only reads; undefined for one that the SDK does not
 * know.
 */
export function isReading (capability: string, method: string): boolean | undefined {
  return methodNamed(capability, method)?.isRead
}

/** Returns a method of one of the six capabilities; undefined for an unknown name. */
export function methodNamed (capability: string, name: string): Method | undefined {
  const known = new Map<string, Readonly<Record<string, Method>>>(Object.entries(methods)).get(capability)
  return known !== undefined && Object.hasOwn(known, name) ? known[name] : undefined
}

/** Returns the schema of a call's answer; undefined when it is unknown. */
export function answerOf (target: CallTarget): TSchema | undefined {
  switch (target.kind) {
    case 'test':
      return connectionTest.answer
    case 'account':
      return accountRead.answer
    case 'installWebhooks':
      return webhookInstall.answer
    case 'job':
      return JobAnswer
    case 'capability':
      return target.capability === carrierCapability
        ? new Map<string, TSchema>(Object.entries(carrierAnswers)).get(target.method)
        : methodNamed(target.capability, target.method)?.answer
    default:
      return undefined
  }
}

/**
 * Says where and why an answer does not fit, `/stock/0/quantity Expected integer`; undefined when
 * it fits.
 */
export function misfitOf (answer: TSchema, value: unknown): string | undefined {
  const [first] = Value.Errors(answer, value)
  if (first === undefined) return undefined
  const { path, message } = deepest(first)
  return `${path} ${message}`.trim()
}

// When no form of a union fits, report the one that came closest.
function deepest (error: ValueError): ValueError {
  const below = error.errors.flatMap(errors => [...errors].map(deepest))
  return below.reduce((deep, next) => next.path.length > deep.path.length ? next : deep, error)
}
