import type { DeliveryMethod, NewOffer, Offer, OfferPatch, OfferWriteResult, Page, PageRequest } from '../schemas.ts'

/** A marketplace on which the hub creates and changes offers. */
export interface OfferManager {
  /** Creates the offer under the key that the hub chose. An offer that already exists under it is success. */
  createOffer (offer: NewOffer): Promise<void>
  /** Writes only the members present. A frozen field is left out, listed in the result, and no error. */
  updateOffer (externalId: string, patch: OfferPatch): Promise<OfferWriteResult>
  /** Sets the absolute quantity, zero or more. Repeating it is harmless. */
  updateStock (externalId: string, quantity: number): Promise<OfferWriteResult>
  getOffer (externalId: string): Promise<Offer>
  listOffers? (request: PageRequest): Promise<Page<Offer>>
  listDeliveryMethods? (): Promise<DeliveryMethod[]>
}
