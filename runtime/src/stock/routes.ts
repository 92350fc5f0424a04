import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { repeatOnConflict } from '../database/conflict.ts'
import { linkNextPage } from '../http/paging.ts'
import { jobIdOf } from '../jobs/identity.ts'
import { confirmJumps } from './jumps.ts'
import { listStock } from './read-stock.ts'
import { ConfirmBody, StockConfirmation, StockQuery, StockView, SweepQuery, SweepView } from './schemas.ts'
import { listSweeps } from './sweeps/store.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  for (const schema of [StockView, StockConfirmation, SweepView]) app.addSchema(schema)
  const { database } = app
  const tags = ['stock']

  app.get('/stock', {
    config: { scope: 'read' },
    schema: {
      tags,
      operationId: 'listStock',
      summary: 'List the stock of variants and the quantities written to their offers',
      description:
        'Compare `wantedQuantity`, `sentQuantity` and `upstreamQuantity` of an offer to see where a quantity got ' +
        'stuck.',
      querystring: StockQuery,
      response: { 200: Type.Array(Type.Ref(StockView)) }
    }
  }, async (request, reply) => {
    const found = await listStock(database.query, request.query)
    linkNextPage(request, reply, found.map(({ position }) => position), request.query.limit)
    return found.map(({ view }) => view)
  })

  app.post('/stock/confirm', {
    config: { scope: 'operate' },
    schema: {
      tags,
      operationId: 'confirmStock',
      summary: 'Confirm stock that has jumped, so that its offers follow it',
      description:
        'For variants of a shop whose setting `confirmStockJump` makes a jump wait: `listStock` with `jumped=true` ' +
        'lists them. Does nothing to other variants.',
      body: ConfirmBody,
      response: { 200: Type.Ref(StockConfirmation) }
    }
  }, async ({ body, id: requestId }) => {
    const { confirmed, jobs } = await repeatOnConflict(() =>
      database.transaction(async transaction => {
        const confirmation = await confirmJumps(transaction, body, requestId)
        await app.jobs.enqueueJobs(confirmation.jobs, transaction)
        return confirmation
      })
    )
    if (jobs.length > 0) database.notify('jobs')
    return { confirmed, jobIds: jobs.map(({ idempotencyKey }) => jobIdOf(idempotencyKey)) }
  })

  app.get('/stock/sweeps', {
    config: { scope: 'read' },
    schema: {
      tags,
      operationId: 'listSweeps',
      summary: 'List the sweeps over the stock of master shops, newest first',
      description:
        'A sweep compares the whole stock of a shop. One that is `held` found so much missing that an operator ' +
        'must confirm it with `reconcileStock`.',
      querystring: SweepQuery,
      response: { 200: Type.Array(Type.Ref(SweepView)) }
    }
  }, async (request, reply) => {
    const found = await listSweeps(database.query, request.query)
    linkNextPage(request, reply, found.map(({ id, startedAt }) => ({ id, createdAt: startedAt })), request.query.limit)
    return found
  })
}

export default routes
