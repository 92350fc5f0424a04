import type { Order, Tracking } from '@linker/sdk'
import type { Query } from '../database/database.ts'
import { toStorableJson } from '../database/storable-json.ts'
import type { SharedLine } from './shared-lines.ts'
import type { OrderStatus, SourceStatus } from './status.ts'

/** An order as its row stands. */
export interface OrderRow {
  id: string
  connectionId: string
  externalId: string
  status: OrderStatus
  sourceStatus: SourceStatus
  upstreamStatus: string | null
  revision: string
  snapshot: Order
  problems: string[]
  destinationConnectionId: string | null
  destinationExternalId: string | null
  destinationStatus: Order['status'] | null
  creationBegunAt: Date | null
  tracking: Tracking | null
  /** An operator gave the pieces back that the order keeps while it is failed. */
  isReleased: boolean
}

export const orderColumns =
  `orders.id, orders.connection_id as "connectionId", orders.external_id as "externalId", orders.status, orders.source_status as "sourceStatus",
  orders.upstream_status as "upstreamStatus", orders.revision, orders.snapshot, orders.problems, orders.destination_connection_id as "destinationConnectionId",
  orders.destination_external_id as "destinationExternalId", orders.destination_status as "destinationStatus",
  orders.creation_begun_at as "creationBegunAt", orders.tracking, orders.is_released as "isReleased"`

/** `id` is a UUID, in whatever case. */
export async function readOrder (query: Query, id: string): Promise<OrderRow | undefined> {
  const [row] = await query<OrderRow>(`select ${orderColumns} from orders where id = $1::uuid`, [id])
  return row
}

/** As `readOrder`, and nobody else changes it until the transaction ends. */
export async function lockOrder (query: Query, id: string): Promise<OrderRow | undefined> {
  const [row] = await query<OrderRow>(`select ${orderColumns} from orders where id = $1::uuid for update`, [id])
  return row
}

/** More orders than ever are paid together. */
const mostSharers = 100

/**
 * Other orders of the marketplace that have one of these lines and are not over, locked likewise.
 */
export async function lockSharers (
  query: Query,
  { id, connectionId }: OrderRow,
  lineIds: readonly string[]
): Promise<(OrderRow & { lines: SharedLine[] })[]> {
  const rows = await query<OrderRow>(
    `
    select ${orderColumns} from orders
    where connection_id = $1 and id <> $2 and status not in ('cancelled', 'returned')
      and id in (select order_id from order_lines where external_id = any($3))
    order by id limit ${mostSharers} for update`,
    [connectionId, id, lineIds]
  )
  if (rows.length === 0) return []
  // Not before they are locked: another reading may just have changed them.
  const lines = await query<SharedLine & { orderId: string }>(
    `
    select order_id as "orderId", external_id as "externalId", offer_external_id as "offerExternalId", quantity
    from order_lines where order_id = any($1::uuid[]) order by external_id`,
    [rows.map(row => row.id)]
  )
  const ofOrder = Map.groupBy(lines, ({ orderId }) => orderId)
  const wanted = new Set(lineIds)
  return rows
    .map(row => ({ ...row, lines: ofOrder.get(row.id) ?? [] }))
    .filter(row => row.lines.some(line => wanted.has(line.externalId)))
}

/** A line with the variant that it sells, as far as that is known. */
export interface LineRow {
  externalId: string
  offerExternalId: string | null
  quantity: number
  variantId: string | null
  variantExternalId: string | null
  productExternalId: string | null
  /** The shop that masters the variant. */
  masterId: string | null
}

export async function readLines (query: Query, orderId: string): Promise<LineRow[]> {
  return query<LineRow>(
    `
    select line.external_id as "externalId", line.offer_external_id as "offerExternalId", line.quantity, line.variant_id as "variantId",
      variants.external_id as "variantExternalId", products.external_id as "productExternalId", products.connection_id as "masterId"
    from order_lines as line left join variants on variants.id = line.variant_id left join products on products.id = variants.product_id
    where line.order_id = $1 order by line.external_id`,
    [orderId]
  )
}

/** In the history of an order that its marketplace did not know. */
export const goneEvent = 'gone from the marketplace'

const keptEntries = 200

/**
 * Adds to the history of an order, and answers the id of the entry. Of one that goes on for ever
 * the oldest entries are dropped.
 */
export async function addHistory (
  query: Query,
  orderId: string,
  event: string,
  detail: Record<string, unknown> = {}
): Promise<string> {
  const [entry] = await query<{ id: string }>(
    'insert into order_history (order_id, event, detail) values ($1, $2, $3) returning id',
    [orderId, event, toStorableJson(detail)]
  )
  await query(
    `delete from order_history where order_id = $1 and id <= (select id from order_history where order_id = $1 order by id desc offset ${keptEntries} limit 1)`,
    [orderId]
  )
  return entry?.id ?? ''
}
