import { chainOf } from './chain.ts'
import type { Facts, LinkedFacts } from './facts.ts'
import { atMoment, sentenceOf, type Finding } from './finding.ts'
import { explainPrice } from './prices.ts'
import { quantitiesOf } from './quantities.ts'
import type { OfferExplanation } from './schemas.ts'
import {
  changedBefore,
  changedThere,
  connectionError,
  connectionPaused,
  frozenBySeller,
  inStep,
  notLinked,
  notReadSince,
  notWritten,
  writeWaiting
} from './shown-findings.ts'
import {
  isHeldByShop,
  jumped,
  kindsOfStock,
  limited,
  masterNotRead,
  reserved,
  sweepHeld,
  switchedOff
} from './wanted-findings.ts'

/** Explains the quantity that an offer shows. The first of the true verdicts is the verdict. */
export function explainQuantity (facts: Facts): OfferExplanation {
  const { offer: { id, externalId }, connection, checkedAt } = facts
  const [first, ...others] = findingsOf(facts)
  // Some verdict is always true: a quantity that is current is read, unread, changed or frozen.
  if (first === undefined) throw new TypeError(`no verdict is true of offer ${id}`)
  return {
    offerId: id,
    externalId,
    variant: facts.kind === 'unlinked' ? null : {
      id: facts.variant.id,
      name: facts.variant.name,
      sku: facts.variant.sku,
      ean: facts.variant.ean
    },
    connection: { id: connection.id, name: connection.name },
    verdict: first.verdict,
    sentence: describe(facts, first),
    contributing: others.map(({ verdict, clause, evidence, nextAction }) => ({
      verdict,
      sentence: sentenceOf(clause),
      evidence,
      nextAction
    })),
    chain: chainOf(facts),
    price: explainPrice(facts),
    evidence: first.evidence,
    nextAction: first.nextAction,
    checkedAt
  }
}

/**
 * Returns all verdicts that are true, the one to act on first:
 *
 *  1. The offer follows no stock, or the stock was never read: no other step has a meaning then.
 *  2. The seller froze the stock: the hub would not write it even if everything else worked.
 *  3. The connection is in error, or paused: no write succeeds before that ends. Error comes first,
 *     because it needs a person, and a pause may end by itself. Both matter only while a write or
 *     a reading is missing; otherwise they come last.
 *  4. The write was refused, or its job died: nothing goes on by itself. So both come before a
 *     change at the marketplace, even though the job was made to undo that change.
 *  5. Somebody changed the quantity there. The write that waits is the repair, not the cause.
 *  6. The stock jumped, and a person has to confirm it: nothing else ends that.
 *  7. The write waits: a difference that people see is explained before a doubt about what should
 *     be seen. If the write waits for the shop, the shop comes first.
 *  8. The quantity in the shop is in doubt, because the shop is stopped, a reading is missing, or a
 *     sweep is held. It often needs a person, and until it is settled, no newer quantity comes.
 *  9. Somebody had changed the quantity there, and the hub has written over it. Nobody has looked
 *     since, so the marketplace may still show the other quantity.
 * 10. The shop has switched the product off: that is the reason for 0, whether it is seen or not.
 * 11. The marketplace may still lag, then nobody has looked: the write goes well, and both end by
 *     themselves.
 * 12. Pieces are held back on purpose: reserved, limited.
 * 13. The marketplace shows the wanted quantity.
 */
export function findingsOf (facts: Facts): Finding[] {
  const unlinked = notLinked(facts)
  if (unlinked !== undefined || facts.kind === 'unlinked') return unlinked === undefined ? [] : [unlinked]
  const isUnread = facts.stock === null
  const master = masterNotRead(facts)
  const stops = [connectionError(facts), connectionPaused(facts)]
  const isOpen = isWriteOpen(facts)
  const ranked = [
    isUnread ? master : undefined,
    frozenBySeller(facts),
    ...isOpen ? stops : [],
    notWritten(facts),
    changedThere(facts),
    jumped(facts),
    ...isHeldByShop(facts) ? [master, writeWaiting(facts)] : [writeWaiting(facts), master],
    sweepHeld(facts),
    changedBefore(facts),
    switchedOff(facts),
    notReadSince(facts),
    reserved(facts),
    limited(facts),
    inStep(facts),
    ...isOpen ? [] : stops
  ]
  return [...new Set(ranked)].filter(finding => finding !== undefined)
}

/** Whether the hub still has to write the offer, or to see what the marketplace made of it. */
function isWriteOpen (facts: LinkedFacts): boolean {
  const { isCurrent, isUnmade, isChanged, shown } = quantitiesOf(facts)
  return !isCurrent || isUnmade || isChanged || shown === null
}

/**
 * Returns the sentence: what is shown and should be shown, why it should be that, and the verdict.
 */
function describe (facts: Facts, verdict: Finding): string {
  if (facts.kind === 'unlinked') {
    const { status, quantity, seenAt } = facts.offer
    if (status === null) {
      const { offer: { externalId }, connection: { name } } = facts
      return sentenceOf(`'${name}' does not show offer '${externalId}' any more, and ${verdict.clause}`)
    }
    const shows = quantity === null ? '' : ` shows ${quantity} (seen${atMoment(seenAt, facts.checkedAt)})`
    return sentenceOf(`offer '${facts.offer.externalId}'${shows}: ${verdict.clause}`)
  }
  const reasons = verdict.verdict === 'not-linked'
    ? []
    : [
      ...kindsOfStock(facts),
      ...[switchedOff(facts), jumped(facts), reserved(facts), limited(facts)].flatMap(found => found?.clause ?? [])
    ]
  return sentenceOf(`${headline(facts)}: ${[...new Set([...reasons, verdict.clause])].join('; ')}`)
}

function headline (facts: LinkedFacts): string {
  const { wanted, written, shown, isRefused } = quantitiesOf(facts)
  const now = shown ?? written
  // The hub knows only what it wrote when nobody has read the offer since.
  const does = shown === null ? 'was last written with' : 'shows'
  if (facts.offer.status === 'ENDED') return now === null ? 'offer shows nothing' : `offer ${does} ${now}`
  if (wanted === null) {
    return now === null
      ? 'nobody knows what the offer should show'
      : `offer ${does} ${now}, and nobody knows what it should show`
  }
  if (now === null) {
    return `offer should show ${wanted} and ${isRefused ? 'its last quantity was refused' : 'was never written'}`
  }
  if (now !== wanted) return `offer ${does} ${now}, should show ${wanted}`
  return shown === null ? `offer should show ${wanted}` : `offer shows ${now}, as it should`
}
