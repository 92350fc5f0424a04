import {
  AuthenticationError,
  ConfigurationError,
  NotFoundError,
  OutcomeUnknownError,
  RateLimitedError,
  RejectedError,
  TransientError,
  UnavailableError,
  WriteUnderWayError
} from '@linker/sdk'
import { capabilityUnavailable } from '@linker/sdk/host'
import { routeStatus } from '@linker/sdk/host/routes'
import t from 'tap'
import { isAccountRefusal, isStoreFailure, toRouteFailure } from '../../src/adapters/adapter-failure.ts'
import {
  AccountConnectedError,
  AccountDiffersError,
  AdapterCrashedError,
  AdapterUnavailableError,
  ConnectionCreationFailedError,
  ConnectionNotFoundException,
  CredentialStoreNotAvailableError
} from '../../src/errors.ts'

const name = 'feed.api.v1@1.0.0'

for (
  const [error, status] of [
    [new RejectedError('said'), 400],
    [new NotFoundError('said'), 404],
    [new ConfigurationError('said'), 500],
    [new AuthenticationError('said'), 502],
    [new OutcomeUnknownError('said'), 502],
    [new RateLimitedError('said'), 503],
    [new TransientError('said'), 503],
    [new WriteUnderWayError('said'), 503],
    [new UnavailableError('said'), 503]
  ] as const
) {
  t.test(`${error.code} is answered ${status} in the words of the adapter`, async t => {
    t.match(toRouteFailure(error, name).error, { statusCode: status, code: error.code, message: 'said', cause: error })
    t.equal(routeStatus[error.code], status, 'the test host answers the same')
  })
}

t.test('the problems of a rejected request keep their places', async t => {
  const fields = [{ pointer: '/price', code: 'minimum', message: 'is too low' }]

  t.match(toRouteFailure(new RejectedError('no', { fields }), name).error, { errors: fields })
  t.match(toRouteFailure(new NotFoundError('no'), name).error, { errors: { length: 0 } })
})

t.test('an error of another copy of the SDK counts by its code', async t => {
  const foreign = Object.assign(new Error('said'), { code: 'LNK_ADAPTER_REJECTED', fields: 'none' })

  t.match(toRouteFailure(foreign, name).error, { statusCode: 400, message: 'said', errors: { length: 0 } })
})

for (
  const [retryAfterMs, seconds] of [
    [undefined, 30],
    [0, 0],
    [1, 1],
    [1_500, 2],
    [-1, 30],
    [Number.NaN, 30],
    [86_400_000, 3_600]
  ] as const
) {
  t.test(`a platform that asks for ${retryAfterMs} ms is left alone for ${seconds} s`, async t => {
    t.equal(toRouteFailure(new RateLimitedError('slow', { retryAfterMs }), name).retryAfterSeconds, seconds)
    t.equal(toRouteFailure(new UnavailableError('off', { retryAfterMs }), name).retryAfterSeconds, seconds)
  })
}

t.test('other refusals do not say when to come back', async t => {
  t.equal(toRouteFailure(new TransientError('away'), name).retryAfterSeconds, undefined)
})

t.test("the hub's own errors about the adapter and its servers stay as they are", async t => {
  const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' })

  for (const error of [new AdapterUnavailableError(name, 'x'), new AdapterCrashedError(name, 'x'), away]) {
    t.equal(toRouteFailure(error, name).error, error)
  }
})

t.test('a capability that cannot be called now answers 503, with the connection to repair', async t => {
  const request = { connectionId: 'connection-2', capability: 'acme/Labels' }
  const { error } = toRouteFailure(capabilityUnavailable(request, 'it is disabled'), name)

  t.match(error, { code: 'LNK_CAPABILITY_UNAVAILABLE', statusCode: 503, message: /connection-2.*it is disabled/ })
})

t.test('a failure to store is told without what the adapter made of it', async t => {
  for (const failure of [new ConnectionCreationFailedError(), new CredentialStoreNotAvailableError()]) {
    failure.message = 'secret-1'
    const { error } = toRouteFailure(failure, name)

    t.match(error, { code: failure.code, statusCode: 500, cause: failure })
    t.notMatch(error.message, 'secret-1')
    t.equal(isStoreFailure(failure), true)
  }
  t.equal(isStoreFailure(new ConnectionNotFoundException('c')), false)
  t.equal(isStoreFailure({ code: 'LNK_CONNECTION_CREATION_FAILED' }), false)
})

t.test('a refusal of the account is told in the words of the hub', async t => {
  for (const refused of [new AccountConnectedError('My market', 'c1'), new AccountDiffersError('a', 'b', 'c')]) {
    const passed = Object.assign(new Error(refused.message), { code: refused.code })
    const { error } = toRouteFailure(passed, name)

    t.match(error, { code: refused.code, statusCode: 409, message: refused.message })
    t.strictSame([isAccountRefusal(refused), isStoreFailure(refused)], [true, false])
  }
})

t.test('everything else is a fault of the adapter, which the caller does not see', async t => {
  for (
    const thrown of [new TypeError('secret-1'), new ConnectionNotFoundException('secret-1'), 'secret-1', undefined]
  ) {
    const { error } = toRouteFailure(thrown, name)

    t.match(error, { code: 'LNK_ADAPTER_FAILED', statusCode: 500, cause: thrown })
    t.notMatch(error.message, 'secret-1')
    t.match(error.message, name)
  }
})
