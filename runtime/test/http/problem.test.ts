import { RejectedError, TransientError } from '@linker/sdk'
import t from 'tap'
import { CapabilityNotSupportedException, ConnectionNotFoundException, InternalError } from '../../src/errors.ts'
import { describeDetails, toKnownError, toProblem } from '../../src/http/problem.ts'

const known = (error: unknown) => toKnownError(error, 1_000)
const withMembers = (message: string, members: object): Error => Object.assign(new Error(message), members)

t.test('only errors of the table, of adapters and of requests say their own words', async t => {
  const cases: [string, unknown, string, number, boolean][] = [
    ['the table', new ConnectionNotFoundException('c'), 'LNK_CONNECTION_NOT_FOUND', 404, true],
    ['an adapter', new TransientError('the platform is away'), 'LNK_ADAPTER_TRANSIENT', 502, true],
    ['a request', withMembers('secret-1', { code: 'FST_ERR_X', statusCode: 417 }), 'LNK_REQUEST_INVALID', 417, true],
    [
      'a connection',
      withMembers('secret-1', { code: 'ECONNRESET', statusCode: 400 }),
      'LNK_REQUEST_INVALID',
      400,
      true
    ],
    [
      'a broken server connection',
      withMembers('secret-1', { code: 'ECONNRESET' }),
      'LNK_DATABASE_UNAVAILABLE',
      503,
      false
    ],
    ['a full disk', withMembers('secret-1', { code: '53100' }), 'LNK_DISK_FULL', 503, false],
    ['a full disk of the hub', withMembers('secret-1', { code: 'ENOSPC' }), 'LNK_DISK_FULL', 503, false],
    ['the server', withMembers('secret-1', { code: 'FST_ERR_X', statusCode: 500 }), 'LNK_INTERNAL', 500, false],
    ['a status alone', withMembers('secret-1', { statusCode: 404 }), 'LNK_INTERNAL', 500, false],
    ['a code alone', withMembers('secret-1', { code: 'LNK_MADE_UP' }), 'LNK_INTERNAL', 500, false],
    ['no error', { code: 'LNK_NOT_FOUND', statusCode: 404, message: 'secret-1' }, 'LNK_INTERNAL', 500, false],
    ['nothing', undefined, 'LNK_INTERNAL', 500, false]
  ]
  for (const [what, error, code, statusCode, isShown] of cases) {
    const found = known(error)
    t.match(found, { code, statusCode }, what)
    if (!isShown) t.notMatch(found.message, 'secret-1', what)
  }
})

t.test('the problems that an adapter found keep their places', async t => {
  const fields = [{ pointer: '/price', code: 'minimum', message: 'is too low' }]

  t.strictSame(known(new RejectedError('refused', { fields })).errors, fields)
  t.strictSame(known(new TransientError('away')).errors, [])
})

t.test('a body that is too large is refused with the limit of its route', async t => {
  t.match(known(withMembers('x', { code: 'FST_ERR_CTP_BODY_TOO_LARGE', statusCode: 413 })), {
    code: 'LNK_PAYLOAD_TOO_LARGE',
    statusCode: 413,
    message: /1000/
  })
})

t.test('a refused value is named where it stands: in the body, the path or the query', async t => {
  const validation = [{
    keyword: 'type',
    instancePath: '/limit',
    schemaPath: '',
    params: {},
    message: 'must be integer'
  }]
  const pointersOf = (validationContext?: string) =>
    known(withMembers('x', { validation, validationContext })).errors?.map(({ pointer }) => pointer)

  t.strictSame(pointersOf('querystring'), ['/querystring/limit'])
  t.strictSame(pointersOf('body'), ['/limit'])
  t.strictSame(pointersOf(), ['/limit'])
  t.equal(describeDetails([{ pointer: '', code: 'type', message: 'must be object' }]), 'the body must be object')
})

t.test('a problem has a title for people and names the request, and at most fifty errors', async t => {
  const errors = Array.from({ length: 60 }, (_, index) => ({ pointer: `/${index}`, code: 'type', message: 'x' }))

  t.match(toProblem({ code: 'LNK_SIGNATURE_MISMATCH', statusCode: 401, message: 'm' }, 'r-1'), {
    type: 'urn:linker:problem:LNK_SIGNATURE_MISMATCH',
    title: 'Signature mismatch',
    status: 401,
    detail: 'm',
    instance: 'urn:linker:request:r-1',
    requestId: 'r-1',
    errors: undefined
  })
  t.equal(
    toProblem({ ...known(new CapabilityNotSupportedException('a', 'b')) }, 'r').title,
    'CapabilityNotSupportedException'
  )
  t.equal(toProblem({ ...known(new InternalError()), errors }, 'r').errors?.length, 50)
})
