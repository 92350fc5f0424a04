import type { DeliveryMethod, Offer, OfferPatch, OfferWriteResult, Order, OrderEvent, Page, PageRequest } from '../schemas.ts'

/** A marketplace with a journal of order events, whose offers exist there before the hub links them. */
export interface Marketplace {
  listOffers (request: PageRequest): Promise<Page<Offer>>
  /** Sets the absolute quantity of one offer. `commandId` names this logical change: a retry sends the same one. */
  updateOfferQuantity (change: { externalId: string, quantity: number, commandId: string }): Promise<OfferWriteResult>
  /** Reads the journal after `cursor`, oldest first. */
  listOrderEvents (request: { cursor?: string, limit: number }): Promise<Page<OrderEvent>>
  getOrder (externalId: string): Promise<Order>
  updateOffer? (externalId: string, patch: OfferPatch): Promise<OfferWriteResult>
  getQuantityCommand? (commandId: string): Promise<{ status: 'accepted' | 'succeeded' | 'failed', error?: string }>
  listDeliveryMethods? (): Promise<DeliveryMethod[]>
}
