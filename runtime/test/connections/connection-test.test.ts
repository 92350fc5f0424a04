import t from 'tap'
import { testConnection, warningsOf } from '../../src/connections/connection-test.ts'
import { CredentialsRefusedError } from '../../src/jobs/refused-credentials.ts'
import { fakeAdapter, fakeConnection, fakeOpened } from './support.ts'

const adapter = fakeAdapter({ adapterKey: 'fake.api.v1', described: { hasTest: true } })

/**
 * Tests a connection whose adapter fails with `failure`. Returns the result and the lines that were
 * logged.
 */
async function testFailing (failure: Error) {
  const logged: object[] = []
  const suspended: unknown[] = []
  const result = await testConnection(
    {
      open: async () => fakeOpened(fakeConnection({ adapterKey: 'fake.api.v1' }), adapter),
      resume: async () => undefined,
      async suspend (...refused) {
        suspended.push(refused)
      },
      checkAccount: async () => undefined
    },
    { call: () => Promise.reject(failure), forget: () => undefined },
    'the-id',
    {
      requestId: 'a-request',
      log: {
        error (fields) {
          logged.push(fields)
        }
      }
    }
  )
  return { result, logged, suspended }
}

t.test('what a platform refuses is said to the caller, and stops the credentials that it refused', async t => {
  const refused = { connectionId: 'the-id', credentialsVersion: 'db:a:1' }
  const { result, logged, suspended } = await testFailing(new CredentialsRefusedError('the key is refused', refused))

  t.match(result, { success: false, message: 'the key is refused' })
  t.match(suspended, [[refused, 'the key is refused']])
  t.strictSame(logged, [])
})

t.test('what an adapter does wrong is in the log, for its author', async t => {
  const failure = new TypeError('undefined is not a function')
  const { result, logged } = await testFailing(failure)

  t.match(result, { success: false, message: /log of the hub/ })
  t.strictSame(logged, [{ err: failure, connectionId: 'the-id', adapter: 'fake.api.v1', requestId: 'a-request' }])
})

t.test('of the warnings of a test the first are told, and the beginnings of their texts', async t => {
  const warnings = warningsOf({ warnings: Array.from({ length: 30 }, () => 'y'.repeat(5_000)) })

  t.equal(warnings.length, 20)
  t.ok(warnings.every(({ length }) => length === 2_000))
  t.strictSame(warningsOf(undefined), [])
})
