import t from 'tap'
import type { Description, Operation } from './description.ts'
import { createJudge } from './judge.ts'

const problem = { $ref: '#/components/schemas/Problem' }
const description: Description = {
  paths: {},
  components: {
    schemas: { Problem: { type: 'object', required: ['status', 'code'], properties: { status: { type: 'integer' } } } }
  }
}
const operation: Operation = {
  method: 'GET',
  path: '/things',
  parameters: [],
  body: undefined,
  responses: {
    200: { content: { 'application/json': { schema: { type: 'array' } } } },
    204: {},
    409: { content: { 'application/problem+json': { schema: problem } }, 'x-linker-codes': ['LNK_JOB_RUNNING'] },
    500: {
      content: { 'application/problem+json': { schema: problem } },
      'x-linker-codes': ['LNK_CAPABILITY_NOT_SUPPORTED']
    },
    502: { content: { 'application/problem+json': { schema: problem } }, 'x-linker-codes': ['LNK_ADAPTER_TRANSIENT'] },
    default: { content: { 'application/problem+json': { schema: problem } } }
  }
}

function judge (status: number, value: unknown, type = 'application/json'): string[] {
  const text = value === undefined ? '' : JSON.stringify(value)
  return createJudge(description)(operation, { status, headers: { 'content-type': type }, text, json: value })
}

t.test('an answer that the description promises has no fault', async t => {
  t.strictSame(judge(200, []), [])
  t.strictSame(judge(204, undefined), [])
  t.strictSame(judge(404, { status: 404, code: 'LNK_NOT_FOUND' }, 'application/problem+json; charset=utf-8'), [])
  t.strictSame(judge(500, { status: 500, code: 'LNK_CAPABILITY_NOT_SUPPORTED' }, 'application/problem+json'), [])
  t.strictSame(judge(502, { status: 502, code: 'LNK_ADAPTER_TRANSIENT' }, 'application/problem+json'), [])
})

t.test('an answer that the description does not promise has its faults named', async t => {
  t.strictSame(judge(201, {}), ['the status 201 is not described'])
  t.strictSame(judge(204, {}), ['the body is not described'])
  t.strictSame(judge(200, [], 'text/html'), ["the type 'text/html' is not described"])
  t.strictSame(judge(200, {}), ['the body does not fit: data must be array'])
  t.match(judge(404, { status: 404 }, 'application/problem+json'), [/must have required property 'code'/])
  t.strictSame(
    judge(404, { status: 400, code: 'LNK_NOT_FOUND' }, 'application/problem+json'),
    ['the body names another status than 404']
  )
  t.strictSame(
    judge(409, { status: 409, code: 'LNK_JOB_CANCELLED' }, 'application/problem+json'),
    ['the code LNK_JOB_CANCELLED is not described']
  )
  t.strictSame(judge(500, { status: 500, code: 'LNK_INTERNAL' }, 'application/problem+json'), [
    'the hub failed',
    'the code LNK_INTERNAL is not described'
  ])
  t.strictSame(judge(500, 'broken', 'text/plain'), ['the hub failed', "the type 'text/plain' is not described"])
})
