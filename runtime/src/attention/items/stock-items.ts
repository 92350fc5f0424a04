import type { SharedSku } from '../../catalog/store.ts'
import type { OversoldOffers, RefusedOffers } from '../../offers/find/store.ts'
import { mostLost, type LostOffer, type LostOffers } from '../../offers/lost/store.ts'
import type { MatchedBy } from '../../offers/marketplace/suggest.ts'
import type { JumpedStock } from '../../stock/store.ts'
import type { HeldSweep } from '../../stock/sweeps/store.ts'
import { argumentOf, countOf } from '../../words.ts'
import type { AttentionItem } from '../schemas.ts'
import { mostShared } from '../shared-references.ts'
import { newItem, orMore, shortText, type Names } from './new-item.ts'

/** Makes items of the sweeps that wait for a person. */
export function heldSweepItems (sweeps: readonly HeldSweep[], names: Names): AttentionItem[] {
  return sweeps.flatMap(({ connectionId, missing, since }) => {
    const connection = names.get(connectionId)
    if (connection === undefined) return []
    return [newItem({
      kind: 'held-sweep',
      severity: 'warning',
      since,
      count: missing,
      connection,
      title: `The last sweep of '${connection.name}' is held`,
      detail: `The shop no longer shows ${countOf(missing, 'variant')} of '${connection.name}', which is so many ` +
        'that the hub changed nothing; if they are really gone, `linker stock reconcile --connection ' +
        `${argumentOf(connection)} --accept-missing\` accepts it.`,
      target: `/stock/sweeps?connectionId=${connectionId}`
    })]
  })
}

/** Makes items of the stock that has jumped and waits for a person. */
export function stockJumpItems (jumped: readonly JumpedStock[], names: Names): AttentionItem[] {
  return jumped.flatMap(({ connectionId, count, since }) => {
    const connection = names.get(connectionId)
    if (connection === undefined) return []
    const variants = countOf(count, 'variant')
    return [newItem({
      kind: 'stock-jumps',
      severity: 'warning',
      since,
      count,
      connection,
      title: `The stock of ${variants} of '${connection.name}' jumped`,
      detail:
        `The stock of ${variants} of '${connection.name}' grew by more than its setting \`confirmStockJump\` lets ` +
        `pass, so the offers keep the old quantities; \`linker stock --jumped --connection ${
          argumentOf(connection)
        }\` ` +
        'names them, `linker stock confirm` lets the offers follow, and a correction in the shop ends it, too.',
      target: `/stock?connectionId=${connectionId}&jumped=true`
    })]
  })
}

/** Makes items of the offers that may sell pieces that are not there. */
export function oversellItems (oversold: readonly OversoldOffers[], names: Names): AttentionItem[] {
  return oversold.flatMap(({ connectionId, count, since }) => {
    const connection = names.get(connectionId)
    if (connection === undefined) return []
    return [newItem({
      kind: 'oversell',
      severity: 'error',
      since,
      count,
      connection,
      title: `${countOf(count, 'offer')} of '${connection.name}' may oversell`,
      detail: `The seller froze the stock of ${countOf(count, 'offer')} at '${connection.name}', and more is on sale ` +
        `than there is; \`linker offers list --connection ${argumentOf(connection)} --warning oversell\` names them: ` +
        'lower the quantity at the marketplace, or give the stock back to the hub there.',
      target: `/offers?connectionId=${connectionId}&warning=oversell`
    })]
  })
}

/** Makes items of the offers whose quantity the marketplace took first and refused later. */
export function refusedQuantityItems (refused: readonly RefusedOffers[], names: Names): AttentionItem[] {
  return refused.flatMap(({ connectionId, count, since }) => {
    const connection = names.get(connectionId)
    if (connection === undefined) return []
    return [newItem({
      kind: 'refused-quantities',
      severity: 'error',
      since,
      count,
      connection,
      title: `'${connection.name}' refused the quantity of ${countOf(count, 'offer')}`,
      detail:
        `'${connection.name}' took the quantity of ${countOf(count, 'offer')} and refused it later, so more may ` +
        `be on sale than there is; \`linker offers list --connection ${argumentOf(connection)} --problem ` +
        'quantity-refused` names them with the reasons. The hub writes them again when the stock changes, else once ' +
        'an hour.',
      target: `/offers?connectionId=${connectionId}&problem=quantity-refused`
    })]
  })
}

/** Makes items of the offers whose variant the shop does not have any more. */
export function lostOfferItems (lost: readonly LostOffers[], names: Names): AttentionItem[] {
  return lost.flatMap(({ connectionId, count, since, samples }) => {
    const connection = names.get(connectionId)
    if (connection === undefined) return []
    const offers = `${countOf(count, 'offer')}${orMore(count, mostLost)}`
    return [newItem({
      kind: 'lost-offers',
      severity: 'warning',
      since,
      count,
      connection,
      title: `${offers} of '${connection.name}' lost ${count === 1 ? 'its product' : 'their products'} in the shop`,
      detail:
        `The shop no longer has what ${offers} of '${connection.name}' ${
          count === 1 ? 'sells' : 'sell'
        }, so the hub keeps the quantity at 0: ${samples.map(describeLost).join('; ')}${
          count > samples.length ? '; and others' : ''
        }. The hub links none by itself: unlink each on its page, then link it to another variant there or with ` +
        '`linker offers link`; or end it at the marketplace.',
      target: `/offers?connectionId=${connectionId}`
    })]
  })
}

function describeLost ({ externalId, title, candidates }: LostOffer): string {
  const [best] = candidates
  const offer = `'${shortText(title ?? externalId)}' (${externalId})`
  if (best === undefined) return `${offer}, for which the hub finds no other variant`
  const others = candidates.length - 1
  return `${offer} may be '${shortText(best.name ?? best.sku ?? best.variantId)}' by its ${words[best.matchedBy]}${
    others > 0 ? ` or ${countOf(others, 'other')}` : ''
  }`
}

const words: Readonly<Record<MatchedBy, string>> = { reference: 'reference', sku: 'reference', ean: 'EAN' }

const mostNamedSkus = 3

/** Makes an item of each shop in which several variants have one reference. */
export function sharedReferenceItems (shared: readonly SharedSku[], names: Names): AttentionItem[] {
  return [...Map.groupBy(shared, ({ connectionId }) => connectionId)].flatMap(([connectionId, skus]) => {
    const connection = names.get(connectionId)
    const [first] = skus
    if (connection === undefined || first === undefined) return []
    const named = skus.slice(0, mostNamedSkus).map(({ sku, count }) => `'${shortText(sku)}' (${count} variants)`)
    const left = skus.length - named.length
    return [newItem({
      kind: 'shared-references',
      severity: 'warning',
      since: null,
      count: skus.length,
      connection,
      title: `${countOf(skus.length, 'reference')}${orMore(skus.length, mostShared)} of '${connection.name}' ${
        skus.length === 1 ? 'stands' : 'stand'
      } on several products`,
      detail:
        `In '${connection.name}', several variants have the reference ${named.join(', ')}${
          left > 0 ? ` and ${left} more` : ''
        }. So nobody can tell which of them an offer sells, and the hub links none by itself; give each variant a ` +
        'reference (SKU) of its own in the shop.',
      target: `/variants/${first.variantId}`
    })]
  })
}
