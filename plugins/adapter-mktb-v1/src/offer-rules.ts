import {
  RejectedError,
  type DispatchTime,
  type FieldError,
  type Money,
  type NewOffer,
  type OfferPatch
} from '@linker/sdk'
import { toUpstreamDescription } from './description.ts'
import { publicImages } from './images.ts'
import { toMinorUnits } from './offer-fields.ts'
import { isExternalId } from './product-path.ts'

const largestPrice = 2_147_483_647
const largestStock = 2_000_000_000
const shortestName = 3
const longestName = 150
const longestDescription = 80_000
const longestText = 2_000
const longestSku = 200
const longestPeriods = { hour: 24, day: Number.POSITIVE_INFINITY, month: 12 }

/**
 * What the marketplace would refuse of a new offer, images first. `createOffer` asks nothing else
 * before it sends.
 */
export function newOfferProblems (offer: NewOffer, defaultDispatchTime: DispatchTime | undefined): FieldError[] {
  return [
    ...(publicImages(offer.imageUrls).length === 0
      ? [problem('/imageUrls', 'overrides.imageUrls must be an array of valid URLs')]
      : []),
    ...(isExternalId(offer.externalId) ? [] : [problem('/externalId', 'this cannot be the external id of an offer')]),
    ...titleProblems(offer.title),
    ...priceProblems(offer.price),
    ...quantityProblems(offer.quantity),
    ...dispatchTimeProblems(offer.dispatchTime ?? defaultDispatchTime),
    ...(offer.description === undefined ? [] : descriptionProblems(offer.description)),
    ...lengthProblems('/sku', offer.sku, longestSku),
    ...lengthProblems('/ean', offer.ean, longestText),
    ...(offer.variantGroup?.options ?? []).flatMap(({ name, value }, index) => [
      ...lengthProblems(`/variantGroup/options/${index}/name`, name, longestText),
      ...lengthProblems(`/variantGroup/options/${index}/value`, value, longestText)
    ])
  ]
}

/** What the marketplace would refuse of a change. */
export function patchProblems ({ price, title, description }: OfferPatch): FieldError[] {
  return [
    ...(price === undefined ? [] : priceProblems(price)),
    ...(title === undefined ? [] : titleProblems(title)),
    ...(description === undefined ? [] : descriptionProblems(description)),
    ...(description === undefined || toUpstreamDescription(description) !== undefined
      ? []
      : [problem('/description', 'the description has no text that the marketplace would show')])
  ]
}

export function quantityProblems (quantity: number): FieldError[] {
  if (Number.isSafeInteger(quantity) && quantity <= largestStock) return []
  return [problem('/quantity', `${quantity} is no quantity: a whole number up to ${largestStock} is expected`)]
}

/** Throws what was found, all of it at once. */
export function refuseIfAny (problems: readonly FieldError[]): void {
  if (problems.length > 0) {
    throw new RejectedError(problems.map(({ message }) => message).join('; '), { fields: problems })
  }
}

function titleProblems (title: string): FieldError[] {
  // Blanks alone pass the marketplace's limits, and the offer has no name.
  const { length } = title.trim().length < shortestName ? title.trim() : title
  if (length >= shortestName && length <= longestName) return []
  return [
    problem(
      '/title',
      `a title has ${shortestName} to ${longestName} characters on the marketplace, this one has ${length}`
    )
  ]
}

function priceProblems (price: Money): FieldError[] {
  const { amount, currency } = price
  if (currency !== 'PLN') return [problem('/price/currency', `the marketplace sells in PLN only, not in ${currency}`)]
  if (/\.\d{2}\d*[1-9]/.test(amount)) return [problem('/price/amount', `'${amount}' is finer than one grosz`)]
  const minorUnits = toMinorUnits(price)
  return minorUnits >= 0 && minorUnits <= largestPrice
    ? []
    : [problem('/price/amount', `'${amount}' is outside 0 to 21474836.47`)]
}

function dispatchTimeProblems (dispatchTime: DispatchTime | undefined): FieldError[] {
  if (dispatchTime === undefined) {
    return [
      problem(
        '/dispatchTime',
        'the marketplace wants a handling time in every offer: give one, or set config.defaultDispatchTime',
        'required'
      )
    ]
  }
  const { unit, period } = dispatchTime
  return period <= longestPeriods[unit]
    ? []
    : [problem('/dispatchTime', `a handling time has at most ${longestPeriods[unit]} ${unit}s, this one has ${period}`)]
}

function descriptionProblems (description: NonNullable<OfferPatch['description']>): FieldError[] {
  const contents =
    toUpstreamDescription(description)?.sections.flatMap(({ items }) => items.map(({ content }) => content)) ?? []
  const longest = Math.max(0, ...contents.map(({ length }) => length))
  return longest <= longestDescription
    ? []
    : [
      problem(
        '/description',
        `a part of the description has at most ${longestDescription} characters on the marketplace, one has ${longest}`
      )
    ]
}

function lengthProblems (pointer: string, text: string | undefined, longest: number): FieldError[] {
  return text === undefined || text.length <= longest
    ? []
    : [problem(pointer, `at most ${longest} characters are possible, these are ${text.length}`)]
}

function problem (pointer: string, message: string, code = 'invalid'): FieldError {
  return { pointer, code, message }
}
