import type { ForeignPackage } from './project.ts'

const markup = '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>'
/** U+202E turns the rest of a line around in careless programs. */
const turned = '\u202Elatot\u202C {{constructor.constructor("globalThis.hacked=1")()}} javascript:globalThis.hacked=1'

/** A text that an unfriendly platform would send: markup, reversed text and 2 000 characters. */
export const hostileText = `${markup}${turned}${'x'.repeat(2_000 - markup.length - turned.length)}`

/** An adapter whose platform answers such texts wherever it can. It is a shop and a marketplace. */
export const hostileAdapter: ForeignPackage = {
  manifest: {
    name: '@acme/adapter-hostile-v1',
    version: '1.0.0',
    engines: { linker: '^0.1.0' },
    linker: {
      adapterKey: 'hostile.api.v1',
      platformType: 'hostile',
      displayName: markup,
      capabilities: ['InventoryMaster', 'OfferManager', 'ProductMaster']
    }
  },
  source: `
    import { defineAdapter, RejectedError } from '@linker/sdk'

    const text = ${JSON.stringify(hostileText)}
    const offer = { externalId: 'o', title: text, quantity: 1, status: 'ACTIVE' }
    const product = {
      externalId: 'p',
      name: text,
      isActive: true,
      variants: [{ externalId: 'v', name: text, sku: text.slice(0, 200) }]
    }

    export default defineAdapter({
      config: {
        type: 'object',
        title: text,
        properties: {
          shop: { type: 'string', title: text, description: text, examples: [text], group: text, unit: text },
          [text.slice(0, 60)]: { enum: [text, 'other'], description: text }
        }
      },
      credentials: { type: 'null' },
      connect: () => ({}),
      test: async () => ({ message: text }),
      capabilities: {
        InventoryMaster: () => ({
          async getStock () { return [{ productExternalId: 'p', variantExternalId: 'v', quantity: 7 }] },
          async listStock () { throw new RejectedError(text) }
        }),
        ProductMaster: () => ({
          async getProduct () { return product },
          async listProducts () { return { items: [product] } }
        }),
        OfferManager: () => ({
          async createOffer () { throw new RejectedError(text) },
          async updateOffer () { throw new RejectedError(text) },
          async updateOfferQuantity () { throw new RejectedError(text) },
          async getOffer () { return offer },
          async listOffers () { return { items: [offer, { ...offer, externalId: 'p' }] } }
        })
      }
    })`
}
