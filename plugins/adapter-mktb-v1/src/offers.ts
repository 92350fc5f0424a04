import { RejectedError, TransientError, type HttpClient, type HttpResponse, type OfferManager, type OfferWriteResult } from '@linker/sdk'
import type { MarketplaceContext } from './config.ts'
import { toUpstreamOffer } from './new-offer.ts'
import { hubName, toStock, toUpstream, type UpstreamFields } from './offer-fields.ts'
import { readOffer } from './read-offer.ts'

export function createOfferManager (http: HttpClient, context: MarketplaceContext): OfferManager {
  async function write (externalId: string, fields: UpstreamFields): Promise<OfferWriteResult> {
    const response = await http.request({ method: 'PATCH', path: productPath(externalId), body: fields })
    return compare(Object.keys(fields), updatedFields(response))
  }

  return {
    async createOffer (offer) {
      const path = productPath(offer.externalId)
      const body = toUpstreamOffer(offer, context.config.defaultDispatchTime)
      // The key is ours, so a repeat is recognised: 409 says that an earlier attempt arrived.
      readAnswer(await http.request({ method: 'POST', path, body, idempotent: true, accept: [409] }))
    },

    async updateOffer (externalId, patch) {
      return write(externalId, toUpstream(patch))
    },

    async updateStock (externalId, quantity) {
      const result = await write(externalId, { stock: toStock(quantity) })
      if (result.frozen.length > 0) context.log.warn({ externalId, quantity }, 'the seller froze the stock of this offer: it may be sold although the shop has none')
      return result
    },

    async getOffer (externalId) {
      return readOffer(await http.json({ method: 'GET', path: productPath(externalId) }))
    }
  }
}

function productPath (externalId: string): string {
  // A lone surrogate cannot be encoded; of the rest only dots pass unescaped, and two of them would leave the collection.
  if (!externalId.isWellFormed() || externalId === '.' || externalId === '..' || externalId === '' || externalId.length > 1_023) {
    throw new RejectedError(`'${externalId.toWellFormed().slice(0, 64)}' cannot be the external id of an offer`)
  }
  return `products/${encodeURIComponent(externalId)}`
}

/** Names that the marketplace says it took over; `undefined` when the answer does not say. */
function updatedFields (response: HttpResponse): string[] | undefined {
  const answer = readAnswer(response)
  const names: unknown = typeof answer === 'object' && answer !== null && 'updatedFields' in answer ? answer.updatedFields : undefined
  return Array.isArray(names) ? names.map(String) : undefined
}

/** What a write was answered with, `undefined` for an empty body. A page of something in between is no answer: nothing was written. */
function readAnswer ({ body }: HttpResponse): unknown {
  if (body.trim() === '') return undefined
  try {
    return JSON.parse(body)
  } catch {
    // Without the parser's error as its cause: that quotes the body.
    throw new TransientError('the change was answered with a body that is no JSON')
  }
}

// A write to a frozen field is answered like any other; that its name is missing among the updated is the only sign.
function compare (sent: readonly string[], updated: readonly string[] | undefined): OfferWriteResult {
  const isApplied = (name: string) => updated === undefined || updated.includes(name)
  return { applied: sent.filter(isApplied).map(hubName), frozen: sent.filter(name => !isApplied(name)).map(hubName) }
}
