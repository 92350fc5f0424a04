import type { Address, Order, OrderChanges } from '@linker/sdk'
import { changesBetween, isSameMoney, namesOf, type ChangeName } from './differences.ts'

/**
 * Returns the changes that the order of the shop shows, because somebody made them there. A shop
 * writes an address and lines in its own form, so this compares only what old and new do not share.
 * A change that a shop does not show, such as a comment, is none of them.
 */
export function shownChanges (atShop: Order, handedOn: Order, now: Order): ChangeName[] {
  const changes = changesBetween(handedOn, now)
  const { address, invoiceAddress, payment, total } = changes
  const points = [handedOn, now].flatMap(({ shipping: { pickupPointId } }) => lettersOf(pickupPointId) || [])
  const isShown: Partial<Record<ChangeName, boolean>> = {
    address: showsAddress(atShop.shipping.address, address, points),
    invoiceAddress: showsAddress(atShop.invoiceAddress, invoiceAddress, points),
    payment: payment !== undefined && payment.from.method !== payment.to.method &&
      atShop.payment.method === payment.to.method,
    lines: showsLines(atShop, handedOn, now),
    total: total !== undefined && isSameMoney(atShop.total, total.to)
  }
  return namesOf(changes).filter(name => isShown[name] === true)
}

/** `points`: the letters of pickup points, which a shop may name behind a street. */
function showsAddress (
  shown: Address | undefined,
  change: OrderChanges['address'],
  points: readonly string[]
): boolean {
  if (shown === undefined || change === undefined) return false
  const [before, after] = [formOf(change.from), formOf(change.to)]
  const forms = [shown, { ...shown, street: withoutPoints(shown.street, points) }].map(formOf)
  const differing = Object.keys(after).filter(name => before[name] !== after[name])
  return differing.length > 0 && differing.every(name => forms.some(form => form[name] === after[name]))
}

function withoutPoints (street: string, points: readonly string[]): string {
  const [first = '', ...others] = street.split(',')
  return [first, ...others.filter(part => !points.some(point => lettersOf(part).endsWith(point)))].join(',')
}

function formOf (address: Partial<Address> = {}): Readonly<Record<string, string>> {
  const { firstName, lastName, company, taxId, street, postcode, city, country, phone } = address
  const members = {
    name: `${firstName ?? ''}${lastName ?? ''}`,
    company,
    taxId,
    street,
    postcode,
    city,
    country,
    phone
  }
  return Object.fromEntries(Object.entries(members).map(([name, text]) => [name, lettersOf(text)]))
}

function lettersOf (text = ''): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/**
 * A shop has line ids of its own, and may join lines: compare the pieces of each price, and of all
 * together. It may have changed a price itself, and then lacks the price of a removed line anyway.
 */
function showsLines (atShop: Order, handedOn: Order, now: Order): boolean {
  const [shown, before, after] = [piecesOf(atShop), piecesOf(handedOn), piecesOf(now)]
  const prices = new Set([...before.keys(), ...after.keys()])
  const differing = [...prices].filter(price => before.get(price) !== after.get(price))
  return differing.length > 0 && sumOf(shown) === sumOf(after) &&
    differing.every(price => shown.get(price) === after.get(price))
}

function piecesOf ({ lines }: Order): ReadonlyMap<string, number> {
  const pieces = new Map<string, number>()
  for (const { unitPrice: { amount, currency }, quantity } of lines) {
    const price = `${Number(amount)} ${currency}`
    pieces.set(price, (pieces.get(price) ?? 0) + quantity)
  }
  return pieces
}

function sumOf (pieces: ReadonlyMap<string, number>): number {
  return [...pieces.values()].reduce((sum, quantity) => sum + quantity, 0)
}
