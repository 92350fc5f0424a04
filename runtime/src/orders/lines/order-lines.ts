import type { Order } from '@linker/sdk'
import type { Query } from '../../database/database.ts'
import type { PiecesChange } from '../../stock/reserved-pieces.ts'
import type { OrderProblem } from '../problem-codes.ts'
import {
  changeReservedLines,
  findUnmapped,
  freeLines,
  mapLines,
  removeMissing,
  removeOtherLines,
  writeLines
} from './store.ts'

/**
 * Stores the lines with the variants that their offers sell. A line keeps its variant unless it
 * names another offer now. Until the shop has the order, removes lines that the marketplace
 * removed; later they stay, as the pieces that the shop has. Returns the changes of the reserved
 * pieces.
 */
export async function storeLines (
  query: Query,
  { id, connectionId, isAtDestination }: { id: string, connectionId: string, isAtDestination: boolean },
  order: Order
): Promise<PiecesChange[]> {
  const lines = [...new Map(order.lines.map(line => [line.externalId, line])).values()]
  const changes = isAtDestination
    ? await freeMissing(query, id, lines)
    : [...await removeOtherLines(query, id, lines), ...await changeReservedLines(query, id, lines)]
  await writeLines(query, id, lines, isAtDestination)
  await mapLines(query, id, connectionId)
  return changes
}

/** Gives back the pieces that the shop's order lacked so far. The caller reserves those of now. */
async function freeMissing (query: Query, id: string, lines: Order['lines']): Promise<PiecesChange[]> {
  const freed = await freeLines(query, [id])
  await removeMissing(query, id, lines)
  return freed.map(({ variantId, quantity }) => ({ variantId, by: -quantity }))
}

/** Returns one problem for each line without a variant. */
export async function unmappedProblems (query: Query, orderId: string): Promise<OrderProblem[]> {
  const lines = await findUnmapped(query, orderId)
  return lines.map(({ externalId, offerExternalId: offer }) => ({
    code: 'unmapped',
    detail: offer === null
      ? `line ${externalId} names no offer`
      : `no variant is linked to offer '${offer}' (line ${externalId}): POST /offers/link`
  }))
}
