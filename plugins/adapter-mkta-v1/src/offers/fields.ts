import type { Description, FieldError, Money, OfferPatch } from '@linker/sdk'
import { toAllowedHtml } from './allowed-html.ts'

const shortestTitle = 12
const longestTitle = 75
const fewestWords = 3
const longestDescriptionBytes = 40_000

/** Builds the body of a change. Members that the patch lacks are left out. */
export function toUpstream ({ price, title, description }: OfferPatch) {
  return {
    sellingMode: price && { price: toUpstreamPrice(price) },
    name: title?.trim(),
    description: description && toUpstreamDescription(description)
  }
}

function toUpstreamPrice (price: Money): Money {
  return { ...price, amount: price.amount.replace(/(\.\d{2})0+$/, '$1') }
}

/** Returns the problems for which the marketplace would refuse a patch. */
export function patchProblems ({ price, title, description }: OfferPatch): FieldError[] {
  return [
    ...(price === undefined ? [] : priceProblems(price)),
    ...(title === undefined ? [] : titleProblems(title)),
    ...(description === undefined ? [] : descriptionProblems(description))
  ]
}

function titleProblems (title: string): FieldError[] {
  const { length } = title.trim()
  if (length === 0) return [problem('/title', 'a title must not be blank')]
  const words = title.trim().split(/\s+/).length
  const isOfLength = length >= shortestTitle && length <= longestTitle
  return [
    ...isOfLength ? [] : [`${shortestTitle} to ${longestTitle} characters on the marketplace, this one has ${length}`],
    ...words >= fewestWords ? [] : [`at least ${fewestWords} words on the marketplace, this one has ${words}`]
  ].map(rule => problem('/title', `a title has ${rule}`))
}

function descriptionProblems (description: Description): FieldError[] {
  const { sections } = toUpstreamDescription(description)
  if (sections.length === 0) {
    return [problem('/description', 'the description has no text that the marketplace would show')]
  }
  const bytes = Buffer.byteLength(JSON.stringify(sections))
  if (bytes <= longestDescriptionBytes) return []
  const rule = `a description has at most ${longestDescriptionBytes} bytes on the marketplace, this one has ${bytes}`
  return [problem('/description', rule)]
}

function priceProblems ({ amount }: Money): FieldError[] {
  if (/\.\d{2}\d*[1-9]/.test(amount)) return [problem('/price/amount', `'${amount}' is finer than a hundredth`)]
  return amount.startsWith('-') || /^[0.]*$/.test(amount)
    ? [problem('/price/amount', `'${amount}' is not a price: it must be above zero`)]
    : []
}

function toUpstreamDescription ({ sections }: Description): Description {
  const rewritten = sections.map(({ items }) => ({ items: toUpstreamItems(items) }))
  return { sections: rewritten.filter(({ items }) => items.length > 0) }
}

function toUpstreamItems (items: Description['sections'][number]['items']): typeof items {
  return items
    .map(({ type, content }) => ({ type, content: toAllowedHtml(content) }))
    .filter(({ content }) => content !== '')
}

function problem (pointer: string, message: string): FieldError {
  return { pointer, code: 'invalid', message }
}
