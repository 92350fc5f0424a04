import type { OversoldOffers, RefusedOffers } from '../../offers/find/store.ts'
import type { HeldSweep } from '../../stock/sweeps/store.ts'
import { argumentOf, countOf } from '../../words.ts'
import type { AttentionItem } from '../schemas.ts'
import { newItem, type Names } from './new-item.ts'

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
