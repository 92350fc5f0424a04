import {
  RejectedError,
  type DispatchTime,
  type FieldError,
  type Money,
  type NewOffer,
  type OfferPatch
} from '@linker/sdk'
import type { OfferDefaults } from '../config.ts'
import { defaultCurrency, toMinorUnits, toUpstreamDescription } from './fields.ts'
import { publicImages } from './images.ts'
import { isExternalId } from './path.ts'
import { taxRateOf } from './tax-rate.ts'

const largestPrice = 2_147_483_647
const largestStock = 2_000_000_000
const shortestName = 3
const longestName = 150
const longestDescription = 80_000
const shortestPart = 2
const longestText = 2_000
const longestSku = 200
const longestPeriods = { hour: 24, day: Number.POSITIVE_INFINITY, month: 12 }

/**
 * Returns the problems for which the marketplace would refuse a new offer, images first.
 * `createOffer` checks nothing else before it sends.
 */
export function newOfferProblems (
  offer: NewOffer,
  { defaultDispatchTime, defaultTaxRate }: OfferDefaults
): FieldError[] {
  return [
    ...imageProblems(offer.imageUrls),
    ...(isExternalId(offer.externalId) ? [] : [problem('/externalId', 'this cannot be the external id of an offer')]),
    ...titleProblems(offer.title),
    ...priceProblems(offer.price),
    ...quantityProblems(offer.quantity),
    ...dispatchTimeProblems(offer.dispatchTime ?? defaultDispatchTime),
    ...taxRateProblems(offer, defaultTaxRate),
    ...(offer.description === undefined ? [] : descriptionProblems(offer.description)),
    ...lengthProblems('/sku', offer.sku, longestSku),
    ...lengthProblems('/ean', offer.ean, longestText),
    ...(offer.variantGroup?.options ?? []).flatMap(({ name, value }, index) => [
      ...lengthProblems(`/variantGroup/options/${index}/name`, name, longestText),
      ...lengthProblems(`/variantGroup/options/${index}/value`, value, longestText)
    ])
  ]
}

/** Returns the problems for which the marketplace would refuse a patch. */
export function patchProblems ({ price, title, description }: OfferPatch): FieldError[] {
  return [
    ...(price === undefined ? [] : priceProblems(price)),
    ...(title === undefined ? [] : titleProblems(title)),
    ...(description === undefined ? [] : [...descriptionProblems(description), ...blankProblems(description)])
  ]
}

export function quantityProblems (quantity: number): FieldError[] {
  if (Number.isSafeInteger(quantity) && quantity <= largestStock) return []
  return [problem('/quantity', `${quantity} is not a quantity: it must be a whole number up to ${largestStock}`)]
}

/** Throws all problems at once. */
export function refuseIfAny (problems: readonly FieldError[]): void {
  if (problems.length > 0) {
    throw new RejectedError(problems.map(({ message }) => message).join('; '), { fields: problems })
  }
}

function imageProblems (imageUrls: readonly string[]): FieldError[] {
  if (publicImages(imageUrls).length > 0) return []
  return [problem('/imageUrls', 'overrides.imageUrls must be an array of valid URLs')]
}

function blankProblems (description: NonNullable<OfferPatch['description']>): FieldError[] {
  if (toUpstreamDescription(description) !== undefined) return []
  return [problem('/description', 'the description has no text that the marketplace would show')]
}

function titleProblems (title: string): FieldError[] {
  // Count without blanks: the marketplace accepts a title of blanks, and the offer has no name.
  const { length } = title.trim().length < shortestName ? title.trim() : title
  if (length >= shortestName && length <= longestName) return []
  const message = `a title has ${shortestName} to ${longestName} characters on the marketplace, this one has ${length}`
  return [problem('/title', message)]
}

function priceProblems (price: Money): FieldError[] {
  const { amount, currency } = price
  if (currency !== defaultCurrency) {
    return [problem('/price/currency', `the marketplace sells in ${defaultCurrency} only, not in ${currency}`)]
  }
  if (/\.\d{2}\d*[1-9]/.test(amount)) return [problem('/price/amount', `'${amount}' is finer than one grosz`)]
  const minorUnits = toMinorUnits(price)
  return minorUnits >= 0 && minorUnits <= largestPrice
    ? []
    : [problem('/price/amount', `'${amount}' is outside 0 to 21474836.47`)]
}

function dispatchTimeProblems (dispatchTime: DispatchTime | undefined): FieldError[] {
  if (dispatchTime === undefined) {
    const message = 'the marketplace needs a handling time in every offer: give one, or set config.defaultDispatchTime'
    return [problem('/dispatchTime', message, 'required')]
  }
  const { unit, period } = dispatchTime
  const longest = longestPeriods[unit]
  if (period <= longest) return []
  return [problem('/dispatchTime', `a handling time has at most ${longest} ${unit}s, this one has ${period}`)]
}

// The marketplace takes an offer without a tax rate, but nobody can buy it.
function taxRateProblems ({ taxRate }: NewOffer, defaultTaxRate: OfferDefaults['defaultTaxRate']): FieldError[] {
  if (taxRateOf({ taxRate }, defaultTaxRate) !== undefined) return []
  if (taxRate !== undefined) return [problem('/taxRate', `the marketplace knows no tax rate of ${taxRate} %`)]
  const message = 'nobody can buy an offer without a tax rate, and the hub does not know the tax rate of the shop ' +
    '(yet): let it read the product again with `linker webhook send <shop> --type product.saved ' +
    '--external-id <product>`, or set config.defaultTaxRate'
  return [problem('/taxRate', message, 'required')]
}

function descriptionProblems (description: NonNullable<OfferPatch['description']>): FieldError[] {
  const { sections = [] } = toUpstreamDescription(description) ?? {}
  const lengths = sections.flatMap(({ items }) => items.map(({ content }) => content.length))
  if (lengths.some(length => length < shortestPart)) {
    return [problem('/description', `a part of the description has at least ${shortestPart} characters`)]
  }
  const longest = Math.max(0, ...lengths)
  if (longest <= longestDescription) return []
  const limit = `at most ${longestDescription} characters on the marketplace`
  return [problem('/description', `a part of the description has ${limit}, one has ${longest}`)]
}

function lengthProblems (pointer: string, text: string | undefined, longest: number): FieldError[] {
  return text === undefined || text.length <= longest
    ? []
    : [problem(pointer, `the text has at most ${longest} characters, this one has ${text.length}`)]
}

function problem (pointer: string, message: string, code = 'invalid'): FieldError {
  return { pointer, code, message }
}
