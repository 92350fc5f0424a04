import type { Offer, OfferPatch, OfferWriteResult, QuantityChange, QuantityChangeResult } from '../schemas/offer.ts'
import type { DeliveryMethod, Order, OrderEventPage } from '../schemas/order.ts'
import type { FieldError, Page, PageRequest } from '../schemas/values.ts'

/**
 * A marketplace with a journal of order events. Its offers exist there before the hub links them.
 */
export interface Marketplace {
  listOffers(request: PageRequest): Promise<Page<Offer>>
  /**
   * Sets the absolute quantity of one offer. `commandId` names this logical change: a retry sends
   * the same id. Throws a `WriteUnderWayError` while the platform works on an earlier quantity of
   * the offer and promises no order.
   */
  updateOfferQuantity(change: QuantityChange): Promise<OfferWriteResult>
  /**
   * Reads the journal after `cursor`, oldest event first. It may repeat earlier events, to catch
   * those that became visible late: the runtime makes one job per event id.
   */
  listOrderEvents(request: { cursor?: string, limit: number }): Promise<OrderEventPage>
  /**
   * Reads the current state of the order. Throws `NotFoundError` only when the platform says that
   * it has no such order: the runtime then asks again after 15 minutes and after an hour, and gives
   * the order a problem. It cancels nothing. A 404 that may come from a gateway is a
   * `TransientError`.
   */
  getOrder(externalId: string): Promise<Order>
  /**
   * Sets up to 1 000 quantities at once. Each change has its own `commandId`. Returns one result
   * per change, in any order; the runtime retries changes without a result.
   */
  updateOfferQuantities?(changes: readonly QuantityChange[]): Promise<QuantityChangeResult[]>
  /**
   * Reads one offer as the marketplace shows it now. Throws `NotFoundError` for an offer that the
   * platform does not have: the runtime then does not link it, or ends it. If absent, the runtime
   * sees offers in `listOffers` only.
   */
  getOffer?(externalId: string): Promise<Offer>
  /**
   * Reports the fields of a change that the platform would refuse, before the hub queues the
   * change.
   */
  checkPatch?(patch: OfferPatch): Promise<FieldError[]>
  updateOffer?(externalId: string, patch: OfferPatch): Promise<OfferWriteResult>
  endOffer?(externalId: string): Promise<void>
  /**
   * Lists orders changed since `updatedSince` (ISO 8601), oldest change first: the runtime uses it
   * when events were lost.
   */
  listOrders?(request: PageRequest & { updatedSince?: string }): Promise<Page<Order>>
  listDeliveryMethods?(): Promise<DeliveryMethod[]>
}
