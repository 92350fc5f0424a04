import type { Context } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'

const shopId = '^[1-9][0-9]{0,9}$'

/** The id of a row in the shop's tables. */
const idOf = <Texts extends object>(texts: Texts) => Type.String({ pattern: shopId, ...texts })

const stateOf = (title: string, id: string) => Type.Optional(idOf({ title, default: id }))

const Prices = Type.Object({
  country: Type.String({
    pattern: '^[A-Z]{2}$',
    title: 'Country of the tax',
    description: 'ISO 3166-1 alpha-2 code of the country whose tax the prices include',
    examples: ['PL']
  }),
  currency: Type.String({
    pattern: '^[A-Z]{3}$',
    title: 'Currency',
    description: "ISO 4217 code of the shop's default currency, the currency of its prices",
    examples: ['PLN']
  })
}, {
  additionalProperties: false,
  title: 'Gross prices',
  description: "Settings that turn the shop's net prices into gross ones. Absent: products have no prices",
  group: 'Products'
})

const Carriers = Type.Array(
  Type.Object({
    sourceConnectionId: Type.Optional(Type.String({
      minLength: 1,
      maxLength: 64,
      title: 'Marketplace',
      description: 'Id of the connection that the order comes from. Absent: every marketplace'
    })),
    methodId: Type.String({
      minLength: 1,
      maxLength: 255,
      title: 'Delivery method',
      description: 'Its id at the marketplace'
    }),
    carrierReference: idOf({
      title: 'Carrier of the shop',
      description: 'The `id_reference` of the carrier: its id changes with every edit',
      examples: ['2']
    })
  }, { additionalProperties: false }),
  {
    title: 'Carriers',
    description: "Maps a marketplace's delivery method to a carrier of the shop. The first match counts, but an " +
      'entry that names the connection comes before one that does not',
    group: 'Orders'
  }
)

const OrderStates = Type.Object({
  processing: stateOf('In preparation', '2'),
  shipped: stateOf('Shipped', '4'),
  delivered: stateOf('Delivered', '5'),
  cancelled: stateOf('Cancelled', '6'),
  cashOnDelivery: stateOf('To be paid on delivery', '13'),
  deferred: stateOf('To be paid later', '10')
}, {
  additionalProperties: false,
  title: 'Order states',
  description: 'The ids of the order states that the hub sets',
  group: 'Orders'
})

export const Config = Type.Object({
  baseUrl: Type.Optional(Type.String({
    pattern: '^https?://[^\\s?#@]+$',
    title: 'Public address of the shop',
    description: 'For the addresses of images. Absent: `apiUrl` without its last segment',
    examples: ['https://shop.example'],
    group: 'Products'
  })),
  shopId: Type.Optional(idOf({
    title: 'Shop',
    description: 'Id of the shop in a multishop installation. It is required there: without it the adapter cannot ' +
      'tell apart the stock rows of several shops',
    examples: ['1']
  })),
  timeZone: Type.Optional(Type.String({
    minLength: 1,
    maxLength: 64,
    title: 'Time zone',
    description: 'IANA name of the time zone in which the shop writes its times. Absent: products have no `updatedAt`',
    examples: ['Europe/Warsaw']
  })),
  languageId: Type.Optional(idOf({
    title: 'Language',
    description: 'Id of the shop language in which names and descriptions are read. Absent: the first language that ' +
      'has a text',
    examples: ['1'],
    group: 'Products'
  })),
  prices: Type.Optional(Prices),
  imageType: Type.String({
    pattern: '^[A-Za-z0-9_-]{1,64}$',
    default: 'large_default',
    title: 'Image type',
    description: "The image type of the shop's theme that the hub publishes",
    group: 'Products'
  }),
  packStock: Type.Optional(Type.Union([Type.Literal('own'), Type.Literal('parts'), Type.Literal('lesser')], {
    title: 'Stock of packs',
    description: "The shop's general setting: the stock row of the pack, its scarcest part, or the lesser of both. " +
      'Absent: the adapter reads it from `configurations`',
    group: 'Products'
  })),
  carriers: Type.Optional(Carriers),
  defaultCarrierId: Type.Optional(idOf({
    title: 'Default carrier',
    description: "Id of the carrier for every other delivery method. Absent: the shop-side module's carrier",
    group: 'Orders'
  })),
  orderPath: Type.Optional(Type.Union([Type.Literal('module'), Type.Literal('webservice')], {
    title: 'Who makes orders',
    description: "The shop-side module, which keeps the buyer's shipping costs, or the webservice alone. Absent: the " +
      'module if the shop has the webhook secret, else the webservice',
    group: 'Orders'
  })),
  moduleName: Type.String({
    pattern: '^[a-z0-9_-]{1,64}$',
    default: 'linker',
    title: 'Name of the shop-side module',
    group: 'Orders'
  }),
  paymentModule: Type.Optional(Type.String({
    pattern: '^[A-Za-z0-9_]{1,64}$',
    title: 'Payment module',
    description: 'Orders that the webservice makes need it: the name of its folder below `modules/` of the shop. It ' +
      'must be installed and active there',
    group: 'Orders'
  })),
  orderStates: Type.Optional(OrderStates)
})
export type Config = Static<typeof Config>

export const Credentials = Type.Object({
  apiUrl: Type.String({
    pattern: '^https?://[^\\s?#@]+$',
    title: 'Address of the webservice',
    description: 'With or without the last segment `/api`; the hub stores it with `/api`',
    examples: ['https://shop.example/api']
  }),
  apiKey: Type.String({
    minLength: 1,
    maxLength: 255,
    secret: true,
    title: 'Webservice key',
    description: 'It has 32 characters in every shop we know, but only the shop checks it'
  }),
  moduleSecret: Type.Optional(Type.String({
    minLength: 1,
    maxLength: 255,
    secret: true,
    title: 'Secret of the shop-side module',
    description: 'Signs calls of the module. Absent: the secret of the installed webhooks, as the shop stores it'
  }))
}, { additionalProperties: false })
export type Credentials = Static<typeof Credentials>

/** Returns the address of the shop itself, without the last segment of its webservice. */
export function shopUrlOf (apiUrl: string): string {
  return apiUrl.replace(/\/api$/, '')
}

export type ShopContext = Context<Config, Credentials>

/**
 * Brings `apiUrl` to the one form that is stored: no trailing slash, and `api` as its last segment.
 * The schema checks the rest.
 */
export function normalizeCredentials (credentials: unknown): unknown {
  if (typeof credentials !== 'object' || credentials === null || !('apiUrl' in credentials)) return credentials
  const { apiUrl } = credentials
  return typeof apiUrl === 'string' ? { ...credentials, apiUrl: webserviceUrl(apiUrl) } : credentials
}

function webserviceUrl (address: string): string {
  const segments = address.trim().split('/')
  while (segments.at(-1) === '') segments.pop()
  // The first three segments are scheme, nothing and host: a host named api is not a path.
  if (segments.length < 4 || segments.at(-1) !== 'api') segments.push('api')
  return segments.join('/')
}
