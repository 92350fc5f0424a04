import { AuthenticationError, RejectedError } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { Adapters } from '../../src/adapters/adapters.ts'
import { readWebhookConnections } from '../../src/connections/store.ts'
import { createSealing } from '../../src/credentials/sealing.ts'
import { withRefused } from '../../src/jobs/refused-credentials.ts'
import { createInstalls } from '../../src/webhooks/installs.ts'
import { createSecrets } from '../../src/webhooks/secrets.ts'
import { listDoubtfulInstalls } from '../../src/webhooks/store.ts'
import { createSecretOpener } from '../../src/webhooks/stored-secrets.ts'
import { openConnections } from '../connections/open-connections.ts'
import { fakeAdapter } from '../connections/support.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'

interface Installation {
  callbackUrl: string
  secret: string
}

const adapter = fakeAdapter({
  config: Type.Object({ callbackBaseUrl: Type.String() }),
  described: { webhooks: { scheme: 'bearer', canInstall: true } }
})
const madeAt = new Date('2026-01-31T12:00:00.000Z')

t.test('installing webhooks', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { database } = jobs
  const { connections } = openConnections(jobs, [adapter])

  /** A connection whose platform answers an install like `install`; no hub is at the address. */
  async function open (
    install: (installation: Installation) => unknown = () => undefined,
    variables: [string, string][] = []
  ) {
    const { connection } = await connections.create({
      platformType: 'feed',
      name: 'Feed',
      config: { callbackBaseUrl: 'https://hub.example' }
    }, randomUUID())
    const { id } = connection
    const clock = { now: madeAt }
    const told: (Installation & { stored: number })[] = []
    const stored = async (): Promise<number> =>
      (await readWebhookConnections(database.query, [id]))[0]?.webhookSecrets.length ?? 0
    const call: Adapters['call'] = async (_adapter, snapshot, _target, [given]) => {
      const installation = given as Installation
      told.push({ ...installation, stored: await stored() })
      try {
        return install(installation)
      } catch (error) {
        throw snapshot === undefined ? error : withRefused(error, snapshot)
      }
    }
    const installs = createInstalls({
      database,
      connections,
      adapters: { call },
      sealing: createSealing({}),
      http: () => ({
        request: async () => ({ status: 404, headers: {}, body: '' }),
        json: () => Promise.reject(new Error('the answer is not read')),
        get: () => Promise.reject(new Error('the self-test posts'))
      }),
      variables: new Map(variables),
      now: () => clock.now
    })
    return { id, connection, clock, told, stored, ...installs }
  }

  t.test('the secret is stored before the platform is told: its first delivery may come at once', async t => {
    const { id, told, install, status } = await open()
    const installed = await install(id, 'r-1')

    t.match(told, [{ callbackUrl: `https://hub.example/webhooks/feed/${id}`, stored: 1 }])
    t.match(installed, { webhooksConfigured: true, testPingTriggered: false, warning: /404/ })
    t.match(await status(id), {
      webhooksConfigured: true,
      lastDeliveryAt: null,
      secretAgeSeconds: 0,
      testPingAt: madeAt.toISOString(),
      testPingProblem: /404/,
      installWarning: null,
      installWarningAt: null,
      callbackUrl: `https://hub.example/webhooks/feed/${id}`
    })
    t.match(await listDoubtfulInstalls(database.query, [id]), [{
      connectionId: id,
      pingedAt: madeAt.toISOString(),
      pingProblem: /404/,
      installWarning: null,
      warnedAt: null
    }])
  })

  t.test('the secret that the platform was told last is the newest one', async t => {
    const { id, told, install } = await open()
    await install(id, 'r-1')
    await install(id, 'r-2')
    const secretsOf = createSecrets({
      variables: new Map([['LINKER_WEBHOOK_SECRET__FEED', 'of the operator']]),
      open: createSecretOpener(createSealing({})),
      now: () => madeAt
    })
    const [stored] = await readWebhookConnections(database.query, [id])
    if (stored === undefined) throw new Error('the connection is not stored')

    t.equal(told.length, 2)
    t.equal(secretsOf(stored).newest?.key.export().toString(), told[1]?.secret)
  })

  t.test('what the adapter warns of is shortened, and shows no secret', async t => {
    const { id, told, install } = await open(({ secret }) => ({ warning: `${secret} ${'x'.repeat(1_000)}` }))
    const { warning = '' } = await install(id, 'r-1')

    t.match(warning, /^\[redacted\] x+; /)
    t.ok(warning.length < 700)
    t.notMatch(warning, told[0]?.secret)
  })

  t.test('a secret at the place where a warning is cut is hidden as a whole', async t => {
    const { id, told, install, status } = await open(({ secret }) => ({ warning: `${'x'.repeat(490)}${secret}` }))
    await install(id, 'r-1')
    const { installWarning } = await status(id)

    t.match(installWarning, /^x{490}\[redacted/)
    t.notMatch(installWarning, told[0]?.secret.slice(0, 10))
  })

  t.test("the adapter's warning is kept until an install ends without one", async t => {
    let warning: string | undefined = 'the platform did not\0 reach the hub'
    const { id, clock, install, status } = await open(() => ({ warning }))
    await install(id, 'r-1')
    const kept = { installWarning: 'the platform did not\ufffd reach the hub', installWarningAt: madeAt.toISOString() }
    t.match(await status(id), kept)
    t.match(await listDoubtfulInstalls(database.query, [id]), [{
      installWarning: kept.installWarning,
      warnedAt: kept.installWarningAt
    }])

    clock.now = new Date(madeAt.getTime() + 1_000)
    warning = undefined
    await install(id, 'r-2')
    t.match(await status(id), { installWarning: null, installWarningAt: null })
  })

  t.test('a platform that refuses is not configured, and the refusal shows no secret', async t => {
    const { id, told, install, configuredOf, connection } = await open(({ secret }) => {
      const fields = [{ pointer: '/secret', code: 'taken', message: `${secret} is taken` }]
      throw new RejectedError(`refused ${secret}`, { fields })
    })
    const error = await install(id, 'r-1').then(() => undefined, (thrown: unknown) => thrown)

    t.match(error, {
      code: 'LNK_ADAPTER_REJECTED',
      message: 'refused [redacted]',
      errors: [{ pointer: '/secret', message: '[redacted] is taken' }]
    })
    t.notMatch(String(error instanceof Error && error.stack), told[0]?.secret)
    t.strictSame([...await configuredOf([connection])], [])
    t.equal((await connections.get(id)).status, 'active')
  })

  t.test('refused credentials put the connection into error', async t => {
    const { id, install } = await open(({ secret }) => {
      throw new AuthenticationError(`the key does not fit ${secret}`)
    })

    await t.rejects(install(id, 'r-1'), { code: 'LNK_ADAPTER_AUTHENTICATION' })
    t.match(await connections.get(id), { status: 'error', statusReason: 'the key does not fit [redacted]' })
  })

  t.test('a test event is kept with the install whose secret it has, and its warning stays', async t => {
    const { id, clock, install, test, status } = await open(() => ({ warning: 'one address only' }))
    await install(id, 'r-1')
    clock.now = new Date(madeAt.getTime() + 60_000)
    const tested = await test(id)

    const testedAt = clock.now.toISOString()
    t.match(tested, {
      arrived: false,
      problem: /404/,
      callbackUrl: `https://hub.example/webhooks/feed/${id}`,
      testedAt
    })
    t.match(await status(id), {
      testPingAt: testedAt,
      testPingProblem: /404/,
      installWarning: 'one address only',
      installWarningAt: madeAt.toISOString()
    })
  })

  t.test('an empty secret of the environment is none', async t => {
    const { id, test } = await open(undefined, [['LINKER_WEBHOOK_SECRET__FEED', '']])
    await t.rejects(test(id), { code: 'LNK_WEBHOOK_NOT_INSTALLED' })
  })

  t.test('a secret in the environment configures the connections of its platform without an install', async t => {
    const { id, connection, configuredOf, status } = await open(undefined, [['LINKER_WEBHOOK_SECRET__FEED', 's']])
    const mail = { id: randomUUID(), platformType: 'mail' }

    t.strictSame([...await configuredOf([connection, mail])], [id])
    t.match(await status(id), { webhooksConfigured: true, secretAgeSeconds: null })
  })

  t.test('the age is that of the secret that the platform uses, even when a newer one was refused', async t => {
    let isRefusing = false
    const { id, clock, install, status } = await open(() => {
      if (isRefusing) throw new RejectedError('refused')
    })
    await install(id, 'r-1')
    isRefusing = true
    clock.now = new Date(madeAt.getTime() + 90_500)
    await t.rejects(install(id, 'r-2'), { code: 'LNK_ADAPTER_REJECTED' })

    t.match(await status(id), { webhooksConfigured: false, secretAgeSeconds: 90 })
  })
})
