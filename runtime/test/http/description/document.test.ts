import t from 'tap'
import { publish } from '../../../src/http/description/document.ts'

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const thing = { $ref: '#/components/schemas/Thing' }
const document = {
  tags: [{ name: 'things', description: 'Things' }],
  components: { schemas: { Thing: { type: 'object' } }, securitySchemes: {} },
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        parameters: [{ name: 'cursor', in: 'query', schema: { type: 'string' } }],
        responses: { 200: { description: 'A page', ...json({ type: 'array', items: thing }) } }
      },
      post: {
        operationId: 'countThings',
        requestBody: json({ type: 'object', required: ['dryRun'], properties: { dryRun: { default: false } } }),
        responses: { 200: { description: 'A count', ...json({ type: 'object' }) } }
      }
    }
  }
}
const more = {
  paths: { '/integrations/feed/state': { get: { operationId: 'feed_getState', responses: {} } } },
  tags: [{ name: 'feed.api.v1' }]
}
const examples = { bodies: { countThings: { dryRun: true } }, answers: { Thing: { id: 1 }, countThings: { count: 2 } } }

t.test('examples stand beside the bodies, and once in a named schema', async t => {
  const { components, paths } = publish(document, more, examples)

  t.match(components, { schemas: { Thing: { examples: [{ id: 1 }] } } })
  t.match(paths, {
    '/things': {
      get: { responses: { 200: { content: { 'application/json': { example: undefined } } } } },
      post: {
        requestBody: {
          content: { 'application/json': { example: { dryRun: true }, schema: { required: undefined } } }
        },
        responses: { 200: { content: { 'application/json': { example: { count: 2 } } } } }
      }
    }
  })
})

t.test('a list with a cursor names the header with its next page', async t => {
  const { paths } = publish(document, more, examples)

  t.match(paths, { '/things': { get: { responses: { 200: { headers: { Link: { schema: { type: 'string' } } } } } } } })
  t.match(paths, { '/things': { post: { responses: { 200: { headers: undefined } } } } })
})

t.test('the paths and tags of adapters follow those of the hub', async t => {
  const { paths, tags } = publish(document, more, examples)

  t.strictSame(Object.keys(paths as object), ['/things', '/integrations/feed/state'])
  t.match(tags, [{ name: 'things' }, { name: 'feed.api.v1' }])
  t.match(paths, { '/integrations/feed/state': { get: { responses: { 400: {}, default: {} } } } })
})
