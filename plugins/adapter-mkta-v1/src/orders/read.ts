import {
  addMoney,
  ExternalId,
  multiplyMoney,
  Nullable,
  RejectedError,
  toTimestamp,
  TransientError,
  type Money,
  type Order,
  type OrderExtra,
  type OrderLine
} from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { toMoney, UpstreamMoney } from '../money.ts'
import { parseAs } from '../read-answer.ts'
import { Buyer, clean, Delivery, deliveryAddressOf, Invoice, invoiceAddressOf } from './addresses.ts'

const LineItem = Type.Object({
  id: Nullable(ExternalId),
  offer: Nullable(Type.Object({ id: Nullable(ExternalId), name: Nullable(Type.String()) })),
  quantity: Type.Integer({ minimum: 1 }),
  /** The price of one piece, after the seller's discounts. */
  price: UpstreamMoney,
  /** For each piece, beside the price. */
  deposit: Nullable(Type.Object({ price: UpstreamMoney })),
  /** Paid beside the price. */
  selectedAdditionalServices: Nullable(Type.Array(Type.Object({
    name: Nullable(Type.String()),
    price: UpstreamMoney,
    quantity: Nullable(Type.Integer())
  }))),
  boughtAt: Type.String()
})
type LineItem = Static<typeof LineItem>

/**
 * The members of the marketplace's checkout form that the adapter reads. Other members come and go.
 */
export const CheckoutForm = Type.Object({
  id: ExternalId,
  status: Type.String({ minLength: 1 }),
  fulfillment: Nullable(Type.Object({
    status: Nullable(Type.String()),
    provider: Nullable(Type.Object({ id: Nullable(Type.String()) }))
  })),
  messageToSeller: Nullable(Type.String()),
  buyer: Nullable(Buyer),
  payment: Nullable(Type.Object({
    type: Nullable(Type.String()),
    provider: Nullable(Type.String()),
    finishedAt: Nullable(Type.String()),
    paidAmount: Nullable(UpstreamMoney)
  })),
  delivery: Nullable(Type.Composite([
    Delivery,
    Type.Object({
      method: Nullable(Type.Object({ id: Nullable(Type.String()), name: Nullable(Type.String()) })),
      cost: Nullable(UpstreamMoney)
    })
  ])),
  invoice: Nullable(Invoice),
  lineItems: Type.Array(LineItem, { minItems: 1 }),
  summary: Type.Object({ totalToPay: UpstreamMoney }),
  updatedAt: Nullable(Type.String()),
  revision: Nullable(Type.String())
})
export type CheckoutForm = Static<typeof CheckoutForm>

export function parseCheckoutForm (form: unknown): CheckoutForm {
  return parseAs(CheckoutForm, form, 'the order')
}

/**
 * Turns a checkout form into an order of the hub. `maskedMailDomains`: the beginnings of the mail
 * domains that hide buyers.
 */
export function readOrder (upstream: unknown, maskedMailDomains: readonly string[]): Order {
  const form = parseCheckoutForm(upstream)
  const { id, status, lineItems, messageToSeller, invoice } = form
  const fulfillment = fulfillmentOf(form)
  const provider = clean(form.fulfillment?.provider?.id)
  return {
    externalId: id,
    status: statusOf(form),
    upstreamStatus: `${status}/${fulfillment}`,
    // Add the status: a cancellation may leave the marketplace's revision unchanged.
    revision: `${form.revision ?? form.updatedAt ?? ''}/${status}/${fulfillment}`,
    placedAt: placedAtOf(form),
    buyer: buyerOf(form.buyer ?? undefined, maskedMailDomains),
    lines: lineItems.map((line, index) => toLine(id, line, index)),
    ...amountsOf(form),
    payment: paymentOf(form),
    ...provider === undefined || provider === 'SELLER' ? {} : { fulfilment: 'elsewhere' },
    invoiceAddress: invoiceAddressOf(invoice ?? {}, form.buyer ?? undefined),
    comment: clean(messageToSeller)
  }
}

/** The status that the seller gave the order. */
export function fulfillmentOf ({ fulfillment }: Pick<CheckoutForm, 'fulfillment'>): string {
  return fulfillment?.status ?? 'NEW'
}

/** Whether the order is cancelled: either of its two statuses may say so. */
export function isCancelled (form: Pick<CheckoutForm, 'status' | 'fulfillment'>): boolean {
  return form.status === 'CANCELLED' || fulfillmentOf(form) === 'CANCELLED'
}

function statusOf (form: CheckoutForm): Order['status'] {
  if (isCancelled(form)) return 'cancelled'
  switch (fulfillmentOf(form)) {
    case 'SENT':
      return 'shipped'
    case 'PICKED_UP':
      return 'delivered'
    case 'RETURNED':
      return 'returned'
    // READY_FOR_PROCESSING means paid or to be paid on delivery. Before that the order must wait.
    default:
      return form.status === 'READY_FOR_PROCESSING' ? 'processing' : 'pending'
  }
}

