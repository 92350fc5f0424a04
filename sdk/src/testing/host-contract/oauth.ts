import { deepStrictEqual, equal, match, notEqual, rejects } from 'node:assert/strict'
import { AdapterErrorCode } from '../../errors.ts'
import { credentialsOf, openProbe, type ContractTest } from './host-under-test.ts'
import type { ProbeCredentials, Step } from './steps.ts'

const token = (renewed: object, more: { during?: readonly Step[], rejected?: string } = {}): Step => ({
  do: 'token',
  renewed,
  ...more
})
const callers = 20

export const oauthContract: readonly ContractTest[] = [
  {
    name: 'a token that is valid for more than a minute is returned without a refresh',
    async run (host) {
      const probe = await openProbe(host, credentialsOf(host, 'good-token', 120_000))
      const before = host.count('refreshes')

      equal(await probe.ask(token(credentialsOf(host, 'new-token'))), 'good-token')

      equal(host.count('refreshes'), before)
    }
  },
  {
    name: 'one of many callers renews a token that expires within a minute, and all get the new one',
    async run (host) {
      const probe = await openProbe(host, credentialsOf(host, 'old-token', 59_000))
      const before = host.count('refreshes')

      const tokens = await Promise
        .all(Array.from({ length: callers }, (_, index) => probe.ask(token(credentialsOf(host, `new-token-${index}`)))))

      equal(host.count('refreshes'), before + 1)
      equal(new Set(tokens).size, 1)
      match(String(tokens[0]), /^new-token-/)
      equal(await probe.ask({ do: 'get', key: 'refreshed' }), 'old-token', 'refresh gets the stored credentials')
      equal((await host.credentials(probe.id) as ProbeCredentials).accessToken, tokens[0])
    }
  },
  {
    name: 'the next call gets the renewed credentials',
    async run (host) {
      const probe = await openProbe(host, credentialsOf(host, 'old-token', 0))
      const renewed = credentialsOf(host, 'new-token')
      await probe.ask(token(renewed))

      deepStrictEqual(await probe.run([{ do: 'credentials' }, token(credentialsOf(host, 'not-needed'))]), [
        renewed,
        'new-token'
      ])
    }
  },
  {
    name: 'the host stores renewed credentials before use, and nobody uses credentials that it refuses',
    async run (host) {
      const old = credentialsOf(host, 'old-token', 0)
      const probe = await openProbe(host, old)
      const { refreshToken: _missing, ...refused } = credentialsOf(host, 'refused-token')

      await rejects(probe.ask(token(refused)))

      deepStrictEqual(await host.credentials(probe.id), old)
      equal(await probe.ask(token(credentialsOf(host, 'new-token'))), 'new-token')
    }
  },
  {
    name: 'a refresh without a token is a configuration error, and the host stores nothing',
    async run (host) {
      const old = credentialsOf(host, 'old-token', 0)
      const probe = await openProbe(host, old)

      await rejects(probe.ask(token({ refreshToken: 'r' })), { code: AdapterErrorCode.configuration })

      deepStrictEqual(await host.credentials(probe.id), old)
    }
  },
  {
    name: 'a failed refresh leaves the stored credentials, and the next caller tries again',
    async run (host) {
      const old = credentialsOf(host, 'old-token', 0)
      const probe = await openProbe(host, old)

      await rejects(probe.ask(token(old, { during: [{ do: 'lose', message: 'no network' }] })), {
        code: AdapterErrorCode.transient,
        message: 'no network'
      })

      deepStrictEqual(await host.credentials(probe.id), old)
      equal(await probe.ask(token(credentialsOf(host, 'new-token'))), 'new-token')
    }
  },
  {
    name: 'when the first caller fails to refresh, the next one succeeds for all',
    async run (host) {
      const probe = await openProbe(host, credentialsOf(host, 'old-token', 0))
      const before = host.count('refreshes')
      const failing = probe
        .ask(token({}, {
          during: [{ do: 'set', key: 'begun', value: true }, { do: 'waitFor', key: 'go' }, {
            do: 'lose',
            message: 'no network'
          }]
        }))
      // Handle it from the start: it may fail before the test awaits it.
      const failed = rejects(failing, { code: AdapterErrorCode.transient })
      await probe.ask({ do: 'waitFor', key: 'begun' })
      const others = [1, 2, 3].map(() => probe.ask(token(credentialsOf(host, 'new-token'))))

      await probe.ask({ do: 'set', key: 'go', value: true })

      await failed
      deepStrictEqual(await Promise.all(others), ['new-token', 'new-token', 'new-token'])
      equal(host.count('refreshes'), before + 2)
    }
  },
  {
    name: 'a token that the platform rejected is renewed once, however many callers report it',
    async run (host) {
      const probe = await openProbe(host, credentialsOf(host, 'revoked-token'))
      const before = host.count('refreshes')
      const renew = (): Promise<unknown> =>
        probe.ask(token(credentialsOf(host, 'new-token'), { rejected: 'revoked-token' }))

      const tokens = await Promise.all(Array.from({ length: callers }, renew))

      deepStrictEqual([...new Set(tokens)], ['new-token'])
      equal(await renew(), 'new-token', 'a late caller gets the new token')
      equal(host.count('refreshes'), before + 1)
    }
  },
  {
    name: 'a token that another process has renewed meanwhile is used without a refresh, and kept out of logs',
    async run (host) {
      const probe = await openProbe(host, credentialsOf(host, 'old-token', 0))
      const before = host.count('refreshes')
      const call = probe.run([{ do: 'set', key: 'begun', value: true }, { do: 'waitFor', key: 'go' }, token({}), {
        do: 'log',
        level: 'info',
        fields: {},
        message: 'with token-of-another'
      }])
      await probe.ask({ do: 'waitFor', key: 'begun' })

      await host.setCredentials(probe.id, credentialsOf(host, 'token-of-another'))
      await probe.ask({ do: 'set', key: 'go', value: true })

      equal((await call)[2], 'token-of-another')
      equal(host.count('refreshes'), before)
      deepStrictEqual(
        host.logs.filter(({ fields }) => 'connectionId' in fields && fields.connectionId === probe.id).map(
          ({ message }) => message
        ),
        ['with [redacted]']
      )
    }
  },
  {
    name: 'when the platform refuses a refresh, credentials that were stored meanwhile are used instead',
    async run (host) {
      const probe = await openProbe(host, credentialsOf(host, 'old-token', 0))
      const before = host.count('refreshes')
      const call = probe
        .ask(token({}, {
          during: [{ do: 'set', key: 'begun', value: true }, { do: 'waitFor', key: 'go' }, {
            do: 'refuse',
            message: 'the refresh token was used before'
          }]
        }))
      await probe.ask({ do: 'waitFor', key: 'begun' })

      await host.setCredentials(probe.id, credentialsOf(host, 'token-of-another'))
      await probe.ask({ do: 'set', key: 'go', value: true })

      equal(await call, 'token-of-another')
      equal(host.count('refreshes'), before + 1)
    }
  },
  {
    name: 'a refused refresh fails unless somebody has stored other, valid credentials',
    async run (host) {
      const refusal = { code: AdapterErrorCode.authentication, message: 'the grant is revoked' }
      const refuse: Step = { do: 'refuse', message: refusal.message }
      const probe = await openProbe(host, credentialsOf(host, 'old-token', 0))
      const before = host.count('refreshes')
      const call = probe
        .ask(token({}, { during: [{ do: 'set', key: 'begun', value: true }, { do: 'waitFor', key: 'go' }, refuse] }))
      // Handle it from the start: it may fail before the test awaits it.
      const failed = rejects(call, refusal)
      await probe.ask({ do: 'waitFor', key: 'begun' })
      await host.setCredentials(probe.id, credentialsOf(host, 'expired-too', 0))
      await probe.ask({ do: 'set', key: 'go', value: true })
      await failed
      equal(host.count('refreshes'), before + 1)
      equal(await probe.ask(token(credentialsOf(host, 'new-token'))), 'new-token', 'the refusal was not about these')
    }
  },
  {
    name: 'later calls with refused credentials get the refusal, without secrets, and do not ask again',
    async run (host) {
      const refusal = { code: AdapterErrorCode.authentication, message: 'the grant of [redacted] is revoked' }
      const refuse: Step = { do: 'refuse', message: 'the grant of refresh-of-old-token is revoked' }
      const probe = await openProbe(host, credentialsOf(host, 'old-token', 0))
      const before = host.count('refreshes')

      await rejects(probe.ask(token({}, { during: [refuse] })), refusal)
      await rejects(probe.ask(token(credentialsOf(host, 'new-token'))), refusal)
      equal(host.count('refreshes'), before + 1)

      await host.setCredentials(probe.id, credentialsOf(host, 'expired-too', 0))
      equal(await probe.ask(token(credentialsOf(host, 'new-token'))), 'new-token')
      equal(host.count('refreshes'), before + 2)
    }
  },
  {
    name: 'calls that wait for a refused refresh get the refusal and do not ask again',
    async run (host) {
      const refusal = { code: AdapterErrorCode.authentication, message: 'the grant is revoked' }
      const refuse: Step = { do: 'refuse', message: refusal.message }
      const probe = await openProbe(host, credentialsOf(host, 'old-token', 0))
      const before = host.count('refreshes')
      const asking = rejects(
        probe
          .ask(token({}, { during: [{ do: 'set', key: 'begun', value: true }, { do: 'waitFor', key: 'go' }, refuse] })),
        refusal
      )
      await probe.ask({ do: 'waitFor', key: 'begun' })

      const waiting = ['one', 'two'].map(key =>
        rejects(probe.run([{ do: 'set', key, value: true }, token({}, { during: [refuse] })]), refusal)
      )
      for (const key of ['one', 'two']) await probe.ask({ do: 'waitFor', key })
      await probe.ask({ do: 'set', key: 'go', value: true })
      await Promise.all([asking, ...waiting])

      equal(host.count('refreshes'), before + 1)
    }
  },
  {
    name: 'a rejected refresh is a refusal of the credentials, because token endpoints answer 400 for a spent token',
    async run (host) {
      const refusal = { code: AdapterErrorCode.authentication, message: /does not renew the token: answered 400$/ }
      const probe = await openProbe(host, credentialsOf(host, 'old-token', 0))
      const before = host.count('refreshes')

      await rejects(probe.ask(token({}, { during: [{ do: 'fail', message: 'answered 400' }] })), refusal)
      await rejects(probe.ask(token(credentialsOf(host, 'new-token'))), refusal)
      equal(host.count('refreshes'), before + 1)
    }
  },
  {
    name: 'a refusal names the credentials that its call used last',
    async run (host) {
      const probe = await openProbe(host, credentialsOf(host, 'old-token', 0))
      const refuse: Step = { do: 'refuse', message: 'the key is refused' }
      const refusedIn = async (...steps: Step[]): Promise<unknown> =>
        probe.run(steps).then(() => undefined, (error: object) => Reflect.get(error, 'credentialsVersion'))
      const before = await refusedIn(refuse)
      const renewed = await refusedIn(token(credentialsOf(host, 'new-token')), refuse)

      equal(typeof before, 'string')
      notEqual(renewed, before)
      equal(await refusedIn(refuse), renewed)

      const another = token(credentialsOf(host, 'another-token'), { rejected: 'new-token' })
      const within = await refusedIn({ do: 'call', steps: [another, refuse] })
      notEqual(within, renewed, 'an own capability has renewed them')
      equal(await refusedIn(refuse), within)
    }
  },
  {
    name: 'credentials that were stored during a successful refresh stay, and are used',
    async run (host) {
      const probe = await openProbe(host, credentialsOf(host, 'old-token', 0))
      const call = probe
        .ask(token(credentialsOf(host, 'new-token'), {
          during: [{ do: 'set', key: 'begun', value: true }, { do: 'waitFor', key: 'go' }]
        }))
      await probe.ask({ do: 'waitFor', key: 'begun' })

      await host.setCredentials(probe.id, credentialsOf(host, 'token-of-another'))
      await probe.ask({ do: 'set', key: 'go', value: true })

      equal(await call, 'token-of-another')
      equal((await host.credentials(probe.id) as ProbeCredentials).accessToken, 'token-of-another')
    }
  },
  {
    name: 'a refresh does not notice that its call was aborted',
    async run (host) {
      const probe = await openProbe(host, credentialsOf(host, 'old-token', 0))
      const controller = new AbortController()
      const call = probe.ask(
        token(credentialsOf(host, 'new-token'), {
          during: [{ do: 'set', key: 'begun', value: true }, { do: 'waitFor', key: 'go' }, {
            do: 'isAborted',
            key: 'seen'
          }]
        }),
        { signal: controller.signal }
      )
      // Handle it from the start: it may fail before the test awaits it.
      const ended = call.catch(() => undefined)
      await probe.ask({ do: 'waitFor', key: 'begun' })

      controller.abort()
      await probe.ask({ do: 'set', key: 'go', value: true })
      await ended

      await probe.ask({ do: 'waitFor', key: 'seen' })
      equal(await probe.ask({ do: 'get', key: 'seen' }), 'no')
    }
  },
  {
    name: 'connections renew their tokens independently',
    async run (host) {
      const [one, other] = [
        await openProbe(host, credentialsOf(host, 'one-old', 0)),
        await openProbe(host, credentialsOf(host, 'other-old', 0))
      ]
      const waiting = one
        .ask(token(credentialsOf(host, 'one-new'), {
          during: [{ do: 'set', key: 'begun', value: true }, { do: 'waitFor', key: 'go' }]
        }))
      await one.ask({ do: 'waitFor', key: 'begun' })

      equal(await other.ask(token(credentialsOf(host, 'other-new'))), 'other-new')

      await one.ask({ do: 'set', key: 'go', value: true })
      equal(await waiting, 'one-new')
    }
  }
]
