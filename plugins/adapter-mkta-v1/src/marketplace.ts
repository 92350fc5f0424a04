import { AdapterErrorCode, RateLimitedError, RejectedError, WriteUnderWayError, type Marketplace } from '@linker/sdk'
import type { MarketplaceClient } from './client.ts'
import { maskedMailDomains, type MarketplaceContext } from './config.ts'
import { ofOrder } from './errors.ts'
import { fetchOffer } from './offers/fetch.ts'
import { patchProblems, toUpstream } from './offers/fields.ts'
import { listOffers } from './offers/list.ts'
import { patchOfferToTheEnd, refuseFaults } from './offers/patch.ts'
import { parseOffer, readOffer } from './offers/read.ts'
import { noteRepublish } from './offers/republish.ts'
import { listDeliveryMethods } from './orders/delivery-methods.ts'
import { listOrderEvents } from './orders/events.ts'
import { fetchOrder } from './orders/fetch.ts'
import { listOrders } from './orders/list.ts'
import { readOrder } from './orders/read.ts'
import { updateQuantities } from './quantities/update.ts'

export function createMarketplace (client: MarketplaceClient, context: MarketplaceContext): Required<Marketplace> {
  return {
    listOffers: request => listOffers(client, context, request),

    async getOffer (externalId) {
      const found = await fetchOffer(client, externalId)
      await noteRepublish(context.kv, parseOffer(found))
      return readOffer(found)
    },

    async updateOffer (externalId, patch) {
      const problems = patchProblems(patch)
      if (problems.length > 0) {
        throw new RejectedError(problems.map(({ message }) => message).join('; '), { fields: problems })
      }
      refuseFaults(await patchOfferToTheEnd(client, context, externalId, toUpstream(patch)))
      return { applied: Object.keys(patch), frozen: [] }
    },

    async checkPatch (patch) {
      return patchProblems(patch)
    },

    async endOffer (externalId) {
      const offer = await patchOfferToTheEnd(client, context, externalId, { publication: { status: 'ENDED' } })
      // Other faults do not matter when the offer only has to end.
      if (offer?.publication.status !== 'ENDED') refuseFaults(offer)
    },

    async updateOfferQuantity (change) {
      const results = await updateQuantities(client, context, [change])
      const [{ error, applied, frozen } = { error: undefined, applied: [], frozen: [] }] = results
      if (error?.code === AdapterErrorCode.writeUnderWay) throw new WriteUnderWayError(error.message, error)
      if (error?.code === AdapterErrorCode.rateLimited) throw new RateLimitedError(error.message, error)
      if (error !== undefined) throw new RejectedError(error.message)
      return { applied, frozen }
    },

    updateOfferQuantities: changes => updateQuantities(client, context, changes),

    listOrderEvents: request => listOrderEvents(client, context, request),

    async getOrder (externalId) {
      const form = await ofOrder(() => fetchOrder(client, externalId))
      return readOrder(form, maskedMailDomains(context.platform))
    },

    listOrders: request => listOrders(client, context, request),

    listDeliveryMethods: () => listDeliveryMethods(client, context)
  }
}
