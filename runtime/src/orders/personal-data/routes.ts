import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Id } from '../../http/schemas.ts'
import { forgetOrder } from './forget-order.ts'
import type { OrderEvents } from './forget.ts'
import { PersonalDataRemoval, RemovalQuery } from './schemas.ts'

const routes: FastifyPluginAsyncTypebox<OrderEvents> = async (app, { orderJobTypesOf, removeEventTexts }) => {
  app.addSchema(PersonalDataRemoval)
  const { database } = app

  app.delete(
    '/orders/:id/personal-data',
    {
      // Nobody can bring the data back.
      config: { scope: 'admin', dryRuns: true, problems: ['LNK_ORDER_NOT_FOUND', 'LNK_ORDER_STATE'] },
      schema: {
        tags: ['orders'],
        operationId: 'forgetOrder',
        description: 'Ids, quantities, prices and states stay. Later readings of the order do not bring the data back.',
        summary: 'Remove the data of the buyer from an ended order, for good; an open order is refused',
        params: Type.Object({ id: Id }),
        querystring: RemovalQuery,
        response: { 200: Type.Ref(PersonalDataRemoval) }
      }
    },
    async request =>
      forgetOrder({ database, orderJobTypesOf, removeEventTexts }, request.params.id, request.query.dryRun)
  )
}

export default routes
