import type { HttpClient, OfferManager } from '@linker/sdk'
import type { MarketplaceContext } from '../config.ts'
import { listDeliveryMethods } from '../orders/delivery-methods.ts'
import { readAnswer } from '../read-answer.ts'
import { createOffer } from './create.ts'
import { readWriteResult, toUpstream } from './fields.ts'
import { listOffers } from './list.ts'
import { productPath } from './path.ts'
import { readOffer } from './read.ts'
import { newOfferProblems, patchProblems, refuseIfAny } from './rules.ts'
import { updateOfferQuantities, updateOfferQuantity } from './stock.ts'

export function createOfferManager (http: HttpClient, context: MarketplaceContext): Required<OfferManager> {
  return {
    createOffer: offer => createOffer(http, context, offer),

    async checkNewOffers (offers) {
      return offers.map(offer => newOfferProblems(offer, context.config))
    },

    async updateOffer (externalId, patch) {
      refuseIfAny(patchProblems(patch))
      const body = toUpstream(patch)
      return readWriteResult(body, await http.request({ method: 'PATCH', path: productPath(externalId), body }))
    },

    async checkPatch (patch) {
      return patchProblems(patch)
    },

    updateOfferQuantity: change => updateOfferQuantity(http, context, change),

    updateOfferQuantities: changes => updateOfferQuantities(http, context, changes),

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
