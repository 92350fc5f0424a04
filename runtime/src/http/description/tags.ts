import type { OpenAPIV3_1 } from 'openapi-types'

const descriptions: Readonly<Record<string, string>> = {
  access: 'Tokens, sessions of people, and who changed what',
  adapters: 'The adapters of this hub and the form of their settings',
  catalog: 'Products and variants of the master shops',
  connections: 'Accounts at shops and marketplaces: settings, credentials, pauses, traffic and diagnostics',
  fulfilment: 'Who dispatches an order, its parcel and its label',
  jobs: 'Work of the hub: what runs, waits or died, and how to run it again',
  listings: 'New offers, and changes of offers at the marketplaces',
  offers: 'Offers of the marketplaces that follow the stock of a variant, and those that could',
  operation: 'For those who run the hub: health, metrics and settings',
  orders: 'Orders of the marketplaces on their way into the shop',
  search: 'One search over everything',
  stock: 'Stock of the master shops and the quantities at the marketplaces',
  webhooks: 'Events of platforms: how they are delivered and what became of them'
}

/** The tags of operations, by name, with their descriptions. */
export const tags: readonly OpenAPIV3_1.TagObject[] = Object.entries(descriptions).map(([name, description]) => ({
  name,
  description
}))
