import t from 'tap'
import { toStoreFailure } from '../../src/credentials/store-failure.ts'

const failure = (message: string, code?: string): Error =>
  Object.assign(new Error(message), code === undefined ? {} : { code })

t.test('a missing table of credentials is told in the words of the specification', async t => {
  const missing = failure('relation "integration_credentials" does not exist', '42P01')

  t.match(toStoreFailure(missing), {
    code: 'LNK_CREDENTIAL_STORE_NOT_AVAILABLE',
    statusCode: 500,
    message: 'Credential store not available',
    cause: missing
  })
})

t.test('every other error stays as it is', async t => {
  for (
    const error of [
      failure('relation "connections" does not exist', '42P01'),
      failure('duplicate key in integration_credentials', '23505'),
      failure('integration_credentials'),
      'integration_credentials'
    ]
  ) t.equal(toStoreFailure(error), error)
})
