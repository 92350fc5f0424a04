import type { HttpClient, OfferManager } from '@linker/sdk'
import type { MarketplaceContext } from './config.ts'
import { createOffer } from './create-offer.ts'
import { listDeliveryMethods } from './delivery-methods.ts'
import { listOffers } from './list-offers.ts'
import { toUpstream } from './offer-fields.ts'
import { newOfferProblems, patchProblems, refuseIfAny } from './offer-rules.ts'
import { productPath } from './product-path.ts'
import { readOffer } from './read-offer.ts'
import { updateStock, updateStockMany } from './stock.ts'
import { readAnswer, readWriteResult } from './write-answer.ts'

export function createOfferManager (http: HttpClient, context: MarketplaceContext): Required<OfferManager> {
  return {
    createOffer: offer => createOffer(http, context, offer),

    async checkNewOffers (offers) {
      return offers.map(offer => newOfferProblems(offer, context.config.defaultDispatchTime))
    },

    async updateOffer (externalId, patch) {
      refuseIfAny(patchProblems(patch))
      const body = toUpstream(patch)
      return readWriteResult(body, await http.request({ method: 'PATCH', path: productPath(externalId), body }))
    },

    async checkPatch (patch) {
      return patchProblems(patch)
    },

    updateStock: (externalId, quantity) => updateStock(http, context, { externalId, quantity }),

    updateStockMany: writes => updateStockMany(http, context, writes),

    async endOffer (externalId) {
      readAnswer(await http.request({ method: 'PATCH', path: productPath(externalId), body: { archived: true } }))
    },

    async getOffer (externalId) {
      return readOffer(await http.json({ method: 'GET', path: productPath(externalId) }))
    },

    listOffers: request => listOffers(http, context, request),

    listDeliveryMethods: () => listDeliveryMethods(http)
  }
}
