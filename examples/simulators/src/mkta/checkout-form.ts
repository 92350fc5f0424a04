import { randomUUID } from 'node:crypto'
import type { Money } from './money.ts'
import type { Offer } from './offer.ts'

export const fulfillmentStatuses = [
  'NEW',
  'PROCESSING',
  'READY_FOR_SHIPMENT',
  'READY_FOR_PICKUP',
  'SENT',
  'PICKED_UP',
  'CANCELLED',
  'SUSPENDED',
  'RETURNED'
] as const

/** A service that the buyer pays beside the price, as gift wrapping. */
export interface AdditionalService {
  definitionId: string
  name: string
  price: Money
  quantity: number
}

/** A payment of the buyer after the order. */
export interface Surcharge {
  id: string
  type: string
  provider: string
  finishedAt: string
  paidAmount: Money
}

export interface LineItem {
  id: string
  offer: { id: string, name: string, external: { id: string } | null, productSet: null }
  quantity: number
  originalPrice: Money
  price: Money
  reconciliation: null
  selectedAdditionalServices: AdditionalService[]
  vouchers: unknown[]
  discounts: Array<{ type: string }>
  tax: { rate: string, subject: string | null, exemption: string | null }
  /** For bottles, for each piece. */
  deposit: { price: Money } | null
  boughtAt: string
}

export interface CheckoutForm {
  id: string
  messageToSeller: string | null
  buyer: Record<string, unknown>
  payment: {
    id: string,
    type: string,
    provider: string,
    finishedAt: string | null,
    paidAmount: Money | null,
    reconciliation: Money | null,
    features: string[]
  }
  status: 'BOUGHT' | 'FILLED_IN' | 'READY_FOR_PROCESSING' | 'CANCELLED'
  fulfillment: {
    status: typeof fulfillmentStatuses[number],
    /** `SELLER`, or the warehouse that ships the order. */
    provider: { id: string },
    shipmentSummary: { lineItemsSent: 'NONE' | 'SOME' | 'ALL' }
  }
  delivery: Record<string, unknown>
  invoice: Record<string, unknown>
  lineItems: LineItem[]
  surcharges: Surcharge[]
  note: { text: string } | null
  marketplace: { id: string }
  summary: { totalToPay: Money }
  updatedAt: string
  revision: string
}

/**
 * An order to place. The simulator makes up every absent member, also those of `buyer`, `payment`
 * and `delivery`.
 */
export interface PlacedCheckoutForm
  extends Omit<Partial<CheckoutForm>, 'lineItems' | 'payment' | 'fulfillment' | 'surcharges'>
{
  payment?: Partial<CheckoutForm['payment']>
  fulfillment?: Partial<CheckoutForm['fulfillment']>
  surcharges?: ReadonlyArray<Partial<Surcharge>>
  lines: ReadonlyArray<PlacedLine>
}

/** `deposit` is for each piece; it and the prices of services are beside `price`. */
export interface PlacedLine {
  offerId: string
  quantity: number
  price?: string
  deposit?: string
  services?: ReadonlyArray<{ name: string, price: string, quantity?: number }>
  discounts?: LineItem['discounts']
}

export interface FormSource {
  time: string
  number: number
  offerOf: (id: string) => Offer | undefined
}

export function formOf (
  { lines, buyer, payment, fulfillment, delivery, surcharges = [], ...members }: PlacedCheckoutForm,
  { time, number, offerOf }: FormSource
): CheckoutForm {
  const lineItems = lines.map(line => lineItemOf(line, offerOf(line.offerId), time))
  const totalToPay = totalOf(lineItems)
  const status = members.status ?? 'READY_FOR_PROCESSING'
  const isReady = status === 'READY_FOR_PROCESSING'
  const isPaid = isReady && payment?.type !== 'CASH_ON_DELIVERY'
  return {
    id: randomUUID(),
    messageToSeller: null,
    buyer: { ...buyerOf(number), ...buyer },
    // For cash on delivery, finishedAt is the time of the order, not of a payment.
    payment: {
      id: randomUUID(),
      type: 'ONLINE',
      provider: 'P24',
      finishedAt: isReady ? time : null,
      paidAmount: isPaid ? totalToPay : null,
      reconciliation: null,
      features: [],
      ...payment
    },
    status,
    fulfillment: {
      status: 'NEW',
      provider: { id: 'SELLER' },
      shipmentSummary: { lineItemsSent: 'NONE' },
      ...fulfillment
    },
    delivery: { ...courierDelivery(time), ...delivery },
    invoice: { required: false, dueDate: null, address: null },
    lineItems,
    surcharges: surcharges.map(given => ({ ...surchargeOf(time), ...given })),
    note: null,
    marketplace: { id: 'mkta-pl' },
    summary: { totalToPay },
    updatedAt: time,
    revision: newRevision(),
    ...members
  }
}

