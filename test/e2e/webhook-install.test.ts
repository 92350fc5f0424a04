import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { eventually } from '../support/api.ts'
import { buildTestHub, type Job, type TestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import { pointersOf, problemOf } from '../support/problem.ts'
import type { ForeignPackage } from '../support/project.ts'

const nowhere = '00000000-0000-4000-8000-000000000000'
const dayMs = 86_400_000

/** A marketplace that calls the hub with the secret it was given, and sends whole orders. */
const hookmarket: ForeignPackage = {
  manifest: {
    name: '@acme/adapter-hookmarket-v1',
    version: '1.0.0',
    engines: { linker: '^0.1.0' },
    linker: {
      adapterKey: 'hookmarket.api.v1',
      platformType: 'hookmarket',
      displayName: 'Hookmarket',
      capabilities: [],
      // eslint-disable-next-line no-template-curly-in-string
      permissions: { http: ['${config.baseUrl}'], jobs: ['hookmarket.*'] }
    }
  },
  source: `
    import { AuthenticationError, defineAdapter, RejectedError } from '@linker/sdk'
    export default defineAdapter({
      config: { type: 'object', properties: { baseUrl: { type: 'string' }, callbackBaseUrl: { type: 'string' } } },
      credentials: { type: 'null' },
      connect: ({ config, http }) => http({ baseUrl: config.baseUrl, retries: 0 }),
      webhooks: {
        scheme: 'bearer',
        events: { 'order.changed': 'hookmarket.order.read' },
        body: { eventType: 'order.changed', objectType: 'order', externalId: '/id' },
        async install (client, { callbackUrl, secret }, { log }) {
          log.info({ hook: { secret } }, 'installing with ' + secret)
          for (const name of ['orderCreated', 'orderStatusChanged']) {
            const { status, body } = await client.request({
              method: 'PUT',
              path: 'hooks/' + name,
              body: { url: callbackUrl, accessToken: secret },
              accept: [401, 422, 500]
            })
            if (status === 401) throw new AuthenticationError('the key was refused: ' + body)
            const fields = [{ pointer: '/accessToken', code: 'taken', message: body }]
            if (status === 422) throw new RejectedError('refused: ' + body, { fields })
            if (status === 500) throw new TypeError('what is this: ' + body)
          }
          return { warning: 'one url per hook' }
        }
      },
      account: async () => undefined,
      capabilities: {},
      jobs: { 'hookmarket.order.read': { payload: { type: 'object' }, run: async () => ({ result: 'read' }) } }
    })`
}

/** An adapter that leaves the webhooks to the operator. */
const mailshop: ForeignPackage = {
  manifest: {
    name: '@acme/adapter-mailshop-v1',
    version: '1.0.0',
    engines: { linker: '^0.1.0' },
    linker: { adapterKey: 'mailshop.api.v1', platformType: 'mailshop', displayName: 'Mailshop', capabilities: [] }
  },
  source: `
    import { defineAdapter } from '@linker/sdk'
    export default defineAdapter({
      config: { type: 'object' },
      credentials: { type: 'null' },
      connect: () => ({}),
      webhooks: { scheme: 'hmac' },
      account: async () => undefined,
      capabilities: {}
    })`
}

interface Hook {
  name: string
  url: string
  accessToken: string
}

/**
 * A platform that registers hooks, newest last. It answers each request with the hook that it was
 * sent, after `delayMs`. `refusals`: the statuses of the next answers.
 */
async function startPlatform (t: Test) {
  const hooks: Hook[] = []
  const refusals: number[] = []
  const platform = { hooks, refusals, delayMs: 0, latest: () => hooks.at(-1)?.accessToken ?? '' }
  const server = createServer((request, response) => {
    json(request).then(body => {
      const hook = { name: request.url?.split('/').at(-1) ?? '', ...body as Omit<Hook, 'name'> }
      const status = refusals.shift() ?? 201
      if (status === 201) hooks.push(hook)
      setTimeout(() => {
        response.writeHead(status).end(JSON.stringify(hook))
      }, platform.delayMs)
    }, () => {
      response.destroy()
    })
  })
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.teardown(() =>
    new Promise(resolve => {
      server.close(resolve)
    })
  )
  return Object.assign(platform, { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}

async function open (t: Test) {
  const clock = { aheadMs: 0 }
  const credentialsKey = `k1:${randomBytes(32).toString('base64')}`
  const hub = await buildTestHub(t, {
    mode: cheapestMode(process.env),
    packages: [hookmarket, mailshop],
    config: { adapters: ['@linker/adapter-shopa-v1', '@acme/adapter-hookmarket-v1', '@acme/adapter-mailshop-v1'] },
    variables: { LINKER_CREDENTIALS_KEY: credentialsKey },
    now: () => new Date(Date.now() + clock.aheadMs)
  })
  return { hub, clock, platform: await startPlatform(t) }
}

async function connect (hub: TestHub, config: object, platformType = 'hookmarket'): Promise<string> {
  const { json, text } = await hub.call('POST', '/connections', { body: { name: 'Market', platformType, config } })
  if (json === undefined) throw new Error(text)
  return (json as { id: string }).id
}

const install = (hub: TestHub, id: string) => hub.call('POST', `/connections/${id}/webhooks/install`)
const test = (hub: TestHub, id: string) => hub.call('POST', `/connections/${id}/webhooks/test`)
const statusOf = async (hub: TestHub, id: string) =>
  (await hub.call('GET', `/connections/${id}/webhooks/status`)).json as Record<string, unknown>
const isConfigured = async (hub: TestHub, id: string) =>
  ((await hub.call('GET', `/connections/${id}`)).json as { webhooksConfigured: boolean }).webhooksConfigured

/** Delivers as the platform does; answers the status. */
async function send (hub: TestHub, id: string, token: string, body: object): Promise<number> {
  return (await hub.call('POST', `/webhooks/hookmarket/${id}`, { headers: { authorization: `Bearer ${token}` }, body }))
    .status
}

t.test('webhooks are installed, rotated and withdrawn', async t => {
  const { hub, clock, platform } = await open(t)
  const id = await connect(hub, { baseUrl: platform.baseUrl, callbackBaseUrl: `${hub.url}/` })
  t.equal(await isConfigured(hub, id), false)
  t.strictSame(await statusOf(hub, id), {
    webhooksConfigured: false,
    lastDeliveryAt: null,
    lastDeliveryEvent: null,
    lastDeliveryResult: null,
    secretAgeSeconds: null,
    testPingAt: null,
    testPingProblem: null,
    installWarning: null,
    installWarningAt: null,
    callbackUrl: `${hub.url}/webhooks/hookmarket/${id}`
  })

  t.test('the platform gets the address and a secret, and a test event comes back', async t => {
    const answer = await install(hub, id)
    t.equal(answer.status, 200)
    t.strictSame(answer.json, { webhooksConfigured: true, testPingTriggered: true, warning: 'one url per hook' })
    t.strictSame(
      platform.hooks.map(({ name, url }) => [name, url]),
      ['orderCreated', 'orderStatusChanged'].map(name => [name, `${hub.url}/webhooks/hookmarket/${id}`])
    )
    t.match(platform.latest(), /^[A-Za-z0-9_-]{43}$/)
    t.equal(await isConfigured(hub, id), true)

    const seen = await eventually('the test event', async () => {
      const status = await statusOf(hub, id)
      return status.lastDeliveryAt === null ? undefined : status
    })
    t.match(seen, {
      webhooksConfigured: true,
      lastDeliveryEvent: 'test.ping',
      lastDeliveryResult: 'ignored',
      secretAgeSeconds: Number,
      testPingAt: /Z$/,
      testPingProblem: null,
      installWarning: 'one url per hook',
      installWarningAt: /Z$/
    })
    const { findings } = (await hub.call('GET', `/connections/${id}/diagnostics`)).json as {
      findings: { code: string }[]
    }
    t.ok(
      findings.some(({ code }) => code === 'webhooks-unreached'),
      'the test event of the hub proves nothing about the platform'
    )
  })

  t.test('another test event comes back, without a new secret', async t => {
    const hooks = platform.hooks.length
    const { status, json } = await test(hub, id)

    t.equal(status, 200)
    t.match(json, { arrived: true, problem: null, callbackUrl: `${hub.url}/webhooks/hookmarket/${id}` })
    t.equal(platform.hooks.length, hooks)
    const { testedAt } = json as { testedAt: string }
    t.match(await statusOf(hub, id), { testPingAt: testedAt, testPingProblem: null })
  })

  t.test('each delivery makes the hub look at the order: none has an id or a signed time', async t => {
    t.strictSame([
      await send(hub, id, platform.latest(), { id: 17, status: 'new' }),
      await send(hub, id, platform.latest(), { id: 17, status: 'new' }),
      await send(hub, id, platform.latest(), { id: 17, status: 'paid' })
    ], [202, 202, 202])

    const jobs = await eventually('the end of three jobs', async () => {
      const found = (await hub.call('GET', `/jobs?connectionId=${id}`))
        .json as (Job & { payload: { externalId: string } })[]
      return found.length > 2 && found.every(({ finishedAt }) => finishedAt !== null) ? found : undefined
    })
    t.equal(jobs.length, 3)
    t.ok(jobs.every(({ payload }) => payload.externalId === '17'))
    await eventually('what became of the last', async () => {
      const { lastDeliveryEvent, lastDeliveryResult } = await statusOf(hub, id)
      return lastDeliveryEvent === 'order.changed' && lastDeliveryResult === 'succeeded' ? true : undefined
    })
  })

  t.test('a replaced secret is good for a day, an unknown one never', async t => {
    const old = platform.latest()
    t.equal((await install(hub, id)).status, 200)
    t.equal(platform.hooks.length, 4)
    t.not(platform.latest(), old)
    clock.aheadMs = dayMs - 60_000
    t.equal(await send(hub, id, old, { id: 1 }), 202)

    clock.aheadMs = dayMs + 1_000
    t.equal(await send(hub, id, old, { id: 2 }), 401)
    t.equal(await send(hub, id, platform.latest(), { id: 2 }), 202)
    t.equal(await send(hub, id, `${old}x`, {}), 401)
  })

  t.test('simultaneous installs run one after the other, and the last secret of the platform is valid', async t => {
    platform.delayMs = 100
    const answers = await Promise.all([install(hub, id), install(hub, id), install(hub, id)])
    platform.delayMs = 0

    t.strictSame(answers.map(({ status }) => status), [200, 200, 200])
    const secrets = platform.hooks.slice(-6).map(({ accessToken }) => accessToken)
    t.ok(
      secrets.every((secret, index) => secret === secrets[index - index % 2]),
      'both hooks of one before the first of the next'
    )
    clock.aheadMs += 2 * dayMs
    t.equal(await send(hub, id, platform.latest(), { id: 3 }), 202)
  })

  t.test('the secrets of the last five installs are good', async t => {
    for (let count = 0; count < 5; count += 1) await install(hub, id)
    const secrets = [...new Set(platform.hooks.map(({ accessToken }) => accessToken))].slice(-6)

    t.strictSame(await Promise.all(secrets.map((secret, index) => send(hub, id, secret, { id: `many-${index}` }))), [
      401,
      202,
      202,
      202,
      202,
      202
    ])
  })

  t.test('a restarted hub knows these secrets', async t => {
    await hub.restart({
      config: { adapters: ['@acme/adapter-hookmarket-v1'] },
      now: () => new Date(Date.now() + clock.aheadMs),
      variables: { LINKER_CREDENTIALS_KEY: `k2:${randomBytes(32).toString('base64')}` }
    })
    t.equal(
      await send(hub, id, platform.latest(), { id: 4 }),
      500,
      'with another key it cannot read them, which is not the fault of the sender'
    )
  })

  t.test('a disabled connection accepts no webhooks and installs none', async t => {
    await hub.call('PATCH', `/connections/${id}/disable`)

    t.equal(await send(hub, id, platform.latest(), { id: 5 }), 404)
    t.match(problemOf(await install(hub, id)), { status: 400, code: 'LNK_CONNECTION_DISABLED' })
  })

  t.test('no secret is in the log or, in plain, in the database', async t => {
    const secrets = [...new Set(platform.hooks.map(({ accessToken }) => accessToken))]
    const rows = JSON.stringify(await hub.database().query('select * from webhook_secrets'))
    const events = JSON.stringify(await hub.database().query('select fields from stream_messages'))

    t.strictSame(secrets.filter(secret => [hub.log.join('\n'), rows, events].some(text => text.includes(secret))), [])
    t.match(rows, 'ciphertext')
  })
})

t.test('after a refusal by the platform the install can be repeated', async t => {
  const { hub, clock, platform } = await open(t)
  const config = { baseUrl: platform.baseUrl, callbackBaseUrl: hub.url }
  const id = await connect(hub, config)

  platform.refusals.push(422)
  const refused = await install(hub, id)
  t.match(problemOf(refused), { status: 400, code: 'LNK_ADAPTER_REJECTED', detail: /^refused: / })
  t.strictSame(pointersOf(refused), ['/accessToken'])
  t.equal(await isConfigured(hub, id), false)

  platform.refusals.push(201, 500)
  const halfway = await install(hub, id)
  t.match(problemOf(halfway), { status: 500, code: 'LNK_ADAPTER_FAILED' })
  t.equal(await send(hub, id, platform.latest(), { id: 1 }), 202, 'the first hook has this secret')
  t.equal(await isConfigured(hub, id), false)

  t.equal((await install(hub, id)).status, 200)
  t.equal(await isConfigured(hub, id), true)
  const installed = platform.latest()

  platform.refusals.push(401)
  const unauthorized = await install(hub, id)
  t.match(problemOf(unauthorized), { status: 502, code: 'LNK_ADAPTER_AUTHENTICATION' })
  t.match((await hub.call('GET', `/connections/${id}`)).json, { status: 'error', webhooksConfigured: false })
  clock.aheadMs = 2 * dayMs
  t.equal(
    await send(hub, id, installed, { id: 2 }),
    202,
    'the platform still has the secret of the last install that succeeded'
  )

  for (const answer of [refused, halfway, unauthorized]) t.notMatch(answer.text, /[A-Za-z0-9_-]{43}/)
  t.notMatch(hub.log.join('\n'), /accessToken[\\":]+[A-Za-z0-9_-]{43}/)
})

t.test('a refused install names its reason', async t => {
  const { hub, platform } = await open(t)

  t.test('a missing or invalid address', async t => {
    for (
      const callbackBaseUrl of [
        undefined,
        '',
        'hub.example',
        'ftp://hub.example',
        'https://a:b@hub.example',
        'https://hub.example/?a=b'
      ]
    ) {
      const answer = await install(
        hub,
        await connect(hub, { baseUrl: platform.baseUrl, ...(callbackBaseUrl === undefined ? {} : { callbackBaseUrl }) })
      )
      t.match(problemOf(answer), { status: 400, code: 'LNK_CONNECTION_INVALID' }, String(callbackBaseUrl))
      t.strictSame(pointersOf(answer), ['/config/callbackBaseUrl'])
    }
    t.equal(platform.hooks.length, 0)
  })

  t.test('an adapter without installs, with what to do instead, and an unknown connection', async t => {
    const [shop, mail] = [await hub.connect('shopa'), await connect(hub, {}, 'mailshop')]

    t.match(problemOf(await install(hub, mail)), {
      status: 400,
      code: 'LNK_WEBHOOK_INSTALL_UNSUPPORTED',
      detail: new RegExp(`LINKER_WEBHOOK_SECRET__MAILSHOP__${mail.replaceAll('-', '').toUpperCase()}`)
    })
    t.equal(await isConfigured(hub, shop), true, 'the environment has its secret')
    for (
      const answer of [await install(hub, nowhere), await hub.call('GET', `/connections/${nowhere}/webhooks/status`)]
    ) t.match(problemOf(answer), { status: 404, code: 'LNK_CONNECTION_NOT_FOUND' })
  })

  t.test('a test event needs an address, a secret and a connection that is on', async t => {
    const mail = await connect(hub, { callbackBaseUrl: hub.url }, 'mailshop')
    t.match(problemOf(await test(hub, mail)), {
      status: 409,
      code: 'LNK_WEBHOOK_NOT_INSTALLED',
      detail: new RegExp(`LINKER_WEBHOOK_SECRET__MAILSHOP__${mail.replaceAll('-', '').toUpperCase()}`)
    })
    const away = await test(hub, await connect(hub, { baseUrl: platform.baseUrl }))
    t.match(problemOf(away), { status: 400, code: 'LNK_CONNECTION_INVALID' })
    t.strictSame(pointersOf(away), ['/config/callbackBaseUrl'])
    await hub.call('PATCH', `/connections/${mail}`, { body: { status: 'disabled' } })
    t.match(problemOf(await test(hub, mail)), { status: 400, code: 'LNK_CONNECTION_DISABLED' })
    t.match(problemOf(await test(hub, nowhere)), { status: 404, code: 'LNK_CONNECTION_NOT_FOUND' })
  })

  t.test('a test event with the secret of the environment', async t => {
    const shop = await hub.connect('shopa', { config: { baseUrl: 'http://127.0.0.1:1', callbackBaseUrl: hub.url } })
    t.match((await test(hub, shop)).json, { arrived: true, problem: null })
    const lost = await hub.connect('shopa', {
      config: { baseUrl: 'http://127.0.0.1:1', callbackBaseUrl: `${hub.url}/x` }
    })
    t.match((await test(hub, lost)).json, { arrived: false, problem: /answered 404/ })
    t.match(await statusOf(hub, lost), { testPingAt: null }, 'there is no install whose test this would be')
  })

  t.test('an address at which the hub does not find itself is a warning', async t => {
    const cases: [string, RegExp][] = [[platform.baseUrl, /answered 201/], [`${hub.url}/elsewhere`, /answered 404/], [
      'http://127.0.0.1:1',
      /did not reach its own address/
    ], ['http://10.0.0.1', /refused \(private\)/]]
    for (const [callbackBaseUrl, warning] of cases) {
      const answer = await install(hub, await connect(hub, { baseUrl: platform.baseUrl, callbackBaseUrl }))
      t.match(answer.json, { webhooksConfigured: true, testPingTriggered: false, warning }, callbackBaseUrl)
      t.notMatch(answer.text, platform.latest())
    }
  })
})
