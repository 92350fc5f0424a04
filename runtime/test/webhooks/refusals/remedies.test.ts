import t from 'tap'
import * as errors from '../../../src/errors.ts'
import { remedyOf } from '../../../src/webhooks/refusals/remedies.ts'

const otherwise = remedyOf('LNK_OTHER')

t.test('every refusal that a sender causes has a remedy of its own', async t => {
  const refusals = [
    errors.WebhookConnectionNotFoundError,
    errors.WebhookMalformedError,
    errors.WebhookHeaderMissingError,
    errors.SignatureMismatchError,
    errors.TimestampOutsideWindowError,
    errors.WebhookSecretMissingError,
    errors.WebhookNotReadyError,
    errors.PayloadTooLargeError,
    errors.IntakeFullError,
    errors.PublishFailedError,
    errors.DatabaseUnavailableError
  ]
  const remedies = refusals.map(make => remedyOf(make().code))

  t.notOk(remedies.includes(otherwise))
  t.equal(new Set(remedies).size, refusals.length)
})

t.test('another code leads to the error table, even one that every object has', async t => {
  t.equal(remedyOf('constructor'), otherwise)
})
