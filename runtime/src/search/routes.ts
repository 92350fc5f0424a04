import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { InvalidRequestError } from '../errors.ts'
import { refusal } from '../http/refusal.ts'
import { SearchQuery, SearchResult, shortestText } from './schemas.ts'
import { searchHub } from './search-hub.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.addSchema(SearchResult)
  const { query } = app.database

  app.get('/search', {
    config: { scope: 'read' },
    schema: {
      tags: ['search'],
      operationId: 'search',
      summary: 'Find connections, variants, offers, orders, jobs and deliveries by a text, the best 20 first',
      description: 'Takes ids of the hub and of platforms, SKU, EAN, request ids, ids of events and parts of names.',
      querystring: SearchQuery,
      response: { 200: Type.Array(Type.Ref(SearchResult)) }
    }
  }, async request => {
    const text = request.query.q.trim()
    if (text.length < shortestText) {
      throw refusal([{
        pointer: '/q',
        code: 'minLength',
        message: `needs ${shortestText} characters besides blanks: a shorter text would find almost everything`
      }], InvalidRequestError)
    }
    return searchHub(query, text)
  })
}

export default routes
