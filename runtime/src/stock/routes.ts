import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { linkNextPage } from '../http/paging.ts'
import { listStock } from './read-stock.ts'
import { StockQuery, StockView } from './schemas.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.addSchema(StockView)
  const admin = { scope: 'admin' as const }
  const tags = ['stock']

  app.get('/stock', {
    config: admin,
    schema: { tags, summary: 'Stock of variants and what was written to their offers', querystring: StockQuery, response: { 200: Type.Array(Type.Ref(StockView)) } }
  }, async (request, reply) => {
    const found = await listStock(app.database.query, request.query)
    linkNextPage(request, reply, found.map(({ position }) => position), request.query.limit)
    return found.map(({ view }) => view)
  })
}

export default routes
