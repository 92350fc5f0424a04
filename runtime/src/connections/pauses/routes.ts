import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { Id } from '../../http/schemas.ts'
import { ConnectionView } from '../schemas.ts'
import { createPauses } from './pauses.ts'
import { PauseBody, ResumeBody } from './schemas.ts'

export interface PauseRoutesOptions {
  /** Answers with a connection as it is now. */
  answer(reply: FastifyReply, connectionId: string): Promise<ConnectionView>
}

const Params = Type.Object({ id: Id })

const routes: FastifyPluginAsyncTypebox<PauseRoutesOptions> = async (app, { answer }) => {
  const pauses = createPauses(app.database)
  const tags = ['connections']

  app.post('/connections/:id/pause', {
    config: { scope: 'operate', allowsNoBody: true, problems: ['LNK_CONNECTION_NOT_FOUND'] },
    schema: {
      tags,
      operationId: 'pauseConnection',
      summary: 'Pause a connection or some of its capabilities, or change the pause: events are accepted, jobs wait',
      description: 'Without `capabilities` it pauses the whole connection. Without `until` the pause has no end.',
      params: Params,
      body: PauseBody,
      response: { 200: Type.Ref(ConnectionView) }
    }
  }, async ({ params: { id }, body }, reply) => {
    await pauses.pause(id, body)
    return answer(reply, id)
  })

  app.post('/connections/:id/resume', {
    config: { scope: 'operate', allowsNoBody: true, problems: ['LNK_CONNECTION_NOT_FOUND'] },
    schema: {
      tags,
      operationId: 'resumeConnection',
      summary: 'End the pause of a connection, or those of some of its capabilities: the jobs go on at once',
      description:
        'Without `capabilities` it ends the pause of the whole connection; pauses of single capabilities stand.',
      params: Params,
      body: ResumeBody,
      response: { 200: Type.Ref(ConnectionView) }
    }
  }, async ({ params: { id }, body }, reply) => {
    await pauses.resume(id, body)
    return answer(reply, id)
  })
}

export default routes
