import { AdapterErrorCode, AuthenticationError, RejectedError } from '@linker/sdk'
import t from 'tap'
import { CredentialsRefusedError, errorOfItem, withRefused } from '../../src/jobs/refused-credentials.ts'

const connection = { id: 'c', credentialsVersion: 'db:a:1' }
const used = { connectionId: 'c', credentialsVersion: 'db:a:1' }

t.test('the error of a call says which credentials the platform refused', async t => {
  const error = new AuthenticationError('the key is refused', { status: 401 })
  const renewed = Object.assign(new Error('the token is refused'), {
    code: AdapterErrorCode.authentication,
    credentialsVersion: 'db:a:2'
  })

  t.match(withRefused(error, connection), {
    constructor: CredentialsRefusedError,
    code: AdapterErrorCode.authentication,
    message: 'the key is refused',
    status: 401,
    ...used,
    cause: error
  })
  t.match(withRefused(renewed, connection), { connectionId: 'c', credentialsVersion: 'db:a:2' })
})

t.test('an error that says nothing about credentials stays as it is', async t => {
  for (const error of [new RejectedError('no'), new Error('no'), 'no', undefined]) {
    t.equal(withRefused(error, connection), error)
  }
})

t.test('the error of one item has the code that the adapter gives, and a refusal its credentials', async t => {
  t.match(errorOfItem(AdapterErrorCode.authentication, 'refused', used), {
    constructor: CredentialsRefusedError,
    message: 'refused',
    ...used
  })
  t.match(errorOfItem(AdapterErrorCode.notFound, 'gone', used), { code: AdapterErrorCode.notFound, message: 'gone' })
  t.equal(errorOfItem('SHRUG', 'who knows', used), undefined)
})
