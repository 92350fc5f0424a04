import type { Description, HttpResponse, Money, OfferPatch, OfferWriteResult } from '@linker/sdk'
import { readAnswer } from '../read-answer.ts'
import { toAllowedHtml } from './allowed-html.ts'

/** Builds the body of a change. Members that the patch lacks are left out. */
export function toUpstream ({ price, title, description }: OfferPatch) {
  return {
    ...(price === undefined ? {} : { price: toMinorUnits(price) }),
    ...(title === undefined ? {} : { name: title }),
    ...(description === undefined ? {} : { description: toUpstreamDescription(description) })
  }
}

/** Reads from the answer to a single write which members the marketplace applied. */
export function readWriteResult (sent: object, response: HttpResponse): OfferWriteResult {
  return compareFields(sent, readAnswer(response))
}

/**
 * Returns which sent members were applied and which are frozen. The marketplace answers a write to
 * a frozen field like any other: only `updatedFields` lacks its name. Without `updatedFields` all
 * members count as applied.
 */
export function compareFields (sent: object, answer: unknown): OfferWriteResult {
  const names: unknown = typeof answer === 'object' && answer !== null && 'updatedFields' in answer
    ? answer.updatedFields
    : undefined
  const isApplied = (name: string): boolean => !Array.isArray(names) || names.includes(name)
  const fields = Object.keys(sent)
  return {
    applied: fields.filter(isApplied).map(hubName),
    frozen: fields.filter(name => !isApplied(name)).map(hubName)
  }
}

/**
 * Returns the hub's name of a field of the marketplace. Only one differs: the marketplace's `name`
 * is the hub's `title`.
 */
export function hubName (upstreamName: string): string {
  return upstreamName === 'name' ? 'title' : upstreamName
}

/**
 * Returns the price in grosze. It moves digits: as a float, 19.99 times 100 is 1998.9999999999998.
 * Digits beyond one grosz are cut off.
 */
export function toMinorUnits ({ amount }: Money): number {
  const [whole = '', fraction = ''] = amount.split('.')
  return Number(`${whole}${fraction.slice(0, 2).padEnd(2, '0')}`)
}

/** The currency of offers, and of orders that name none: those of the sandbox. */
export const defaultCurrency = 'PLN'

export function toMoney (minorUnits: number, currency = defaultCurrency): Money {
  const digits = String(Math.abs(minorUnits)).padStart(3, '0')
  return { amount: `${minorUnits < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`, currency }
}

/**
 * Returns the stock to send for a quantity. A shop writes backorders as negative quantities; on the
 * marketplace they are sold out.
 */
export function toStock (quantity: number): number {
  return Math.max(0, quantity)
}

/** Rewrites the description for the marketplace. Returns undefined when no text is left. */
export function toUpstreamDescription ({ sections }: Description): Description | undefined {
  const rewritten = sections.map(({ items }) => ({ items: toUpstreamItems(items) }))
  const filled = rewritten.filter(({ items }) => items.length > 0)
  return filled.length === 0 ? undefined : { sections: filled }
}

function toUpstreamItems (items: Description['sections'][number]['items']): typeof items {
  return items
    .map(({ type, content }) => ({ type, content: toAllowedHtml(content) }))
    .filter(({ content }) => content !== '')
}
