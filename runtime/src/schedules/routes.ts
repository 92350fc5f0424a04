import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { linkNextPage } from '../http/paging.ts'
import { Id } from '../http/schemas.ts'
import { SchedulePatch, ScheduleQuery, ScheduleView } from './schemas.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.addSchema(ScheduleView)
  const tags = ['jobs']

  app.get('/schedules', {
    config: { scope: 'read', problems: ['LNK_CONNECTION_NOT_FOUND'] },
    schema: {
      tags,
      operationId: 'listSchedules',
      summary: 'List the schedules of each connection',
      description: '`nextAt` tells when a schedule makes its next job.',
      querystring: ScheduleQuery,
      response: { 200: Type.Array(Type.Ref(ScheduleView)) }
    }
  }, async (request, reply) => {
    const { connectionId, ...page } = request.query
    if (connectionId !== undefined) return app.schedules.list([await app.connections.get(connectionId)])
    const connections = await app.connections.list(page)
    linkNextPage(
      request,
      reply,
      connections.map(({ id, createdAt }) => ({ id, createdAt: createdAt.toISOString() })),
      page.limit
    )
    return app.schedules.list(connections)
  })

  app.patch(
    '/connections/:id/schedules/:name',
    {
      config: { scope: 'operate', problems: ['LNK_CONNECTION_NOT_FOUND', 'LNK_SCHEDULE_NOT_FOUND'] },
      schema: {
        tags,
        operationId: 'updateSchedule',
        summary: 'Change how often a schedule of a connection runs, or switch it off',
        description: '`every: null` takes the interval of the configuration again.',
        params: Type.Object({ id: Id, name: Type.String({ maxLength: 64 }) }),
        body: SchedulePatch,
        response: { 200: Type.Ref(ScheduleView) }
      }
    },
    async request =>
      app.schedules.change(await app.connections.get(request.params.id), request.params.name, request.body)
  )
}

export default routes
