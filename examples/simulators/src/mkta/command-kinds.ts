import { RestError, type Problem } from './errors.ts'
import type { Money } from './money.ts'
import type { Offer } from './offer.ts'
import type { Offers } from './offers.ts'
import { priceCommandBody, publicationCommandBody, quantityCommandBody } from './schemas.ts'

export interface CommandBody {
  offerCriteria: Array<{ type: 'CONTAINS_OFFERS', offers: Array<{ id: string }> }>
}

export type CommandField = 'quantity' | 'price' | 'publication'

/** The parts in which the kinds of commands differ. */
export interface CommandKind<Body extends CommandBody> {
  field: CommandField
  schema: object
  /** Throws if the marketplace refuses the whole body. */
  check?: (body: Body) => void
  /** Returns when the command wants to start, if not at once. */
  startOf: (body: Body) => string | null | undefined
  /** Changes one offer, or returns the reason why not. */
  change: (offerId: string, body: Body) => Problem | undefined
}

export interface QuantityBody extends CommandBody {
  modification: { changeType: 'FIXED' | 'GAIN', value: number }
}

export interface PriceBody extends CommandBody {
  modification:
    & { marketplaceId: string }
    & (
      | { type: 'FIXED_PRICE', price: Money }
      | { type: 'INCREASE_PRICE' | 'DECREASE_PRICE', value: Money }
      | { type: 'INCREASE_PERCENTAGE' | 'DECREASE_PERCENTAGE', percentage: string }
    )
}

export interface PublicationBody extends CommandBody {
  publication: { action: 'ACTIVATE' | 'END', scheduledFor?: string | null }
}

export function quantityKind (offers: Offers): CommandKind<QuantityBody> {
  function change (id: string, { modification: { changeType, value } }: QuantityBody): Problem | undefined {
    const offer = offers.stored(id)
    const refusal = (message: string) => ({
      code: 'ATTEMPT_TO_CHANGE_OFFER_QUANTITY_TO_INVALID_VALUE',
      message,
      path: 'quantity'
    })
    if (offer === undefined || offer.publication.status === 'ENDED') return refusal('Offer is ended')
    const available = changeType === 'FIXED' ? value : offer.stock.available + value
    if (available < 1) return refusal('The quantity must be at least 1')
    offers.update(id, { stock: { available } })
  }

  function check ({ modification: { changeType, value } }: QuantityBody): void {
    if (changeType === 'FIXED' && value < 1) {
      throw new RestError(422, {
        code: 'INCORRECT_QUANTITY_VALUE',
        message: 'The quantity must be at least 1',
        path: 'modification.value'
      })
    }
  }

  return { field: 'quantity', schema: quantityCommandBody, check, startOf: () => null, change }
}

export function priceKind (offers: Offers): CommandKind<PriceBody> {
  function change (id: string, { modification }: PriceBody): Problem | undefined {
    const offer = offers.stored(id)
    const refusal = (message: string) => ({
      code: 'ATTEMPT_TO_CHANGE_OFFER_PRICE_TO_INVALID_VALUE',
      message,
      path: 'price'
    })
    if (offer === undefined || offer.publication.status === 'ENDED') return refusal('Offer is ended')
    if (!marketplacesOf(offer).includes(modification.marketplaceId)) {
      return refusal(`The offer is not on ${modification.marketplaceId}`)
    }
    const price = priceAfter(offer.sellingMode.price, modification)
    if (price.currency !== offer.sellingMode.price.currency) {
      return refusal(`The price must be in ${offer.sellingMode.price.currency}`)
    }
    if (Number(price.amount) < 1) return refusal('The price must be at least 1.00')
    offers.update(id, { sellingMode: { price } })
  }

  return { field: 'price', schema: priceCommandBody, startOf: () => null, change }
}

export function publicationKind (offers: Offers): CommandKind<PublicationBody> {
  function change (id: string, { publication: { action } }: PublicationBody): Problem | undefined {
    if (action === 'END') {
      offers.update(id, { publication: { status: 'ENDED' } })
      return
    }
    const [problem] = offers.problemsOf(id)
    if (problem !== undefined) return problem
    if (offers.stored(id)?.stock.available === 0) {
      return {
        code: 'PUBLICATION_STATUS_CHANGE_FAILED',
        message: 'Could not change offer publication status. Incorrect initial quantity of stock.',
        path: 'publication'
      }
    }
    offers.update(id, { publication: { status: 'ACTIVE' } })
  }

  return {
    field: 'publication',
    schema: publicationCommandBody,
    startOf: ({ publication }) => publication.scheduledFor,
    change
  }
}

function marketplacesOf ({ publication: { marketplaces: { base, additional } } }: Offer): string[] {
  return [base, ...additional].map(({ id }) => id)
}

function priceAfter (before: Money, modification: PriceBody['modification']): Money {
  if (modification.type === 'FIXED_PRICE') return modification.price
  const sign = modification.type.startsWith('INCREASE') ? 1 : -1
  const cents = centsOf(before.amount)
  if ('value' in modification) {
    const { value } = modification
    return { ...value, amount: amountOf(cents + sign * centsOf(value.amount)) }
  }
  const factor = 1 + sign * Number(modification.percentage) / 100
  return { ...before, amount: amountOf(Math.round(cents * factor)) }
}

function centsOf (amount: string): number {
  return Math.round(Number(amount) * 100)
}

function amountOf (cents: number): string {
  return (cents / 100).toFixed(2)
}
