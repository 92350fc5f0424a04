import type {
  DeliveryMethod,
  FieldError,
  NewOffer,
  Offer,
  OfferPatch,
  OfferWriteResult,
  Page,
  PageRequest,
  StockWrite,
  StockWriteResult
} from '../schemas.ts'

/** A marketplace on which the hub creates and changes offers. */
export interface OfferManager {
  /**
   * Creates the offer under the key that the hub chose. An offer that already exists under it is
   * success.
   */
  createOffer(offer: NewOffer): Promise<void>
  /**
   * Writes only the members present. A frozen field is left out, listed in the result, and no
   * error. The runtime sends no field that it knows to be frozen; that it has thawed it learns from
   * `getOffer` and `listOffers`.
   */
  updateOffer(externalId: string, patch: OfferPatch): Promise<OfferWriteResult>
  /** Sets the absolute quantity, zero or more. Repeating it is harmless. */
  updateStock(externalId: string, quantity: number): Promise<OfferWriteResult>
  /**
   * One offer as it is shown now. For one that the platform does not have it throws
   * `NotFoundError`: the runtime then does not link it, or ends it.
   */
  getOffer(externalId: string): Promise<Offer>
  /**
   * Says what `createOffer` would refuse of each offer, in their order, without asking the
   * platform. The hub answers 400 with it and queues nothing. Absent: a bad offer is found out when
   * its job runs.
   */
  checkNewOffers?(offers: readonly NewOffer[]): Promise<FieldError[][]>
  /** Likewise for `updateOffer`. */
  checkPatch?(patch: OfferPatch): Promise<FieldError[]>
  /**
   * Sets up to 100 quantities in one call. Answers each, in any order; one that fails has an
   * `error` and leaves the others alone.
   */
  updateStockMany?(writes: readonly StockWrite[]): Promise<StockWriteResult[]>
  /**
   * Takes the offer off the marketplace for good. For one that the platform does not know it throws
   * `NotFoundError`: the hub knows whether it is gone or not shown yet.
   */
  endOffer?(externalId: string): Promise<void>
  listOffers?(request: PageRequest): Promise<Page<Offer>>
  listDeliveryMethods?(): Promise<DeliveryMethod[]>
}