const deliveryCents = 1_999

/** Returns the total of the items, their deposits and services, and the usual delivery. */
export function totalOf (items: readonly LineItem[]): Money {
  const costOf = ({ price, quantity, deposit, selectedAdditionalServices }: LineItem): number =>
    (centsOf(price) + (deposit === null ? 0 : centsOf(deposit.price))) * quantity +
    selectedAdditionalServices.reduce((sum, service) => sum + centsOf(service.price) * service.quantity, 0)
  const cents = items.reduce((sum, item) => sum + costOf(item), deliveryCents)
  return { amount: (cents / 100).toFixed(2), currency: 'PLN' }
}

function centsOf ({ amount }: Money): number {
  return Math.round(Number(amount) * 100)
}

function surchargeOf (time: string): Surcharge {
  return {
    id: randomUUID(),
    type: 'ONLINE',
    provider: 'P24',
    finishedAt: time,
    paidAmount: { amount: '10.00', currency: 'PLN' }
  }
}

export function newRevision (): string {
  return randomUUID().slice(0, 8)
}

const person = { firstName: 'Anna', lastName: 'Nowak' }

// Two details are those of the marketplace. The email of a buyer stays the same before the plus and
// differs after it in each order. This address has `postCode`, while the delivery address has
// `zipCode`.
function buyerOf (number: number): Record<string, unknown> {
  return {
    id: '555',
    email: `hjk2kn6y+${(number + 0x2d8f).toString(16)}@user.mktamail.example`,
    login: 'buyer_login',
    ...person,
    companyName: null,
    guest: false,
    personalIdentity: null,
    phoneNumber: '500600700',
    preferences: { language: 'pl-PL' },
    address: {
      street: 'ul. Prosta 1/2',
      city: 'Warszawa',
      postCode: '00-001',
      countryCode: 'PL'
    }
  }
}

function courierDelivery (time: string): Record<string, unknown> {
  return {
    address: {
      ...person,
      street: 'ul. Prosta 1/2',
      city: 'Warszawa',
      zipCode: '00-001',
      countryCode: 'PL',
      companyName: null,
      phoneNumber: '500600700',
      modifiedAt: null
    },
    method: { id: '2488f7b7-5d1c-4d65-b85c-4cbcf253fd93', name: 'Courier' },
    pickupPoint: null,
    cost: { amount: '19.99', currency: 'PLN' },
    time: {
      from: time,
      to: time,
      guaranteed: null,
      dispatch: { from: time, to: time }
    },
    smart: false,
    cancellation: null,
    calculatedNumberOfPackages: 1
  }
}

function lineItemOf (
  { offerId, quantity, price, deposit, services = [], discounts = [] }: PlacedLine,
  offer: Offer | undefined,
  boughtAt: string
): LineItem {
  const originalPrice = offer?.sellingMode.price ?? { amount: '100.00', currency: 'PLN' }
  const inCurrency = (amount: string): Money => ({ ...originalPrice, amount })
  return {
    id: randomUUID(),
    offer: {
      id: offerId,
      name: offer?.name ?? offerId,
      external: offer?.external ?? null,
      productSet: null
    },
    quantity,
    originalPrice,
    price: price === undefined ? originalPrice : inCurrency(price),
    reconciliation: null,
    selectedAdditionalServices: services.map(service => ({
      definitionId: randomUUID(),
      name: service.name,
      price: inCurrency(service.price),
      quantity: service.quantity ?? 1
    })),
    vouchers: [],
    discounts,
    tax: { rate: '23.00', subject: null, exemption: null },
    deposit: deposit === undefined ? null : { price: inCurrency(deposit) },
    boughtAt
  }
}
