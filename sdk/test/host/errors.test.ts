import { AdapterErrorCode, RateLimitedError, RejectedError } from '@linker/sdk'
import t from 'tap'
import { bounded, withoutSecrets } from '../../src/host/errors.ts'

const long = 'x'.repeat(5_000_000)

t.test('a short error stays unchanged', async t => {
  const error = new RejectedError('no', {
    fields: [{ pointer: '/a', code: 'b', message: 'c' }],
    cause: { status: 400 }
  })

  t.equal(bounded(error), error)
  t.equal(bounded(undefined), undefined)
})

t.test('a long error keeps its code, has its text cut and loses its other members', async t => {
  const fields = Array.from({ length: 10_000 }, () => ({ pointer: '/a', code: 'b', message: 'c' }))
  const rejected = bounded(new RejectedError(long, { fields, cause: { body: long }, status: 400 })) as Error

  t.match(rejected, {
    name: 'RejectedError',
    code: AdapterErrorCode.rejected,
    status: 400,
    cause: 'too large to be shown'
  })
  t.equal(rejected.message.length, 10_000)
  t.ok((rejected.stack ?? '').length <= 20_000)
  t.notOk('fields' in rejected)
  t.match(bounded(new RateLimitedError(long, { retryAfterMs: 7 })), {
    code: AdapterErrorCode.rateLimited,
    retryAfterMs: 7
  })
  t.equal(String(bounded(long)).length, 10_000)
})

t.test('a text that is cut within a secret does not show a part of it', async t => {
  const secret = 'a-secret-of-some-length'
  const redact = (value: unknown): unknown => typeof value === 'string' ? value.replaceAll(secret, '[redacted]') : value
  for (const place of [9_990, 999_990]) {
    const text = `${'x'.repeat(place)}${secret}${long}`
    t.notMatch((bounded(withoutSecrets(new Error(text), redact)) as Error).message, 'a-secret')
    t.notMatch((bounded(withoutSecrets(text, redact)) as Error).message, 'a-secret')
  }
})
