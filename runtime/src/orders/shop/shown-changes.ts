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
  const isShown: Partial<Record<ChangeName, boolean>> = {
    address: showsAddress(atShop.shipping.address, address),
    invoiceAddress: showsAddress(atShop.invoiceAddress, invoiceAddress),
    payment: payment !== undefined && payment.from.method !== payment.to.method &&
      atShop.payment.method === payment.to.method,
    lines: showsLines(atShop, handedOn, now),
    total: total !== undefined && isSameMoney(atShop.total, total.to)
  }
  return namesOf(changes).filter(name => isShown[name] === true)
}

function showsAddress (shown: Address | undefined, change: OrderChanges['address']): boolean {
  if (shown === undefined || change === undefined) return false
  const [before, after, now] = [formOf(change.from), formOf(change.to), formOf(shown)]
  const differing = Object.keys(after).filter(name => before[name] !== after[name])
  // The shop may write more behind a street, such as a pickup point.
  return differing.length > 0 && differing.every(name => now[name]?.startsWith(after[name] ?? '') === true)
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

/** A shop has line ids of its own, and may join lines: compare the pieces of each price. */
function showsLines (atShop: Order, handedOn: Order, now: Order): boolean {
  const [shown, before, after] = [piecesOf(atShop), piecesOf(handedOn), piecesOf(now)]
  const prices = new Set([...before.keys(), ...after.keys()])
  const differing = [...prices].filter(price => before.get(price) !== after.get(price))
  return differing.length > 0 && differing.every(price => shown.get(price) === after.get(price))
}

function piecesOf ({ lines }: Order): ReadonlyMap<string, number> {
  const pieces = new Map<string, number>()
  for (const { unitPrice: { amount, currency }, quantity } of lines) {
    const price = `${Number(amount)} ${currency}`
    pieces.set(price, (pieces.get(price) ?? 0) + quantity)
  }
  return pieces
}
