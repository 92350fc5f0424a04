import {
  AdapterErrorCode,
  AuthenticationError,
  OutcomeUnknownError,
  RateLimitedError,
  RejectedError,
  UnavailableError
} from '@linker/sdk'
import t from 'tap'
import { noteAwaited } from '../../src/jobs/holds/awaited-part.ts'
import { CredentialsRefusedError } from '../../src/jobs/refused-credentials.ts'
import { backoffMs, decide, mostAttempts } from '../../src/jobs/retry-policy.ts'

const always = (value: number) => () => value
const after = (failures: number) => ({ failures, unavailableMs: 0 })
const first = after(0)

t.test('the code of the error decides what happens to a job, whoever made the error', t => {
  const foreign = (code: string): Error => Object.assign(new Error('from another copy of the SDK'), { code })
  const kindOf = (code: string): string => decide(foreign(code), first, always(1)).kind

  t.strictSame(
    Object
      .fromEntries([
        ...Object.values(AdapterErrorCode),
        'LNK_CONNECTION_NOT_FOUND',
        'LNK_CONNECTION_DISABLED',
        'LNK_CONNECTION_MOVING',
        'LNK_CAPABILITY_NOT_SUPPORTED',
        'LNK_CAPABILITY_UNAVAILABLE',
        'LNK_SHOP_ORDER_TAKEN',
        'LNK_JOB_TYPE_UNKNOWN',
        'LNK_ADAPTER_MISSING',
        'ECONNREFUSED',
        '40P01'
      ].map(code => [code, kindOf(code)])),
    {
      LNK_ADAPTER_REJECTED: 'dead',
      LNK_ADAPTER_NOT_FOUND: 'dead',
      LNK_ADAPTER_AUTHENTICATION: 'retry',
      LNK_ADAPTER_CONFIGURATION: 'dead',
      LNK_ADAPTER_RATE_LIMITED: 'wait',
      LNK_ADAPTER_TRANSIENT: 'retry',
      LNK_ADAPTER_WRITE_UNDER_WAY: 'wait',
      LNK_ADAPTER_OUTCOME_UNKNOWN: 'retry',
      LNK_PLATFORM_UNAVAILABLE: 'wait',
      LNK_CONNECTION_NOT_FOUND: 'dead',
      LNK_CONNECTION_DISABLED: 'wait',
      LNK_CONNECTION_MOVING: 'wait',
      LNK_CAPABILITY_NOT_SUPPORTED: 'dead',
      LNK_CAPABILITY_UNAVAILABLE: 'wait',
      LNK_SHOP_ORDER_TAKEN: 'dead',
      LNK_JOB_TYPE_UNKNOWN: 'dead',
      LNK_ADAPTER_MISSING: 'wait',
      ECONNREFUSED: 'retry',
      '40P01': 'retry'
    }
  )
  t.end()
})

t.test('a job that meets a pause waits for it, whatever its code and its failures', t => {
  const part = { groupId: 'a group', part: 'Orders' }
  const error = noteAwaited(Object.assign(new Error('paused'), { code: 'LNK_CAPABILITY_NOT_SUPPORTED' }), part)

  t.strictSame(decide(error, after(mostAttempts), always(1)), {
    kind: 'await',
    waitsFor: part,
    problem: { code: 'LNK_CAPABILITY_NOT_SUPPORTED', message: 'paused' }
  })
  t.end()
})

t.test('a handler may throw what is no error', t => {
  t.match(decide('broken', first, always(1)), { kind: 'retry', problem: { code: 'LNK_JOB_FAILED', message: 'broken' } })
  t.match(decide(undefined, first, always(1)), { kind: 'retry', problem: { code: 'LNK_JOB_FAILED' } })
  t.end()
})

t.test('the tenth failure is the last', t => {
  t.equal(decide(new OutcomeUnknownError('no answer'), after(mostAttempts - 2), always(1)).kind, 'retry')
  t.match(decide(new OutcomeUnknownError('no answer'), after(mostAttempts - 1), always(1)), {
    kind: 'dead',
    problem: { code: 'LNK_ADAPTER_OUTCOME_UNKNOWN', message: 'no answer' }
  })
  t.end()
})

t.test('waiting never uses up the attempts', t => {
  t.equal(decide(new RateLimitedError('slow down'), after(1_000), always(1)).kind, 'wait')
  t.end()
})

t.test('a job waits for a platform that is away for a day, and dies then with the reason', t => {
  const away = new UnavailableError('maintenance page, 503')
  const part = { groupId: 'a group', part: 'unavailable:module' }
  const refused = noteAwaited(new UnavailableError('maintenance page, 503'), part)
  const problem = { code: 'LNK_PLATFORM_UNAVAILABLE', message: 'maintenance page, 503' }

  for (const error of [away, refused]) {
    const endAfter = (unavailableMs: number) => decide(error, { failures: 1_000, unavailableMs }, always(1))
    t.not(endAfter(86_399_999).kind, 'dead')
    t.strictSame(endAfter(86_400_000), { kind: 'dead', problem })
  }
  const still = noteAwaited(new OutcomeUnknownError('500'), { ...part, delayMs: 30_000, foundFault: true })
  t.equal(decide(still, { failures: 1_000, unavailableMs: 86_399_999 }, always(1)).kind, 'await')
  t.equal(decide(still, { failures: 0, unavailableMs: 86_400_000 }, always(1)).kind, 'dead')
  const slow = decide(new RateLimitedError('slow down'), { failures: 0, unavailableMs: 86_400_000 }, always(1))
  t.equal(slow.kind, 'wait', 'another wait has no end')
  t.end()
})

t.test('a refusal names the refused credentials; without them it is an error like others', t => {
  const refused = { connectionId: 'c', credentialsVersion: 'db:a:1' }

  t.match(decide(new CredentialsRefusedError('refused', refused), after(1_000), always(1)), {
    kind: 'refused',
    refused,
    problem: { code: 'LNK_ADAPTER_AUTHENTICATION', message: 'refused' }
  })
  t.match(decide(new AuthenticationError('refused'), first, always(1)), { kind: 'retry' })
  t.end()
})

t.test('the delay doubles, has full jitter, and is never longer than an hour', t => {
  t.strictSame([0, 1, 2, 8].map(failures => backoffMs(failures, always(1))), [2_000, 4_000, 8_000, 512_000])
  t.equal(backoffMs(5, always(0)), 0)
  t.equal(backoffMs(5, always(0.5)), 32_000)
  t.equal(backoffMs(60, always(1)), 3_600_000)
  t.end()
})

t.test('an unusable time to retry after is replaced by 30 seconds, a long one by an hour', t => {
  const delayOf = (retryAfterMs: number): unknown =>
    decide(new RateLimitedError('slow down', { retryAfterMs }), first, always(1))

  t.match(delayOf(Number.NaN), { delayMs: 30_000 })
  t.match(delayOf(-5), { delayMs: 30_000 })
  t.match(delayOf(Infinity), { delayMs: 30_000 })
  t.match(delayOf(1_500.4), { delayMs: 1_500 })
  t.match(delayOf(7_200_000), { delayMs: 3_600_000 })
  t.end()
})

t.test('the reason keeps the fields and is cut to a readable length', t => {
  const fields = [{ pointer: '', code: 'x', message: 'y' }]

  t.match(decide(new RejectedError('z'.repeat(5_000), { fields }), first, always(1)), {
    problem: { message: 'z'.repeat(1_000), fields }
  })
  t.notOk('fields' in decide(new RejectedError('no fields'), first, always(1)).problem)
  t.end()
})
