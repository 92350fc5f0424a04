import { AuthenticationError } from '@linker/sdk'
import t from 'tap'
import { testConnection, warningsOf } from '../../src/connections/connection-test.ts'
import { openedConnection } from './support.ts'

/**
 * Tests a connection whose adapter fails with `failure`. Returns the result and the lines that were
 * logged.
 */
async function testFailing (failure: Error) {
  const opened = openedConnection({}, { hasTest: true })
  const logged: object[] = []
  const connections = { open: async () => opened, suspend: async () => undefined, resume: async () => undefined }
  const adapters = { call: () => Promise.reject(failure), forget: () => undefined }
  const result = await testConnection(connections, adapters, 'the-id', {
    requestId: 'a-request',
    log: {
      error (fields) {
        logged.push(fields)
      }
    }
  })
  return { result, logged }
}

t.test('the caller reads what the platform refuses', async t => {
  const { result, logged } = await testFailing(new AuthenticationError('the key is refused'))

  t.match(result, { success: false, message: 'the key is refused' })
  t.strictSame(logged, [])
})

t.test('the log holds a fault of the adapter, for its author', async t => {
  const failure = new TypeError('undefined is not a function')
  const { result, logged } = await testFailing(failure)

  t.match(result, { success: false, message: /log of the hub/ })
  t.strictSame(logged, [{ err: failure, connectionId: 'the-id', adapter: 'feed.api.v1', requestId: 'a-request' }])
})

t.test('a test shows its first warnings, and the beginnings of their texts', async t => {
  const warnings = warningsOf({ warnings: Array.from({ length: 30 }, () => 'y'.repeat(5_000)) })

  t.equal(warnings.length, 20)
  t.ok(warnings.every(({ length }) => length === 2_000))
  t.strictSame(warningsOf(undefined), [])
})
