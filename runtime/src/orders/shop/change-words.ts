import type { Address, Money, Order, OrderChanges } from '@linker/sdk'
import { hasChanges, namesOf, type ChangeName } from './differences.ts'

/** One difference between a shop's order and the order at its marketplace, for people. */
export interface Difference {
  what: string
  /** Null: there is none. */
  inShop: string | null
  atMarketplace: string | null
}

/** Why the shop's order lacks a change. */
export interface NotApplied {
  what: ChangeName
  reason: string
}

const changeWords: Readonly<Record<ChangeName, string>> = {
  address: 'delivery address',
  invoiceAddress: 'invoice address',
  pickupPointId: 'pickup point',
  shippingMethod: 'delivery method',
  lines: 'lines',
  payment: 'payment',
  total: 'total',
  comment: "buyer's comment"
}

/** Returns the differences in the words of people. */
export function differencesIn (changes: OrderChanges): Difference[] {
  const { address, invoiceAddress, pickupPointId, shippingMethod, lines = [], payment, total, comment } = changes
  const one = (name: ChangeName, from: string | undefined, to: string | undefined): Difference => ({
    what: changeWords[name],
    inShop: from ?? null,
    atMarketplace: to ?? null
  })
  return [
    ...addressDifferences(changeWords.address, address),
    ...addressDifferences(changeWords.invoiceAddress, invoiceAddress),
    ...pickupPointId === undefined ? [] : [one('pickupPointId', pickupPointId.from, pickupPointId.to)],
    ...shippingMethod === undefined
      ? []
      : [one('shippingMethod', methodWords(shippingMethod.from), methodWords(shippingMethod.to))],
    ...lines.flatMap(lineDifferences),
    ...payment === undefined ? [] : [one('payment', paymentWords(payment.from), paymentWords(payment.to))],
    ...total === undefined ? [] : [one('total', moneyWords(total.from), moneyWords(total.to))],
    ...comment === undefined ? [] : [one('comment', comment.from, comment.to)]
  ]
}

/**
 * Tells people how an order differs from the one in its shop, why, and what they can do. A reason
 * that several changes share is told once.
 */
export function describeChanges (orderId: string, changes: OrderChanges, notApplied: readonly NotApplied[]): string {
  if (!hasChanges(changes)) return ''
  const differences = differencesIn(changes).map(describeDifference)
  const reasons = [...Map.groupBy(notApplied, ({ reason }) => reason)].map(([reason, of]) =>
    `the hub did not change ${of.map(({ what }) => changeWords[what]).join(', ')} there: ${reason}`
  )
  return [
    'it changed at the marketplace after the shop got it',
    ...differences,
    ...reasons,
    `change it in the shop, or agree with the buyer, then \`linker orders settle ${orderId}\` ` +
    `(POST /orders/${orderId}/settle)`
  ].join('; ')
}

/** Returns the names of the changes that a description of changes tells as they are. */
export function toldChanges (description: string, changes: OrderChanges): ChangeName[] {
  return namesOf(changes).filter(name =>
    differencesIn({ [name]: changes[name] }).every(one => description.includes(describeDifference(one)))
  )
}

function describeDifference ({ what, inShop, atMarketplace }: Difference): string {
  return `${what}: ${quote(inShop)} in the shop, ${quote(atMarketplace)} at the marketplace`
}

const longest = 200

function quote (text: string | null): string {
  if (text === null) return 'none'
  return `"${text.length > longest ? `${text.slice(0, longest)}…` : text}"`
}

const addressParts: readonly [what: string, of: (address: Address) => string][] = [
  ['name', ({ firstName, lastName }) => joined(' ', firstName, lastName)],
  ['company', ({ company }) => joined('', company)],
  ['tax number', ({ taxId }) => joined('', taxId)],
  ['street', ({ street }) => street],
  ['city', ({ postcode, city }) => joined(' ', postcode, city)],
  ['country', ({ country }) => country],
  ['telephone', ({ phone }) => joined('', phone)]
]

/** Names the parts that differ; of an address that is new, the whole. */
function addressDifferences (name: string, change: OrderChanges['address']): Difference[] {
  if (change === undefined) return []
  const { from, to } = change
  if (from === undefined) {
    return [{ what: name, inShop: null, atMarketplace: joined(', ', ...addressParts.map(([, of]) => of(to))) }]
  }
  return addressParts.filter(([, of]) => of(from) !== of(to)).map(([part, of]) => ({
    what: `${name}, ${part}`,
    inShop: of(from) || null,
    atMarketplace: of(to) || null
  }))
}

function lineDifferences ({ from, to }: NonNullable<OrderChanges['lines']>[number]): Difference[] {
  const name = (to ?? from)?.name ?? ''
  return [{ what: `line ${name}`, inShop: lineWords(from), atMarketplace: lineWords(to) }]
}

function lineWords (line: Pick<Order['lines'][number], 'quantity' | 'unitPrice'> | undefined): string | null {
  return line === undefined ? null : `${line.quantity} at ${moneyWords(line.unitPrice)}`
}

function methodWords ({ methodId, methodName }: { methodId: string, methodName?: string }): string {
  return methodName ?? methodId
}

function paymentWords ({ method, paid }: Order['payment']): string {
  return `${method}, ${moneyWords(paid)} paid`
}

function moneyWords ({ amount, currency }: Money): string {
  return `${amount} ${currency}`
}

function joined (separator: string, ...texts: readonly (string | undefined)[]): string {
  return texts.filter(Boolean).join(separator)
}