function placedAtOf ({ lineItems }: CheckoutForm): string {
  const times = lineItems.flatMap(({ boughtAt }) => toTimestamp(boughtAt) ?? []).toSorted()
  if (times[0] === undefined) {
    const problem = '/lineItems/0/boughtAt: no time with a zone'
    throw new TransientError(`the marketplace described the order in an unknown form (${problem})`)
  }
  return times[0]
}

function toLine (orderId: string, { id, offer, quantity, price }: LineItem, index: number): OrderLine {
  // Do not use the position instead: after the next read it may name another line.
  if (id === undefined || id === null) throw new RejectedError(`line ${index + 1} of order ${orderId} has no id`)
  return {
    externalId: id,
    offerExternalId: offer?.id ?? undefined,
    name: offer?.name ?? '',
    quantity,
    unitPrice: toMoney(price)
  }
}

/**
 * Buyers are told apart by their id, or else by their address. In a masked address the part after
 * the plus differs with each order, so it is cut off when the address is the identity. Mail needs
 * the whole address.
 */
function buyerOf (buyer: Static<typeof Buyer> | undefined, maskedMailDomains: readonly string[]): Order['buyer'] {
  const id = clean(buyer?.id)
  const email = clean(buyer?.email)?.toLowerCase()
  const address = id === undefined && email !== undefined ? identityOf(email, maskedMailDomains) : email
  return { externalId: id, email: address }
}

function identityOf (email: string, maskedMailDomains: readonly string[]): string {
  const [, name = '', domain = ''] = /^([^+@]*)\+[^@]*@(.+)$/.exec(email) ?? []
  return maskedMailDomains.some(masked => domain.startsWith(masked.toLowerCase())) ? `${name}@${domain}` : email
}

/** Names all that the total consists of beside the lines. */
function amountsOf (form: CheckoutForm): Pick<Order, 'total' | 'shipping' | 'extras'> {
  const { delivery, buyer, lineItems, summary } = form
  const { method, cost, pickupPoint } = delivery ?? {}
  const total = toMoney(summary.totalToPay)
  const paidBeside = lineItems.flatMap(extrasOf)
  const rest = without(total, [
    ...lineItems.map(({ price, quantity }) => multiplyMoney(toMoney(price), quantity)),
    ...paidBeside.map(({ price }) => price)
  ])
  const isNegative = rest.amount.startsWith('-')
  const unknownCost = isNegative ? zero(total) : rest
  const price = cost === undefined || cost === null ? unknownCost : toMoney(cost)
  const left = without(rest, [price])
  const extras: OrderExtra[] = Number(left.amount) === 0
    ? paidBeside
    : [...paidBeside, { kind: 'other', name: 'Other amounts of the marketplace', price: left }]
  return {
    total,
    ...extras.length === 0 ? {} : { extras },
    shipping: {
      methodId: method?.id ?? '',
      methodName: clean(method?.name),
      price,
      pickupPointId: clean(pickupPoint?.id),
      address: deliveryAddressOf(delivery ?? {}, buyer ?? undefined)
    }
  }
}

function extrasOf ({ offer, quantity, deposit, selectedAdditionalServices }: LineItem): OrderExtra[] {
  const deposits: OrderExtra[] = deposit === undefined || deposit === null
    ? []
    : [{
      kind: 'deposit',
      name: `Deposit: ${quantity} × ${offer?.name ?? ''}`,
      price: multiplyMoney(toMoney(deposit.price), quantity)
    }]
  const services = (selectedAdditionalServices ?? []).map(({ name, price, quantity: pieces }): OrderExtra => ({
    kind: 'service',
    name: `${pieces ?? 1} × ${name ?? ''}`,
    price: multiplyMoney(toMoney(price), pieces ?? 1)
  }))
  return [...deposits, ...services]
}

function paymentOf ({ payment, summary }: CheckoutForm): Order['payment'] {
  const { type, provider, finishedAt, paidAmount } = payment ?? {}
  const total = toMoney(summary.totalToPay)
  const method = methods.get(type ?? '') ?? 'prepaid'
  const methodName = [clean(type), clean(provider)].filter(Boolean).join(' ')
  return {
    method,
    paid: method === 'cash-on-delivery' ? zero(total) : paidOf(),
    ...methodName === '' ? {} : { methodName }
  }

  function paidOf (): Money {
    if (paidAmount !== undefined && paidAmount !== null) return toMoney(paidAmount)
    // With cash on delivery and with deferred payment it only tells when the order was placed.
    return method === 'prepaid' && clean(finishedAt) !== undefined ? total : zero(total)
  }
}

/** The types of payments at which the money comes after the order. */
const methods: ReadonlyMap<string, Order['payment']['method']> = new Map([
  ['CASH_ON_DELIVERY', 'cash-on-delivery'],
  ['EXTENDED_TERM', 'deferred']
])

function zero ({ currency }: Money): Money {
  return { amount: '0.00', currency }
}

function without (total: Money, parts: readonly Money[]): Money {
  return addMoney(total, ...parts.map(part => multiplyMoney(part, -1)))
}
