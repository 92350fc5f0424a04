import t from 'tap'
import { describeCodes, problemResponses, withProblems } from '../../../src/http/description/problems.ts'

const codes = describeCodes()
const tokenOnly = [{ token: ['read'] }, { session: ['read'] }]

t.test('a code has the status of its error, and a text without values', async t => {
  t.match(codes.get('LNK_JOB_NOT_FOUND'), { status: 404, message: "Job '…' not found" })
  t.match(codes.get('LNK_REQUEST_INVALID'), { status: 400, message: '' })
})

t.test('an operation has the problems that follow from what it takes, and its own', async t => {
  const operation = {
    security: tokenOnly,
    requestBody: {},
    parameters: [{ in: 'header', name: 'idempotency-key' }, { in: 'header', name: 'if-match' }],
    responses: { 202: { description: 'Accepted' } },
    'x-linker-codes': ['LNK_JOB_NOT_FOUND', 'LNK_JOB_RUNNING']
  }
  const described = withProblems(operation, 'post', codes)

  t.strictSame(described.responses, {
    202: { description: 'Accepted' },
    400: { $ref: '#/components/responses/LNK_REQUEST_INVALID' },
    401: { $ref: '#/components/responses/LNK_UNAUTHORIZED' },
    403: { $ref: '#/components/responses/LNK_CROSS_ORIGIN.LNK_FORBIDDEN' },
    404: { $ref: '#/components/responses/LNK_JOB_NOT_FOUND' },
    409: { $ref: '#/components/responses/LNK_IDEMPOTENCY_KEY_RUNNING.LNK_JOB_RUNNING' },
    412: { $ref: '#/components/responses/LNK_PRECONDITION_FAILED' },
    413: { $ref: '#/components/responses/LNK_PAYLOAD_TOO_LARGE' },
    415: { $ref: '#/components/responses/LNK_MEDIA_TYPE_UNSUPPORTED' },
    422: { $ref: '#/components/responses/LNK_IDEMPOTENCY_KEY_REUSED' },
    429: { $ref: '#/components/responses/LNK_TOKEN_FAILURES' },
    500: { $ref: '#/components/responses/LNK_INTERNAL' },
    503: { $ref: '#/components/responses/LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL' },
    default: {
      description: 'A problem (RFC 9457)',
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }
    }
  })
  t.notOk('x-linker-codes' in described)
})

t.test('an open operation that reads needs no token, and its own answer stays', async t => {
  const own = { description: 'not ready' }
  const { responses } = withProblems({ security: [], responses: { 503: own } }, 'get', codes)

  t.strictSame(Object.keys(responses as object), ['400', '500', '503', 'default'])
  t.equal((responses as Record<string, unknown>)['503'], own)
})

t.test('a component lists its codes for people and for programs', async t => {
  const operation = withProblems(
    { security: tokenOnly, 'x-linker-codes': ['LNK_JOB_RUNNING', 'LNK_JOB_CANCELLED'] },
    'get',
    codes
  )
  const components = problemResponses([operation], codes)

  t.match(components['LNK_JOB_CANCELLED.LNK_JOB_RUNNING'], {
    description: "`LNK_JOB_CANCELLED`: Job '…' is cancelled already\n\n`LNK_JOB_RUNNING`: Job '…' is running",
    'x-linker-codes': ['LNK_JOB_CANCELLED', 'LNK_JOB_RUNNING']
  })
})
