import type { Query } from '../database/database.ts'
import { OrderNotFoundError } from '../errors.ts'
import { decodeCursor } from '../http/paging.ts'
import { toStorableTime } from '../http/storable-time.ts'
import { orderColumns, readLines, type OrderRow } from './order-row.ts'
import type { OrderQuery, OrderSummary, OrderView } from './schemas.ts'

type Row = OrderRow & { placedAt: Date, createdAt: Date, updatedAt: Date, reserved: number }

const columns = `${orderColumns},
  orders.placed_at as "placedAt", orders.created_at as "createdAt", orders.updated_at as "updatedAt",
  (
    select coalesce(sum(quantity), 0)::integer
    from order_lines
    where order_id = orders.id and is_reserved
  ) as reserved`

const selectPage = `
  select ${columns}
  from orders
  where ($1::uuid is null or connection_id = $1)
    and ($2::text is null or status = $2)
    and ($3::timestamptz is null or created_at >= $3)
    and ($4::timestamptz is null or (created_at, id) > ($4, $5::uuid))
  order by created_at, id
  limit $6`

/** Answers a page of orders, oldest first. */
export async function listOrders (
  query: Query,
  { connectionId, status, since, limit, cursor }: OrderQuery
): Promise<OrderSummary[]> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const rows = await query<Row>(selectPage, [
    connectionId ?? null,
    status ?? null,
    since === undefined ? null : toStorableTime(since),
    after?.createdAt ?? null,
    after?.id ?? null,
    limit
  ])
  return rows.map(summarize)
}

export async function getOrder (query: Query, id: string): Promise<OrderView> {
  const [row] = await query<Row>(`select ${columns} from orders where id = $1`, [id])
  if (row === undefined) throw new OrderNotFoundError(id)
  const history = await query<{ at: Date, event: string, detail: Record<string, unknown> | null }>(
    'select at, event, detail from order_history where order_id = $1 order by id',
    [id]
  )
  const lines = await readLines(query, id)
  return {
    ...summarize(row),
    snapshot: row.snapshot,
    lines: lines.map(({ externalId, offerExternalId, quantity, variantId }) => ({
      externalId,
      offerExternalId,
      quantity,
      variantId
    })),
    history: history.map(({ at, event, detail }) => ({ at: new Date(at).toISOString(), event, detail: detail ?? {} }))
  }
}

function summarize (row: Row): OrderSummary {
  const {
    id,
    connectionId,
    externalId,
    status,
    sourceStatus,
    upstreamStatus,
    snapshot,
    problems,
    destinationConnectionId,
    destinationExternalId,
    destinationStatus,
    tracking,
    reserved
  } = row
  return {
    id,
    connectionId,
    externalId,
    status,
    sourceStatus,
    upstreamStatus,
    total: snapshot.total,
    reserved,
    problems: [
      ...problems.map(({ detail }) => detail),
      ...status === 'failed' && reserved > 0 ? [keptProblem(id, reserved)] : []
    ],
    destination: destinationConnectionId === null
      ? null
      : { connectionId: destinationConnectionId, externalId: destinationExternalId, status: destinationStatus },
    tracking,
    placedAt: new Date(row.placedAt).toISOString(),
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString()
  }
}

function keptProblem (id: string, reserved: number): string {
  return `the order still reserves pieces (${reserved}): POST /orders/${id}/release gives them back`
}
