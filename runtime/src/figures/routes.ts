import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { toStorableTime } from '../http/storable-time.ts'
import { toColumns } from './plot.ts'
import { Figures, FiguresQuery } from './schemas.ts'
import { spanOf } from './span.ts'
import { readCounts, readSamples } from './store.ts'

export interface FigureRoutesOptions {
  now: () => Date
  /** Throws `LNK_CONNECTION_NOT_FOUND` when there is no such connection. */
  requireConnection(id: string): Promise<unknown>
}

const routes: FastifyPluginAsyncTypebox<FigureRoutesOptions> = async (app, { now, requireConnection }) => {
  app.addSchema(Figures)
  const { query } = app.database

  app.get('/figures', {
    config: { scope: 'read', problems: ['LNK_CONNECTION_NOT_FOUND'] },
    schema: {
      tags: ['operation'],
      operationId: 'readFigures',
      description: 'Covers all processes and survives restarts; the present minute is missing. Each array has one ' +
        'value for each slot.',
      summary: 'Read what the hub did over time, as columns for plots',
      querystring: FiguresQuery,
      response: { 200: Type.Ref(Figures) }
    }
  }, async (request): Promise<Figures> => {
    const { from, to, step, connectionId } = request.query
    const span = spanOf({ fromMs: millisecondsOf(from), toMs: millisecondsOf(to), step }, now().getTime())
    if (connectionId !== undefined) await requireConnection(connectionId)
    const slots = {
      from: new Date(span.from * 1_000),
      to: new Date(span.to * 1_000),
      step: span.step,
      connectionId
    }
    return toColumns(span, await readCounts(query, slots), await readSamples(query, slots))
  })
}

function millisecondsOf (time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(toStorableTime(time))
}

export default routes
