interface OfferLike {
  offerId: string
  connectionId: string
  wantedQuantity: number
  sentQuantity: number | null
  upstreamQuantity: number | null
}

/** How an offer stands to the quantity that it should show. */
export type Standing = 'in step' | 'not written' | 'written differs' | 'shown differs' | 'not read back'

export function standingOf ({ wantedQuantity, sentQuantity, upstreamQuantity }: OfferLike): Standing {
  if (sentQuantity === null) return 'not written'
  if (sentQuantity !== wantedQuantity) return 'written differs'
  if (upstreamQuantity === null) return 'not read back'
  return upstreamQuantity === sentQuantity ? 'in step' : 'shown differs'
}

/** Whether an offer needs a look. Nobody knows what one shows that was not read back yet. */
export function isAmiss (standing: Standing): boolean {
  return standing !== 'in step' && standing !== 'not read back'
}

/** The quantities of an offer in one text, such as `wants 5, written 3, shown 3`. */
export function offerLine ({ wantedQuantity, sentQuantity, upstreamQuantity }: OfferLike): string {
  return `wants ${wantedQuantity}, written ${sentQuantity ?? 'never'}, shown ${upstreamQuantity ?? 'not read yet'}`
}

interface StockLike {
  quantity: number
  isCounted: boolean
  isSellable: boolean
  confirmedQuantity: number | null
  missingSince: string | null
}

/** The quantity of a variant for people. */
export function quantityText ({ quantity, isCounted, isSellable, confirmedQuantity, missingSince }: StockLike): string {
  if (missingSince !== null) return `${quantity} (missing)`
  const counted = isCounted ? String(quantity) : 'not counted'
  const jump = confirmedQuantity === null ? [] : [`jumped, offers go by ${confirmedQuantity}`]
  const notes = [...jump, ...isSellable ? [] : ['switched off']]
  return notes.length === 0 ? counted : `${counted} (${notes.join('; ')})`
}

/**
 * Whether a person may accept the missing variants of a held sweep: only when the typed number is
 * the one that the dry run counted, so that nobody accepts more than was read.
 */
export function isAccepted (typed: string, missing: number): boolean {
  return typed.trim() === String(missing)
}
