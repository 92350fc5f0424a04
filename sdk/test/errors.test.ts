import {
  AdapterError,
  AdapterErrorCode,
  AuthenticationError,
  ConfigurationError,
  isAdapterError,
  NotFoundError,
  OutcomeUnknownError,
  RateLimitedError,
  RejectedError,
  TransientError,
  UnavailableError,
  WriteUnderWayError
} from '@linker/sdk'
import t from 'tap'

const classes = {
  LNK_ADAPTER_REJECTED: RejectedError,
  LNK_ADAPTER_NOT_FOUND: NotFoundError,
  LNK_ADAPTER_AUTHENTICATION: AuthenticationError,
  LNK_ADAPTER_CONFIGURATION: ConfigurationError,
  LNK_ADAPTER_RATE_LIMITED: RateLimitedError,
  LNK_ADAPTER_TRANSIENT: TransientError,
  LNK_ADAPTER_WRITE_UNDER_WAY: WriteUnderWayError,
  LNK_ADAPTER_OUTCOME_UNKNOWN: OutcomeUnknownError,
  LNK_PLATFORM_UNAVAILABLE: UnavailableError
}

t.test('every error has its own code, name, status and cause', async t => {
  const cause = new Error('socket')

  for (const [code, Class] of Object.entries(classes)) {
    const error = new Class('what happened', { status: 500, cause })
    t.match(error, { code, name: Class.name, message: 'what happened', status: 500, cause })
    t.ok(error instanceof AdapterError && isAdapterError(error))
  }
  t.same(new Set(Object.values(AdapterErrorCode)), new Set(Object.keys(classes)))
})

t.test('an error without a cause has none to print', async t => {
  t.notOk('cause' in new TransientError('x'))
  t.notOk('cause' in new RejectedError('x', {}))
})

t.test('a rejection carries its fields, none by default', async t => {
  const fields = [{ pointer: '/title', code: 'too-long', message: 'at most 50 characters' }]

  t.strictSame(new RejectedError('x', { fields }).fields, fields)
  t.strictSame(new RejectedError('x').fields, [])
})

t.test('a rate limit carries the time to wait when there is one', async t => {
  t.equal(new RateLimitedError('x', { retryAfterMs: 5000 }).retryAfterMs, 5000)
  t.equal(new RateLimitedError('x').retryAfterMs, undefined)
})

t.test('a platform that is away may say for how long', async t => {
  t.equal(new UnavailableError('maintenance page, 503', { retryAfterMs: 60_000 }).retryAfterMs, 60_000)
  t.equal(new UnavailableError('maintenance page, 503').retryAfterMs, undefined)
})

t.test('an error of another copy of the SDK is recognised by its code, and other errors are not', async t => {
  t.ok(isAdapterError(Object.assign(new Error('x'), { code: 'LNK_ADAPTER_TRANSIENT' })))
  for (
    const other of [
      new Error('x'),
      Object.assign(new Error('x'), { code: 'ECONNRESET' }),
      { code: 'LNK_ADAPTER_TRANSIENT' },
      'LNK_ADAPTER_TRANSIENT',
      null,
      undefined
    ]
  ) {
    t.notOk(isAdapterError(other))
  }
})
