import type { Description, FieldError, Money, OfferPatch } from '@linker/sdk'
import { toAllowedHtml } from './allowed-html.ts'

const longestTitle = 75

/** The sparse body for a change: only the members present are in it. */
export function toUpstream ({ price, title, description }: OfferPatch) {
  return {
    ...(price === undefined
      ? {}
      : { sellingMode: { price: { ...price, amount: price.amount.replace(/(\.\d{2})0+$/, '$1') } } }),
    ...(title === undefined ? {} : { name: title }),
    ...(description === undefined ? {} : { description: toUpstreamDescription(description) })
  }
}

/** What the marketplace would refuse of a change. */
export function patchProblems ({ price, title, description }: OfferPatch): FieldError[] {
  return [
    ...(price === undefined ? [] : priceProblems(price)),
    ...(title === undefined ? [] : titleProblems(title)),
    ...(description === undefined || toUpstreamDescription(description).sections.length > 0
      ? []
      : [problem('/description', 'the description has no text that the marketplace would show')])
  ]
}

function titleProblems (title: string): FieldError[] {
  if (title.trim() === '') return [problem('/title', 'a title must not be blank')]
  return title.length <= longestTitle
    ? []
    : [
      problem(
        '/title',
        `a title has at most ${longestTitle} characters on the marketplace, this one has ${title.length}`
      )
    ]
}

function priceProblems ({ amount }: Money): FieldError[] {
  if (/\.\d{2}\d*[1-9]/.test(amount)) return [problem('/price/amount', `'${amount}' is finer than a hundredth`)]
  return amount.startsWith('-') || /^[0.]*$/.test(amount)
    ? [problem('/price/amount', `'${amount}' is no price: it must be above zero`)]
    : []
}

function toUpstreamDescription ({ sections }: Description): Description {
  return {
    sections: sections
      .map(({ items }) => ({
        items: items.map(({ type, content }) => ({ type, content: toAllowedHtml(content) })).filter(({ content }) =>
          content !== ''
        )
      }))
      .filter(({ items }) => items.length > 0)
  }
}

function problem (pointer: string, message: string): FieldError {
  return { pointer, code: 'invalid', message }
}
