import { escapeUnprintable } from '@linker/sdk/host/text'
import type { FoundOffer } from '../offers/reconcile/describe-found.ts'
import { formatTable } from '../terminal/table.ts'

/** Formats what a job found when it read an offer again. */
export function formatFound (id: string, found: FoundOffer): string {
  const { externalId, readAt, hub, differs } = found
  const rows = [
    ['status', statusOf(found), hub.status, differs.includes('status')],
    ['quantity', textOf(found.quantity), textOf(hub.quantity), differs.includes('quantity')],
    ['price', priceOf(found.price), priceOf(hub.price), differs.includes('price')]
  ] as const
  const table = formatTable(
    ['field', 'there', 'hub', 'differs'],
    rows.map(([field, there, ours, isOther]) => [field, there, ours, isOther ? 'yes' : 'no'])
  )
  return [
    escapeUnprintable(`Offer '${externalId}', read at ${readAt}`),
    ...found.exists ? [table] : [],
    conclude(found),
    `Next: linker stock --explain ${id}`
  ].join('\n')
}

function conclude (found: FoundOffer): string {
  const { exists, quantity, frozenFields, differs, staleUntil, quantityMayBeOlder, hub } = found
  if (staleUntil !== null) {
    if (differs.includes('quantity') && !quantityMayBeOlder) {
      return `The marketplace shows ${quantity}, which is no quantity from before the last write of ${hub.quantity}: ` +
        `somebody changed it there. The hub writes it again after ${staleUntil}: refresh it then.`
    }
    return exists && differs.length === 0
      ? 'The marketplace shows what the hub last wrote.'
      : `The marketplace may show the state before the last write until ${staleUntil}: refresh it again after that.`
  }
  if (!exists) return 'The marketplace does not have the offer.'
  if (frozenFields.includes('stock')) return 'The seller froze the stock there, so the hub does not write it.'
  if (differs.includes('quantity')) {
    return `The marketplace shows ${quantity}, and the hub last wrote ${hub.quantity}: the hub writes it again.`
  }
  if (hub.quantity === null) return 'The hub has not written its quantity yet.'
  return differs.length === 0 ? 'The marketplace shows what the hub last wrote.' : 'The quantity is the same.'
}

function statusOf ({ status, upstreamStatus }: FoundOffer): string {
  return [status ?? '', ...upstreamStatus === null || upstreamStatus === status ? [] : [`(${upstreamStatus})`]]
    .join(' ')
}

function textOf (quantity: number | null): string {
  return quantity === null ? '' : String(quantity)
}

function priceOf (price: FoundOffer['price']): string {
  return price === null ? '' : `${price.amount} ${price.currency}`
}
