import type {
  Address,
  NewOffer,
  NewOrder,
  OfferPatch,
  Order,
  OrderChanges,
  OrderEvent,
  QuantityChange,
  StockLevel,
  Tracking,
  WebhookInstallation
} from '../../index.ts'

// Data that a hub would send. It is plausible rather than minimal: a platform's own rules (a name
// has three letters) must not prevent the request.

const time = '2025-01-02T10:00:00.000Z'
const address: Address = {
  firstName: 'Anna',
  lastName: 'Nowak',
  street: 'Prosta 1',
  postcode: '00-001',
  city: 'Warszawa',
  country: 'PL',
  phone: '+48500600700'
}

const order: Order = {
  externalId: '1',
  status: 'processing',
  revision: '1',
  placedAt: time,
  buyer: { externalId: '1', email: 'buyer@example.com' },
  lines: [{
    externalId: '1',
    offerExternalId: '1',
    name: 'Mug',
    quantity: 1,
    unitPrice: { amount: '19.99', currency: 'PLN' }
  }],
  total: { amount: '29.98', currency: 'PLN' },
  payment: { method: 'prepaid', paid: { amount: '29.98', currency: 'PLN' } },
  shipping: { methodId: '1', price: { amount: '9.99', currency: 'PLN' }, address },
  invoiceAddress: address
}

/** What must not be read in an error or a log. */
export const personalData: readonly { name: string, value: string }[] = [
  { name: 'the e-mail address', value: 'buyer@example.com' },
  { name: 'the last name', value: 'Nowak' },
  { name: 'the street', value: 'Prosta 1' },
  { name: 'the phone number', value: '+48500600700' }
]

/** An order as the hub sends it to a shop. */
export const newOrder: NewOrder = {
  ...order,
  lines: order.lines.map(line => ({ ...line, productExternalId: '1', variantExternalId: '1' })),
  source: { connectionId: '123e4567-e89b-42d3-a456-426614174000', platformType: 'marketplace' }
}

/** The buyer moved, wrote a comment and took another piece. */
export const orderChanges: OrderChanges = {
  address: { from: address, to: { ...address, street: 'Polna 2' } },
  lines: newOrder.lines.map(line => ({ from: line, to: { ...line, quantity: line.quantity + 1 } })),
  total: { from: order.total, to: { amount: '49.97', currency: 'PLN' } },
  comment: { to: 'Please ring twice' }
}

export const newOffer: NewOffer = {
  externalId: '1',
  title: 'Mug, blue, 300 ml',
  price: { amount: '19.99', currency: 'PLN' },
  quantity: 1,
  imageUrls: ['https://images.example.com/1.jpg'],
  publishImmediately: false
}

export const offerPatch: OfferPatch = { price: { amount: '21.50', currency: 'PLN' }, title: 'Mug, blue, 350 ml' }
export const stockLevel: StockLevel = { productExternalId: '1', variantExternalId: '1', quantity: 1 }
export const orderEvent: OrderEvent = { eventId: '1', orderExternalId: '1', occurredAt: time }
export const tracking: Tracking = { carrier: 'Courier', number: '1' }
/**
 * The address is one that a platform can reach: its rules for addresses must not prevent the
 * request.
 */
export const installation: WebhookInstallation = {
  callbackUrl: 'https://hub.example.com/webhooks/shop/123e4567-e89b-42d3-a456-426614174000',
  secret: 'webhook-secret-0123456789-abcdefgh'
}
export const pageRequest = { limit: 10 }
export const quantityChange: QuantityChange = {
  externalId: '1',
  quantity: 1,
  commandId: '123e4567-e89b-42d3-a456-426614174000'
}

/**
 * Returns the smallest value that a JSON Schema accepts, or undefined when it cannot be found
 * without trying.
 */
export function sampleOf (schema: object): unknown {
  const {
    type,
    properties,
    required = [],
    items,
    minItems = 0,
    enum: values,
    minimum = 1,
    minLength = 1,
    anyOf,
    ...rest
  } = schema as {
    type?: string,
    properties?: Record<string, object>,
    required?: string[],
    items?: object,
    minItems?: number,
    enum?: unknown[],
    minimum?: number,
    minLength?: number,
    anyOf?: object[],
    const?: unknown
  }
  if ('const' in rest) return rest.const
  if (values !== undefined) return values[0]
  if (anyOf?.[0] !== undefined) return sampleOf(anyOf[0])
  switch (type) {
    case 'object':
      return Object.fromEntries(required.map(name => [name, sampleOf(properties?.[name] ?? {})]))
    case 'array':
      return Array.from({ length: minItems }, () => sampleOf(items ?? {}))
    case 'string':
      return '1'.repeat(Math.max(1, minLength))
    case 'integer':
    case 'number':
      return minimum
    case 'boolean':
      return false
    case 'null':
      return null
    default:
      return undefined
  }
}
