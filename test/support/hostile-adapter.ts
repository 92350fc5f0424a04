import type { ForeignPackage } from './project.ts'

const markup = '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>'
/** U+202E turns the rest of a line around in careless programs. */
const turned = '\u202Elatot\u202C {{constructor.constructor("globalThis.hacked=1")()}} javascript:globalThis.hacked=1'

/** A text that an unfriendly platform would send: markup, reversed text and 2 000 characters. */
export const hostileText = `${markup}${turned}${'x'.repeat(2_000 - markup.length - turned.length)}`

/** A picture that runs a script and loads from elsewhere, where a page puts it into itself. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" onload="globalThis.hacked=1">
  <script>top.hacked = 1; globalThis.hacked = 1</script>
  <foreignObject width="16" height="16">
    <img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror="top.hacked = 1"/>
  </foreignObject>
  <image href="https://elsewhere.example/pixel.png" width="16" height="16"/>
  <circle cx="8" cy="8" r="8"/>
</svg>`

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
      capabilities: ['InventoryMaster', 'OfferManager', 'OrderSource', 'ProductMaster'],
      icon: 'icon.svg',
      links: { help: 'https://elsewhere.example/?<script>' }
    }
  },
  files: { 'icon.svg': icon, 'CHANGELOG.md': `# ${hostileText}\n\n[a link](javascript:globalThis.hacked=1)\n` },
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

    const money = { amount: '1.00', currency: 'EUR' }
    const address = { firstName: text, lastName: text, street: text, postcode: text, city: text, country: 'DE' }
    const order = {
      externalId: text.slice(0, 1_000),
      status: 'processing',
      upstreamStatus: text,
      revision: '1',
      placedAt: '2026-01-31T10:00:00Z',
      buyer: { email: text },
      lines: [{ externalId: text.slice(0, 900), offerExternalId: 'o', name: text, quantity: 1, unitPrice: money }],
      extras: [{ kind: 'other', name: text, price: { amount: '-1.00', currency: 'EUR' } }],
      total: money,
      payment: { method: 'cash-on-delivery', paid: { amount: '0.00', currency: 'EUR' }, methodName: text },
      shipping: { methodId: text, methodName: text, price: money, address },
      comment: text,
      tracking: { carrier: text, number: text, url: 'javascript:globalThis.hacked=1' }
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
      account: async () => undefined,
      capabilities: {
        InventoryMaster: () => ({
          async getStock () { return [{ productExternalId: 'p', variantExternalId: 'v', quantity: 7 }] },
          async listStock () { throw new RejectedError(text) }
        }),
        ProductMaster: () => ({
          async getProduct () { return product },
          async listProducts () { return { items: [product] } }
        }),
        OrderSource: () => ({
          async listUnread () {
            return [{ eventId: text, orderExternalId: order.externalId, occurredAt: order.placedAt }]
          },
          async acknowledge () {},
          async getOrder () { return order }
        }),
        OfferManager: () => ({
          async createOffer () { throw new RejectedError(text) },
          async updateOffer () { throw new RejectedError(text) },
          async updateOfferQuantity () { throw new RejectedError(text) },
          async getOffer () { return offer },
          async listDeliveryMethods () { return [{ id: text, name: text }] },
          async listOffers () { return { items: [offer, { ...offer, externalId: 'p' }] } }
        })
      }
    })`
}
