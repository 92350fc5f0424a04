import type {
  NewOffer,
  Offer,
  OfferPatch,
  OfferWriteResult,
  QuantityChange,
  QuantityChangeResult
} from '../schemas/offer.ts'
import type { DeliveryMethod } from '../schemas/order.ts'
import type { FieldError, Page, PageRequest } from '../schemas/values.ts'

/** A marketplace on which the hub creates and changes offers. */
export interface OfferManager {
  /**
   * Creates the offer under the key that the hub chose. An offer that already exists under this key
   * is a success.
   */
  createOffer(offer: NewOffer): Promise<void>
  /**
   * Writes only the members present. Leaves out frozen fields and lists them in the result; they
   * are no error. The runtime sends no field that it knows to be frozen; it learns from `getOffer`
   * and `listOffers` when a field is no longer frozen.
   */
  updateOffer(externalId: string, patch: OfferPatch): Promise<OfferWriteResult>
  /**
   * Sets the absolute quantity of one offer. Repeating it is harmless. Throws a
   * `WriteUnderWayError` while the platform works on an earlier quantity of the offer and promises
   * no order.
   */
  updateOfferQuantity(change: QuantityChange): Promise<OfferWriteResult>
  /**
   * Reads one offer as the marketplace shows it now. Throws `NotFoundError` for an offer that the
   * platform does not have: the runtime then does not link it, or ends it.
   */
  getOffer(externalId: string): Promise<Offer>
  /**
   * Reports the fields that `createOffer` would refuse, for each offer in the given order, without
   * asking the platform. The hub then answers 400 and queues nothing. If absent, the hub notices a
   * bad offer only when its job runs.
   */
  checkNewOffers?(offers: readonly NewOffer[]): Promise<FieldError[][]>
  /** Reports the fields that `updateOffer` would refuse, in the same way. */
  checkPatch?(patch: OfferPatch): Promise<FieldError[]>
  /**
   * Sets up to 100 quantities in one call. Returns one result per change, in any order; a failed
   * change has an `error` and does not affect the others.
   */
  updateOfferQuantities?(changes: readonly QuantityChange[]): Promise<QuantityChangeResult[]>
  /**
   * Removes the offer from the marketplace for good. Throws `NotFoundError` for an offer that the
   * platform does not know: the hub knows whether it is gone or not visible yet.
   */
  endOffer?(externalId: string): Promise<void>
  listOffers?(request: PageRequest): Promise<Page<Offer>>
  listDeliveryMethods?(): Promise<DeliveryMethod[]>
}

/**
 * `OfferManager` with the former names of two methods. The hub serves it, and warns the operator.
 * @deprecated Rename `updateStock` to `updateOfferQuantity` and `updateStockMany` to
 * `updateOfferQuantities`: both take changes `{ externalId, quantity, commandId }`.
 */
export interface FormerOfferManager extends Omit<OfferManager, 'updateOfferQuantity' | 'updateOfferQuantities'> {
  updateStock(externalId: string, quantity: number): Promise<OfferWriteResult>
  updateStockMany?(writes: readonly Omit<QuantityChange, 'commandId'>[]): Promise<QuantityChangeResult[]>
}
