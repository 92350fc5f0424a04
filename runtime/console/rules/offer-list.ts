import { stateWord } from './state-word.ts'

type Choice = readonly [value: string, word: string]

/** The kinds of problems of an offer that the hub tells apart. */
export const offerProblems: readonly Choice[] = [
  ['any', 'any'],
  ['marketplace', 'shown by the marketplace'],
  ['never-shown', 'never shown'],
  ['unknown-at-marketplace', 'unknown there'],
  ['not-created', 'not created'],
  ['not-looked-up', 'not looked up'],
  ['quantity-refused', 'quantity refused'],
  ['quantity-not-written', 'quantity not written'],
  ['change-not-written', 'change not written'],
  ['not-ended', 'not ended']
]

export const offerStatuses: readonly Choice[] = ['DRAFT', 'ACTIVE', 'INACTIVE', 'ENDED', 'FAILED'].map(status => [
  status,
  stateWord(status)
])

export const offerWarnings: readonly Choice[] = [
  ['oversell', 'shows more than the shop has'],
  ['stock-frozen', 'stock is frozen']
]

/** Written and shown quantity of an offer, such as `3 / 2`, and whether the two differ. */
export function quantitiesOf ({ quantity, upstreamQuantity }: {
  quantity: number | null,
  upstreamQuantity: number | null
}): { text: string, isDifferent: boolean } {
  return {
    text: `${quantity ?? '–'} / ${upstreamQuantity ?? '?'}`,
    isDifferent: quantity !== null && upstreamQuantity !== null && quantity !== upstreamQuantity
  }
}
