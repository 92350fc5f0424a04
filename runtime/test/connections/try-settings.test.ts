import { RejectedError } from '@linker/sdk'
import type { ConnectionSnapshot } from '@linker/sdk/host'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import type { CallOptions } from '../../src/adapters/adapters.ts'
import { checkSettings, trySettings, type Settings } from '../../src/connections/try-settings.ts'
import { answering, fakeAdapter, type FakeAdapter } from './support.ts'

const config = Type.Object({ shop: Type.String(), feedKey: Type.Optional(Type.String({ secret: true })) })
const credentials = Type.Object({ key: Type.String({ minLength: 3, secret: true }) })
const settings: Settings = { config: { shop: 'a' }, credentials: { key: 'the-key' } }

/** Tries settings with an adapter whose connection test ends like `test`. */
async function tryWith (test: () => unknown, tried: Settings, more: FakeAdapter = {}, isRenewed = false) {
  const calls: { snapshot: ConnectionSnapshot | undefined, options: CallOptions }[] = []
  const logged: object[] = []
  const trials: string[] = []
  const judged = await trySettings(
    {
      async call (_adapter, snapshot, _target, _args, options) {
        calls.push({ snapshot, options })
        return test()
      },
      beginTrial: given => {
        trials.push(`begin ${JSON.stringify(given)}`)
        return {
          connectionId: 'trial',
          hasRenewed: () => isRenewed,
          readCredentials: async () => ({}),
          end: () => trials.push('end')
        }
      }
    },
    fakeAdapter({ config, credentials, ...more, described: { hasTest: true, ...more.described } }),
    tried,
    {
      requestId: 'r-1',
      log: {
        error (fields) {
          logged.push(fields)
        }
      }
    }
  )
  return { judged, calls, logged, trials }
}

t.test('valid settings are tested for a connection of the trial, which keeps no effects', async t => {
  const { judged, calls, trials } = await tryWith(() => ({ message: 'Shop 7', warnings: ['slow'] }), settings)

  t.match(judged, {
    errors: { length: 0 },
    warnings: { length: 0 },
    test: { success: true, message: 'Shop 7', checks: [{ name: 'upstream' }, { name: 'warning', hint: 'slow' }] }
  })
  t.match(calls, [{
    snapshot: { id: 'trial', platformType: 'feed', config: { shop: 'a' }, credentials: { key: 'the-key' } },
    options: { requestId: 'r-1' }
  }])
  t.equal(calls[0]?.options.keep?.({ cursors: { feed: '1' }, jobs: [] }, 'trial'), undefined)
  t.strictSame(trials, ['begin {"key":"the-key"}', 'end'])
})

t.test('settings are tried as the connection would get them: with the initial values of its schema', async t => {
  const withInitial = Type.Object({ shop: Type.String(), tells: Type.Boolean({ default: false, initial: true }) })
  const { calls } = await tryWith(() => undefined, settings, { config: withInitial })

  t.match(calls, [{ snapshot: { config: { shop: 'a', tells: true } } }])
})

t.test('settings that are not valid are not tested', async t => {
  const found = await Promise.all([
    tryWith(t.fail, { config: {}, credentials: { key: 'the-key' } }),
    tryWith(t.fail, { config: { shop: 'a' }, credentials: { key: 'k' } }),
    tryWith(t.fail, { config: { shop: 'a' } })
  ])

  t.strictSame(found.map(({ judged: { errors } }) => errors.map(({ pointer, code }) => `${pointer} ${code}`)), [
    ['/config/shop required'],
    ['/credentials/key minLength'],
    ['/credentials required']
  ])
  t.notOk(found.some(({ judged }) => 'test' in judged))
  t.ok(found.every(({ trials }) => trials.length === 0))
})

t.test('an adapter that needs no credentials is tested without', async t => {
  const { judged } = await tryWith(() => undefined, { config: { shop: 'a' } }, { credentials: Type.Null() })

  t.match(judged, { errors: { length: 0 }, test: { success: true } })
})

t.test('an adapter without a connection test is not called', async t => {
  const { judged } = await tryWith(t.fail, settings, { described: { hasTest: false } })

  t.match(judged.test, { success: true, checks: [{ name: 'schema' }] })
})

t.test('a refusal is a result; the fault of an adapter is in the log and nowhere else', async t => {
  const refused = await tryWith(() => Promise.reject(new RejectedError('no such shop')), settings)
  const broken = await tryWith(() => Promise.reject(new TypeError('x is not a function')), settings)

  t.match(refused.judged, { errors: { length: 0 }, test: { success: false, message: 'no such shop' } })
  t.strictSame(refused.logged, [])
  t.match(broken.judged.test, { success: false, message: /log of the hub/ })
  t.match(broken.logged, [{ err: { message: 'x is not a function' }, adapter: 'feed.api.v1', connectionId: undefined }])
  t.strictSame([refused.trials.at(-1), broken.trials.at(-1)], ['end', 'end'])
})

t.test('renewed credentials are a warning', async t => {
  const { judged } = await tryWith(() => undefined, settings, {}, true)

  t.match(judged, { warnings: [{ pointer: '/credentials', code: 'renewed' }], test: { success: true } })
})

t.test('what an adapter says of the settings does not show their secrets', async t => {
  const quoting = answering(({ args }) => [{ pointer: '/shop', code: 'x', message: `no ${JSON.stringify(args)}` }])
  const adapter = fakeAdapter({ config, credentials, described: { checksConfig: true }, call: quoting })
  const { errors } = await checkSettings(adapter, { config: { shop: 'shop-7', feedKey: 'config-key' } })

  t.match(errors, [{ pointer: '/config/shop', message: /shop-7.*\[redacted\]/ }])
  t.notMatch(JSON.stringify(errors), 'config-key')
})
