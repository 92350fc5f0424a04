import { isOnSale, quantityWithin, sellable } from '../../stock/rules.ts'
import { countOf } from '../../words.ts'
import type { Facts, LinkedFacts } from './facts.ts'
import { momentOf, piecesOf } from './finding.ts'
import { confirmedAt, quantitiesOf, readWithinLag } from './quantities.ts'
import type { Step } from './schemas.ts'

/** Returns the quantity on its way from the shop to the marketplace. */
export function chainOf (facts: Facts): Step[] {
  if (facts.kind === 'unlinked') {
    const { status, quantity, seenAt } = facts.offer
    return status === null
      ? [{ step: 'shown', quantity: null, at: seenAt, note: 'the marketplace does not show it any more' }]
      : [{ step: 'shown', quantity, at: seenAt }]
  }
  return [...wantedSteps(facts), ...shownSteps(facts)]
}

function wantedSteps (facts: LinkedFacts): Step[] {
  const { stock, offer, variant, shop, reservations, checkedAt: now } = facts
  const { wanted, isChosen } = quantitiesOf(facts)
  const { missingSince } = variant
  const gone = missingSince === null
    ? ''
    : `shop '${shop.name}' does not list the variant since ${momentOf(missingSince, now)}`
  if (stock === null) {
    const unknown = (['after-reservations', 'after-limits', 'wanted'] as const)
      .map(step => ({ step, quantity: null, at: null }))
    return [{ step: 'master', quantity: null, at: null, note: gone === '' ? 'never read' : gone }, ...unknown]
  }
  const { quantity, reserved, isCounted, confirmedQuantity, sharedWith, updatedAt } = stock
  const limits = [
    ...offer.buffer === 0 ? [] : [`buffer ${offer.buffer}`],
    ...offer.maxListed === null ? [] : [`at most ${offer.maxListed}`]
  ].join(', ')
  const isEndless = !isCounted && quantity > 0
  const sharers = sharedWith === 0 ? '' : `shared with ${countOf(sharedWith, 'other variant')}`
  const off = isOnSale(stock, offer) ? '' : `switched off in shop '${shop.name}'`
  const kind = isEndless ? 'not counted' : sharers
  return [
    withNote({ step: 'master', quantity: isEndless ? null : quantity, at: confirmedAt(facts) }, gone || kind),
    isEndless
      ? { step: 'after-reservations', quantity: null, at: null }
      : withNote(
        {
          step: 'after-reservations',
          quantity: sellable(stock),
          at: reserved === 0 ? null : reservations.orders[0]?.readAt ?? null
        },
        [
          ...confirmedQuantity === null ? [] : [`of ${confirmedQuantity}, until somebody confirms the jump`],
          ...reserved === 0 ? [] : [`${piecesOf(reserved)} reserved`]
        ].join(', ')
      ),
    withNote(
      { step: 'after-limits', quantity: quantityWithin(stock, offer), at: null },
      isEndless && limits === ''
        ? 'the usual quantity of a stock that is not counted'
        : limits
    ),
    withNote(
      { step: 'wanted', quantity: wanted, at: updatedAt },
      isChosen ? 'chosen by the request that created the offer' : off
    )
  ]
}

function shownSteps (facts: LinkedFacts): Step[] {
  const { offer, writtenJobId } = facts
  const { written, shown, isUnmade, isRefused, isCurrent } = quantitiesOf(facts)
  const unwritten = isRefused ? 'the marketplace refused the last one' : 'never written'
  const neverWritten = isUnmade ? 'the marketplace does not have the offer' : unwritten
  const outdated = isCurrent ? '' : 'an earlier version of the stock or of the limits'
  const status = offer.status === 'INACTIVE' ? 'the marketplace does not sell it now: INACTIVE' : ''
  const read = readWithinLag(facts) ?? 'not read since the write'
  const unread = status === '' ? read : `${read}; ${status}`
  return [
    withNote({
      step: 'written',
      quantity: written,
      at: written === null && !isRefused ? null : offer.lastSyncedAt,
      ...writtenJobId === null ? {} : { jobId: writtenJobId }
    }, written === null ? neverWritten : outdated),
    withNote({
      step: 'shown',
      quantity: shown,
      at: shown === null ? null : offer.upstreamReadAt
    }, shown === null && written !== null ? unread : status)
  ]
}

function withNote (step: Step, note: string): Step {
  return note === '' ? step : { ...step, note }
}
