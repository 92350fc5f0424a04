import { standardRatesId } from './delivery.ts'
import type { Problem } from './errors.ts'
import type { Money } from './money.ts'

/** An offer as a read of one shows it; lists leave members out. */
export interface Offer {
  id: string
  name: string
  category: { id: string }
  primaryImage: { url: string } | null
  sellingMode: { format: string, price: Money, minimalPrice: Money | null, startingPrice: Money | null }
  stock: { available: number, sold: number, unit: string }
  publication: {
    status: 'INACTIVE' | 'ACTIVATING' | 'ACTIVE' | 'ENDED',
    endedBy: string | null,
    /** Whether the marketplace puts the offer up again by itself when it has ended. */
    republish: boolean,
    duration: string | null,
    startingAt: string | null,
    startedAt: string | null,
    endingAt: string | null,
    endedAt: string | null,
    marketplaces: { base: { id: string }, additional: Array<{ id: string }> }
  }
  external: { id: string } | null
  /** Whether the pieces lie in the marketplace's own warehouse. */
  isFulfillment: boolean
  delivery: { shippingRates: { id: string } | null }
  afterSalesServices: {
    warranty: { id: string } | null,
    returnPolicy: { id: string } | null,
    impliedWarranty: { id: string } | null
  }
  additionalServices: { id: string } | null
  b2b: { buyableOnlyByBusiness: boolean }
  description: { sections: Array<{ items: Array<{ type: string, content?: string, url?: string }> }> } | null
  images: string[]
  parameters: unknown[]
  productSet: unknown[]
  validation: { errors: Problem[], warnings: Problem[], validatedAt: string }
  language: string
  location: { countryCode: string, province: string, city: string, postCode: string }
  payments: { invoice: string }
  tax: { subject: string, rate: string, exemption: string | null } | null
  createdAt: string
  updatedAt: string
}

export type OfferMembers = { [Name in 'name' | 'category' | 'images' | 'parameters' | 'delivery']?: Offer[Name] } & {
  sellingMode?: Partial<Offer['sellingMode']>,
  stock?: Partial<Offer['stock']>,
  external?: Offer['external'],
  isFulfillment?: boolean,
  description?: Offer['description'],
  publication?: Partial<Pick<Offer['publication'], 'status' | 'republish'>>
}

export function merged (offer: Offer, { sellingMode, stock, publication, ...others }: OfferMembers): Offer {
  return {
    ...offer,
    ...others,
    sellingMode: { ...offer.sellingMode, ...sellingMode },
    stock: { ...offer.stock, ...stock },
    publication: { ...offer.publication, ...publication }
  }
}

/** Makes an offer that is active since now, with one piece for 100.00. */
export function emptyOffer (id: string, time: string): Offer {
  const url = 'https://img.mkta.example/1.jpg'
  return {
    id,
    name: `Offer ${id}`,
    category: { id: '257931' },
    primaryImage: { url },
    sellingMode: {
      format: 'BUY_NOW',
      price: { amount: '100.00', currency: 'PLN' },
      minimalPrice: null,
      startingPrice: null
    },
    stock: { available: 1, sold: 0, unit: 'UNIT' },
    publication: {
      status: 'ACTIVE',
      startingAt: null,
      startedAt: time,
      endingAt: null,
      endedAt: null,
      endedBy: null,
      republish: false,
      duration: null,
      marketplaces: { base: { id: 'mkta-pl' }, additional: [] }
    },
    external: null,
    isFulfillment: false,
    delivery: { shippingRates: { id: standardRatesId } },
    afterSalesServices: { warranty: null, returnPolicy: null, impliedWarranty: null },
    additionalServices: null,
    b2b: { buyableOnlyByBusiness: false },
    description: null,
    images: [url],
    parameters: [],
    productSet: [],
    validation: { errors: [], warnings: [], validatedAt: time },
    language: 'pl-PL',
    location: { countryCode: 'PL', province: 'MAZOWIECKIE', city: 'Warszawa', postCode: '00-001' },
    payments: { invoice: 'VAT' },
    tax: null,
    createdAt: time,
    updatedAt: time
  }
}
