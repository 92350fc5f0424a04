import t from 'tap'
import { toCreationFailure } from '../../src/connections/creation-failure.ts'
import { InvalidConnectionError } from '../../src/errors.ts'

const withCode = (message: string, code: string): Error => Object.assign(new Error(message), { code })

t.test('an error that tells the client more stays as it is', async t => {
  for (const error of [new InvalidConnectionError('x'), withCode('away', 'ECONNREFUSED'), withCode('x', '57P01')]) {
    t.equal(toCreationFailure(error), error)
  }
})

t.test('any other failure is `Connection creation failed`, and the log has its cause', async t => {
  for (const error of [new TypeError('a bug'), withCode('duplicate key', '23505'), 'thrown text']) {
    t.match(toCreationFailure(error), { code: 'LNK_CONNECTION_CREATION_FAILED', cause: error })
  }
})

t.test('a missing table of credentials is named; another missing table is a failure', async t => {
  const missing = (table: string): Error => withCode(`relation "${table}" does not exist`, '42P01')

  t.match(toCreationFailure(missing('integration_credentials')), { code: 'LNK_CREDENTIAL_STORE_NOT_AVAILABLE' })
  t.match(toCreationFailure(missing('connections')), { code: 'LNK_CONNECTION_CREATION_FAILED' })
})
