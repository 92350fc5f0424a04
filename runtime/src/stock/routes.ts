import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Id } from '../connections/schemas.ts'

const StockView = Type.Object({
  variantId: Id,
  quantity: Type.Integer({ description: 'As the master shop said last' }),
  version: Type.Integer({ description: 'Grows by one at every change of the quantity' }),
  updatedAt: Type.String({ format: 'date-time' }),
  offers: Type.Array(Type.Object({
    offerId: Id,
    connectionId: Id,
    sentQuantity: Type.Union([Type.Integer(), Type.Null()]),
    drift: Type.Union([Type.Integer(), Type.Null()], { description: 'Master quantity, zero at least, less the quantity written last; null when none was written' })
  }))
}, { $id: 'Stock' })

interface Row { variant_id: string, quantity: number, version: number, updated_at: string, offers: { offerId: string, connectionId: string, sentQuantity: number | null }[] }

const routes: FastifyPluginAsyncTypebox = async app => {
  app.addSchema(StockView)

  app.get('/stock', {
    config: { scope: 'admin' as const },
    schema: {
      tags: ['stock'],
      summary: 'Stock of a variant and what was written to its offers',
      querystring: Type.Object({ variantId: Id }, { additionalProperties: false }),
      response: { 200: Type.Array(Type.Ref(StockView)) }
    }
  }, async request => {
    const rows = await app.database.query<Row>(`
      select stock.variant_id, stock.quantity, stock.version, stock.updated_at, coalesce((
        select jsonb_agg(jsonb_build_object('offerId', id, 'connectionId', connection_id, 'sentQuantity', quantity) order by id)
        from offers where offers.variant_id = stock.variant_id), '[]') as offers
      from stock where stock.variant_id = $1`, [request.query.variantId])
    return rows.map(row => ({
      variantId: row.variant_id,
      quantity: row.quantity,
      version: row.version,
      updatedAt: new Date(row.updated_at).toISOString(),
      offers: row.offers.map(offer => ({ ...offer, drift: offer.sentQuantity === null ? null : Math.max(0, row.quantity) - offer.sentQuantity }))
    }))
  })
}

export default routes
