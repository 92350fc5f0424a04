import t from 'tap'
import { AuthenticationError } from '../../src/errors.ts'
import { createMemoryState } from '../../src/host/memory-state.ts'
import { createOAuth, type OAuthOptions } from '../../src/host/oauth.ts'

const now = (): Date => new Date('2026-01-31T12:00:00Z')
const ended = { accessToken: 'old', refreshToken: 'spent', expiresAt: '2026-01-31T11:00:00Z' }

/** A platform that refuses every refresh, and processes that share the stored credentials. */
function refusing () {
  const { services, storeCredentials, credentialsVersion } = createMemoryState(now)
  storeCredentials('c', ended)
  const used: string[] = []
  let asks = 0
  async function ask (more: Partial<OAuthOptions> & { config?: Record<string, unknown> } = {}) {
    const { config = {}, ...options } = more
    const oauth = createOAuth<typeof ended>({
      connection: { id: 'c', config, credentialsVersion: '1' },
      credentials: ended,
      platform: { secret: 'first' },
      services,
      locks: { run: async (_name, action) => action() },
      now,
      detached: work => work(),
      onReplaced: () => undefined,
      onUsed (version) {
        used.push(version)
      },
      isTest: () => false,
      redact: message => message.replace('spent', '[redacted]'),
      withDefaults: value => value,
      ...options
    })
    const failure = await oauth.accessToken(async () => {
      asks += 1
      throw new AuthenticationError('spent is refused')
    }).catch((error: unknown) => error)
    return [asks, failure instanceof Error ? failure.message : failure]
  }
  return { ask, used, storeCredentials, version: () => credentialsVersion('c') }
}

t.test('a refused refresh is not tried again, by any process, until something of its input changes', async t => {
  const { ask, storeCredentials } = refusing()

  t.strictSame(await ask(), [1, 'spent is refused'])
  t.strictSame(await ask(), [1, '[redacted] is refused'])
  t.strictSame(await ask({ platform: { secret: 'corrected' } }), [2, 'spent is refused'])
  t.strictSame(await ask({ config: { environment: 'sandbox' } }), [3, 'spent is refused'])
  storeCredentials('c', { ...ended, refreshToken: 'another' })
  t.strictSame(await ask(), [4, 'spent is refused'])
  t.strictSame(await ask(), [4, '[redacted] is refused'])
})

t.test('a test of the connection asks again: a person may know that the platform accepts it now', async t => {
  const { ask } = refusing()
  await ask()

  t.strictSame(await ask({ isTest: () => true }), [2, 'spent is refused'])
  t.strictSame(await ask(), [2, '[redacted] is refused'])
})

t.test('a refusal is about the credentials that were refused, also when others are stored by then', async t => {
  const { ask, used, storeCredentials, version } = refusing()
  await ask({
    detached (work) {
      storeCredentials('c', { ...ended, refreshToken: 'another' })
      return work()
    }
  })

  t.equal(version(), 2)
  t.equal(used.at(-1), '1')
})
