import type { FastifyInstance } from 'fastify'
import { ShopApiError } from './errors.ts'
import { orderBody, orderIdParameter, orderSearchBody, orderStatusBody } from './order-schemas.ts'
import type { Order, SellerStatus } from './order.ts'
import { cursorOf, type Orders } from './orders.ts'
import { accepts, type Filter } from './search.ts'

interface OrderSearch {
  pagination?: { sortField?: 'created' | 'updated', after?: string, order?: 'ASC' | 'DESC', limit?: number }
  filter?: Filter
}
interface ById {
  Params: { id: string }
}

export function registerOrders (app: FastifyInstance, orders: Orders): void {
  const params = orderIdParameter

  app.get<ById>('/orders/:id', { schema: { params } }, async request => known(orders, request.params.id))

  app.post<{ Body: OrderSearch }>(
    '/orders/_search',
    { schema: { body: orderSearchBody } },
    async request => searchOrders(orders.all(), request.body)
  )

  app.patch<ById & { Body: Pick<Order, 'externalOrderId' | 'deliveryTracking'> }>('/orders/:id', {
    schema: { params, body: orderBody }
  }, async (request, reply) => {
    const { id, status } = known(orders, request.params.id)
    if (status === 'cancelled') throw new ShopApiError(400, 'ValidationError', `Order "${id}" is cancelled`)
    orders.update(id, request.body)
    return reply.code(202).send()
  })

  app.patch<ById & { Body: { status: SellerStatus } }>('/orders/:id/status', {
    schema: { params, body: orderStatusBody }
  }, async (request, reply) => {
    const { id, status, sellerStatus } = known(orders, request.params.id)
    const wanted = request.body.status
    if (sellerStatus === wanted) throw new ShopApiError(409, 'ConflictError', `Order "${id}" is "${wanted}" already`)
    if (status === 'cancelled') throw new ShopApiError(400, 'ValidationError', `Order "${id}" is cancelled`)
    orders.update(id, { sellerStatus: wanted, ...wanted === 'canceled' ? { status: 'cancelled' as const } : {} })
    return reply.code(204).send()
  })
}

function known (orders: Orders, id: string): Order {
  const order = orders.find(id)
  if (order === undefined) throw new ShopApiError(404, 'NotFoundError', `Order "${id}" not found`)
  return order
}

/**
 * Returns one page, sorted by seconds, then by ids. A cursor continues right after its row; a date
 * skips every row that has the same date.
 */
function searchOrders (all: readonly Order[], { pagination = {}, filter }: OrderSearch): Order[] {
  const { sortField = 'updated', after, order = 'ASC', limit = 50 } = pagination
  const sign = order === 'ASC' ? 1 : -1
  const rows = all.map(row => ({
    row: { ...row, cursor: cursorOf(row, sortField) },
    seconds: Math.floor(Date.parse(row[sortField]) / 1_000)
  }))
  const compare = (a: { seconds: number, id: string }, b: { seconds: number, id: string }) =>
    a.seconds - b.seconds || (a.id < b.id ? -1 : Number(a.id > b.id))
  const [seconds, id] = after?.split(';') ?? []
  const isBehind = ({ row, seconds: own }: typeof rows[number]) => {
    if (after === undefined) return true
    if (id === undefined) return (Date.parse(row[sortField]) - Date.parse(after)) * sign > 0
    return compare({ seconds: own, id: row.id }, { seconds: Number(seconds), id }) * sign > 0
  }
  const isWanted = ({ row }: typeof rows[number]) =>
    filter === undefined || accepts(filter, { ...row, paymentStatus: row.payment.status, userEmail: row.user?.email })
  return rows
    .filter(found => isBehind(found) && isWanted(found))
    .sort((a, b) => compare({ seconds: a.seconds, id: a.row.id }, { seconds: b.seconds, id: b.row.id }) * sign)
    .slice(0, limit)
    .map(({ row }) => row)
}
