import type { Order, Tracking } from '@linker/sdk'
import type { Query } from '../database/database.ts'
import { toStorableJson } from '../database/storable-json.ts'
import type { OrderProblem } from './problem-codes.ts'
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
  problems: OrderProblem[]
  destinationConnectionId: string | null
  destinationExternalId: string | null
  destinationStatus: Order['status'] | null
  creationBegunAt: Date | null
  tracking: Tracking | null
  /** Whether an operator gave back the pieces that a failed order otherwise keeps. */
  isReleased: boolean
}

export const orderColumns = `
  orders.id, orders.connection_id as "connectionId", orders.external_id as "externalId", orders.status,
  orders.source_status as "sourceStatus", orders.upstream_status as "upstreamStatus",
  orders.revision, orders.snapshot, orders.problems,
  orders.destination_connection_id as "destinationConnectionId",
  orders.destination_external_id as "destinationExternalId",
  orders.destination_status as "destinationStatus",
  orders.creation_begun_at as "creationBegunAt", orders.tracking, orders.is_released as "isReleased"`

/** Reads an order by its UUID, written in upper or lower case. */
export async function readOrder (query: Query, id: string): Promise<OrderRow | undefined> {
  const [row] = await query<OrderRow>(`select ${orderColumns} from orders where id = $1::uuid`, [id])
  return row
}

/** Like `readOrder`, and locks the row until the transaction ends. */
export async function lockOrder (query: Query, id: string): Promise<OrderRow | undefined> {
  const [row] = await query<OrderRow>(`select ${orderColumns} from orders where id = $1::uuid for update`, [id])
  return row
}

/** Far more orders than a buyer pays together. */
const mostSharers = 100

const lockOthers = `
  select ${orderColumns}
  from orders
  where connection_id = $1
    and id <> $2
    and status not in ('cancelled', 'returned')
    and id in (select order_id from order_lines where external_id = any($3))
  order by id
  limit ${mostSharers}
  for update`

const selectSharedLines = `
  select
    order_id as "orderId", external_id as "externalId", offer_external_id as "offerExternalId", quantity
  from order_lines
  where order_id = any($1::uuid[])
  order by external_id`

/**
 * Answers and locks the other orders of the marketplace that have one of these lines, except
 * cancelled and returned ones.
 */
export async function lockSharers (
  query: Query,
  { id, connectionId }: OrderRow,
  lineIds: readonly string[]
): Promise<(OrderRow & { lines: SharedLine[] })[]> {
  const rows = await query<OrderRow>(lockOthers, [connectionId, id, lineIds])
  if (rows.length === 0) return []
  // Read the lines after the lock: another reading may just have changed them.
  const orderIds = rows.map(row => row.id)
  const lines = await query<SharedLine & { orderId: string }>(selectSharedLines, [orderIds])
  const ofOrder = Map.groupBy(lines, ({ orderId }) => orderId)
  const wanted = new Set(lineIds)
  return rows
    .map(row => ({ ...row, lines: ofOrder.get(row.id) ?? [] }))
    .filter(row => row.lines.some(line => wanted.has(line.externalId)))
}

/** A line with the variant that it sells; the variant is null until it is known. */
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

const selectLines = `
  select
    line.external_id as "externalId", line.offer_external_id as "offerExternalId",
    line.quantity, line.variant_id as "variantId",
    variants.external_id as "variantExternalId",
    products.external_id as "productExternalId", products.connection_id as "masterId"
  from order_lines as line
  left join variants on variants.id = line.variant_id
  left join products on products.id = variants.product_id
  where line.order_id = $1
  order by line.external_id`

export async function readLines (query: Query, orderId: string): Promise<LineRow[]> {
  return query<LineRow>(selectLines, [orderId])
}

/** The history entry of an order that its marketplace did not know. */
export const goneEvent = 'gone from the marketplace'

const keptEntries = 200

const deleteOldEntries = `
  delete from order_history
  where order_id = $1
    and id <= (
      select id from order_history
      where order_id = $1
      order by id desc
      offset ${keptEntries}
      limit 1
    )`

/**
 * Adds an entry to the history of an order and answers its id. Drops the oldest entries of an order
 * that changes for ever.
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
  await query(deleteOldEntries, [orderId])
  return entry?.id ?? ''
}
