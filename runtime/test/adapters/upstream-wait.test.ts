import {
  AuthenticationError,
  ConfigurationError,
  NotFoundError,
  OutcomeUnknownError,
  RateLimitedError,
  RejectedError,
  TransientError,
  UnavailableError
} from '@linker/sdk'
import t from 'tap'
import { errorOfWait } from '../../src/adapters/upstream-wait.ts'
import { AdapterCrashedError, AdapterUnavailableError } from '../../src/errors.ts'
import { awaitedPartOf } from '../../src/jobs/holds/awaited-part.ts'
import type { UpstreamWait } from '../../src/upstream/calls.ts'

const wait: UpstreamWait = {
  connectionId: 'a connection',
  reason: 'budget',
  area: undefined,
  retryAfterMs: 1_200.4,
  message: 'there is no place',
  kind: 'refused',
  isUncertain: false
}

t.test('the refusal replaces the error that the adapter made of it, and the job waits', async t => {
  const made = [
    new RateLimitedError('GET /orders was not sent', { retryAfterMs: 1 }),
    new TransientError('no orders'),
    new Error('no orders'),
    new TypeError('cannot read properties of undefined'),
    Object.assign(new Error('of another copy of the SDK'), { code: 'LNK_ADAPTER_TRANSIENT' }),
    'no orders'
  ]

  for (const error of made) {
    const found = errorOfWait(error, wait)
    t.match(found, {
      code: 'LNK_ADAPTER_RATE_LIMITED',
      message: 'there is no place',
      retryAfterMs: 1_200.4,
      cause: error
    })
    t.strictSame(awaitedPartOf(found), { groupId: 'a connection', part: 'budget', delayMs: 1_201 })
  }
})

t.test('an error that says what happened stays', async t => {
  const telling = [
    new RejectedError('no'),
    new NotFoundError('no'),
    new AuthenticationError('no'),
    new ConfigurationError('no'),
    new OutcomeUnknownError('no'),
    new AdapterCrashedError('mkta@1.0.0', 'it ran out of memory'),
    new AdapterUnavailableError('mkta@1.0.0', 'the hub stops'),
    Object.assign(new Error('of another copy of the SDK'), { code: 'LNK_ADAPTER_REJECTED' })
  ]

  for (const error of telling) {
    t.equal(errorOfWait(error, wait), error)
    t.equal(awaitedPartOf(error), undefined)
  }
})

t.test('without a refused request every error stays', async t => {
  const error = new TransientError('the platform does not answer')

  t.equal(errorOfWait(error, undefined), error)
  t.equal(awaitedPartOf(error), undefined)
})

t.test('requests that do not fit into the time of a job use up an attempt', async t => {
  const error = new RateLimitedError('GET /orders was not sent')
  const found = errorOfWait(error, { ...wait, kind: 'too-late' })

  t.match(found, { code: 'LNK_ADAPTER_TRANSIENT', message: 'there is no place', cause: error })
  t.equal(awaitedPartOf(found), undefined)
})

t.test('a job comes again after a day at the latest', async t => {
  const found = errorOfWait(new Error('no orders'), { ...wait, reason: 'circuit-breaker', retryAfterMs: 2 ** 40 })

  t.strictSame(awaitedPartOf(found), { groupId: 'a connection', part: 'circuit-breaker', delayMs: 86_400_000 })
})

t.test('a job waits for the area that it needs, and learns why the platform is away', async t => {
  const away: UpstreamWait = { ...wait, reason: 'unavailable', area: 'module', message: 'maintenance page, 503' }
  const awaited = { groupId: 'a connection', part: 'unavailable:module', delayMs: 1_201 }

  for (const made of [new RateLimitedError('not sent'), new UnavailableError('not sent'), new TransientError('lost')]) {
    const found = errorOfWait(made, away)
    t.match(found, { code: 'LNK_PLATFORM_UNAVAILABLE', message: 'maintenance page, 503', cause: made })
    t.strictSame(awaitedPartOf(found), awaited)
  }
  const told = new UnavailableError('maintenance page, 503')
  t.equal(errorOfWait(told, { ...away, kind: 'answered' }), told)
  t.strictSame(awaitedPartOf(told), { ...awaited, keepsError: true })
  t.match(errorOfWait(told, { ...away, isUncertain: true }), { code: 'LNK_ADAPTER_OUTCOME_UNKNOWN' })
})

t.test('a job whose call found that the platform still fails waits for the breaker', async t => {
  const probed: UpstreamWait = { ...wait, reason: 'circuit-breaker', kind: 'probed', retryAfterMs: 30_000 }
  const awaited = {
    groupId: 'a connection',
    part: 'circuit-breaker',
    delayMs: 30_000,
    keepsError: true,
    foundFault: true
  }

  for (const isUncertain of [false, true]) {
    for (const error of [new TransientError('500'), new OutcomeUnknownError('lost'), new TypeError('no answer')]) {
      t.equal(errorOfWait(error, { ...probed, isUncertain }), error)
      t.strictSame(awaitedPartOf(error), awaited)
    }
  }
  for (const error of [new RejectedError('no'), new AdapterCrashedError('feed', 'memory'), 'broken']) {
    t.equal(errorOfWait(error, probed), error)
    t.equal(awaitedPartOf(error), undefined)
  }
})

t.test('a job that the platform asked for a pause waits with those that met it later', async t => {
  const answered: UpstreamWait = { ...wait, reason: 'rate-limit', kind: 'answered' }
  const error = new RateLimitedError('GET /orders answered 429', { retryAfterMs: 1_200.4 })

  t.equal(errorOfWait(error, answered), error)
  t.strictSame(awaitedPartOf(error), {
    groupId: 'a connection',
    part: 'rate-limit',
    delayMs: 1_201,
    keepsError: true
  })

  const later = new TransientError('another request failed')
  t.equal(errorOfWait(later, answered), later)
  t.equal(awaitedPartOf(later), undefined)
})

t.test('a call that may have written something does not wait as if it had written nothing', async t => {
  const uncertain: UpstreamWait = { ...wait, isUncertain: true }
  const refusal = new RateLimitedError('GET /orders was not sent')
  const other = new TransientError('no orders')

  t.match(errorOfWait(refusal, uncertain), { code: 'LNK_ADAPTER_OUTCOME_UNKNOWN', cause: refusal })
  t.equal(errorOfWait(other, uncertain), other)
})
