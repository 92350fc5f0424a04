import type {
  DeliveryMethod,
  FieldError,
  Offer,
  OfferPatch,
  OfferWriteResult,
  Order,
  OrderEventPage,
  Page,
  PageRequest,
  QuantityChange,
  StockWriteResult
} from '../schemas.ts'

/**
 * A marketplace with a journal of order events, whose offers exist there before the hub links them.
 */
export interface Marketplace {
  listOffers(request: PageRequest): Promise<Page<Offer>>
  /**
   * Sets the absolute quantity of one offer. `commandId` names this logical change: a retry sends
   * the same one.
   */
  updateOfferQuantity(change: QuantityChange): Promise<OfferWriteResult>
  /**
   * Reads the journal after `cursor`, oldest first. It may read a part before it again, for events
   * that became visible late: the runtime makes one job per event id.
   */
  listOrderEvents(request: { cursor?: string, limit: number }): Promise<OrderEventPage>
  /**
   * The order as it is now. Throws `NotFoundError` when the platform says that it has no such
   * order, and for nothing else: the runtime cancels an order that is gone and gives its pieces
   * back. A 404 that may come from a gateway is a `TransientError`.
   */
  getOrder(externalId: string): Promise<Order>
  /**
   * Many at once, up to 1 000. Each change has its own `commandId`. Answers each, in any order;
   * what it leaves out is tried again.
   */
  updateOfferQuantities?(changes: readonly QuantityChange[]): Promise<StockWriteResult[]>
  /**
   * One offer as it is shown now. For one that the platform does not have it throws
   * `NotFoundError`: the runtime then does not link it, or ends it. Without it offers are seen in
   * `listOffers` only.
   */
  getOffer?(externalId: string): Promise<Offer>
  /** What the platform would refuse of a change, before anything is queued. */
  checkPatch?(patch: OfferPatch): Promise<FieldError[]>
  updateOffer?(externalId: string, patch: OfferPatch): Promise<OfferWriteResult>
  endOffer?(externalId: string): Promise<void>
  /**
   * Orders changed since then, oldest change first: the repair when events were lost.
   * `updatedSince`: ISO 8601.
   */
  listOrders?(request: PageRequest & { updatedSince?: string }): Promise<Page<Order>>
  listDeliveryMethods?(): Promise<DeliveryMethod[]>
}
