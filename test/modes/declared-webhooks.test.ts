import { createHmac, randomUUID } from 'node:crypto'
import t from 'tap'
import { eventually, type Answer } from '../support/api.ts'
import { feedshopManifest } from '../support/feedshop.ts'
import { buildTestHub, type TestHub } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'
import type { ForeignPackage } from '../support/project.ts'

const secret = 'of-the-feed'

/** Sends, signs and checks its webhooks in its own way. */
const feed: ForeignPackage = {
  manifest: feedshopManifest(),
  source: `
    import { defineAdapter } from '@linker/sdk'
    export default defineAdapter({
      config: { type: 'object', properties: { verifyToken: { type: 'string', secret: true } } },
      credentials: { type: 'null' },
      connect: () => ({}),
      account: async () => undefined,
      capabilities: {},
      webhooks: {
        verify: {
          kind: 'hmac',
          algorithm: 'sha256',
          encoding: 'hex',
          signature: { header: 'x-feed-signature' },
          signed: ['body']
        },
        source: {
          topic: { body: '/topic' },
          externalId: { body: '/id' },
          eventId: { body: '/event' },
          eventTypes: { 'carts/update': null }
        },
        challenges: [{
          method: 'GET',
          when: [{ query: 'challenge' }],
          token: { at: { query: 'token' }, config: 'verifyToken' },
          answer: { text: { query: 'challenge' } }
        }],
        accepted: { status: 200, text: 'OK' }
      }
    })`
}

/** A version whose function knows the platform by a header of its own, and hangs on a body. */
function judging (version: string, name: string): ForeignPackage {
  return {
    manifest: feedshopManifest({ name, version }),
    source: `
      import { defineAdapter } from '@linker/sdk'
      export default defineAdapter({
        config: { type: 'object' },
        credentials: { type: 'null' },
        connect: () => ({}),
        account: async () => undefined,
        capabilities: {},
        webhooks: {
          verify: {
            kind: 'function',
            isGenuine ({ rawBody, headers, secrets }) {
              if (new TextDecoder().decode(rawBody).includes('"hang"')) for (;;);
              return headers['x-proof'] === '${version} ' + secrets[0]
            }
          },
          source: { topic: { body: '/topic' }, externalId: { body: '/id' } }
        }
      })`
  }
}

async function connectFeed (hub: TestHub, more: object = {}): Promise<string> {
  const { status, json, text } = await hub.call('POST', '/connections', {
    body: { name: 'Feed', platformType: 'feedshop', config: { verifyToken: 'entered' }, ...more }
  })
  if (status !== 201) throw new Error(text)
  return (json as { id: string }).id
}

function deliverTo (hub: TestHub, connectionId: string, topic: string): Promise<Answer> {
  const body = JSON.stringify({ topic, id: '27', event: randomUUID() })
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  return hub.call('POST', `/webhooks/feedshop/${connectionId}`, {
    headers: { 'x-feed-signature': signature },
    body
  })
}

const config = { adapters: ['@acme/adapter-feedshop-v1'] }
const variables = { LINKER_WEBHOOK_SECRET__FEEDSHOP: secret }

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: an unwanted event is accepted, kept nowhere, and needs nobody`, async t => {
    const hub = await buildTestHub(t, { mode, packages: [feed], config, variables })
    const connectionId = await connectFeed(hub)
    const ignored = async (topic: string) => {
      const { status, text, headers } = await deliverTo(hub, connectionId, topic)
      return [status, text, headers['x-linker-ignored']]
    }

    for (let index = 0; index < 4; index++) {
      t.strictSame(await ignored('carts/update'), [200, 'OK', 'unwanted-event-type'])
    }
    t.strictSame(await ignored('users/create'), [200, 'OK', 'unknown-event-type'])
    const log = await eventually('the event of the unknown topic', async () => {
      const { json } = await hub.call('GET', `/webhook-deliveries?connectionId=${connectionId}`)
      return (json as object[]).length > 0 ? json : undefined
    })
    t.match(log, [{ eventType: /^unmapped\.users_create/, ignored: 'unknown event type' }])
    t.equal((log as object[]).length, 1)
    const { json } = await hub.call('GET', '/attention')
    t.notOk(JSON.stringify(json).includes('ignored-events'))
    const status = await eventually('the last delivery', async () => {
      const { json } = await hub.call('GET', `/connections/${connectionId}/webhooks/status`)
      return (json as { lastDeliveryAt: string | null }).lastDeliveryAt === null ? undefined : json
    })
    t.match(status, { lastDeliveryResult: 'ignored' })
  })

  t.test(`${mode}: a challenge is answered by the token of today, also while the adapter is away`, async t => {
    const hub = await buildTestHub(t, { mode, packages: [feed], config, variables })
    const connectionId = await connectFeed(hub)
    const ask = async (token: string) => {
      const address = `/webhooks/feedshop/${connectionId}?token=${token}&challenge=c-7`
      const { status, text, headers } = await hub.call('GET', address)
      return status === 200 ? [status, text, headers['content-type']] : [status]
    }
    const answered = [200, 'c-7', 'text/plain; charset=utf-8']

    t.strictSame(await ask('entered'), answered)
    t.match(
      await hub.call('PATCH', `/connections/${connectionId}`, { body: { config: { verifyToken: 'another' } } }),
      { status: 200 }
    )
    t.strictSame(await ask('entered'), [401])
    t.strictSame(await ask('another'), answered)
    await hub.restart({ config: { adapters: [] }, variables })
    t.strictSame(await ask('another'), answered)
    t.match(await hub.call('PATCH', `/connections/${connectionId}/disable`), { status: 200 })
    t.strictSame(await ask('another'), [404])
  })

  t.test(`${mode}: only the version that a connection pins judges its deliveries`, async t => {
    const [one, two] = ['@acme/adapter-feedshop-v1', '@acme/adapter-feedshop-next']
    const packages = [judging('1.0.0', one), judging('1.1.0', two)]
    const hub = await buildTestHub(t, { mode, packages, config: { adapters: [one, two] }, variables })
    const [pinned, newest] = [
      await connectFeed(hub, { name: 'Pinned', adapterVersion: '1.0.0' }),
      await connectFeed(hub, { name: 'Newest' })
    ]
    const deliver = (connectionId: string, version: string, topic = 'stock.changed') =>
      hub.call('POST', `/webhooks/feedshop/${connectionId}`, {
        headers: { 'x-proof': `${version} ${secret}` },
        body: { topic, id: randomUUID() }
      })
    // On a busy machine the start of a thread may last longer than a sender waits.
    const statusOf = (...sent: Parameters<typeof deliver>): Promise<number> =>
      eventually('a verdict', async () => {
        const { status } = await deliver(...sent)
        return status === 503 ? undefined : status
      })

    t.strictSame([await statusOf(pinned, '1.0.0'), await statusOf(pinned, '1.1.0')], [202, 401])
    t.strictSame([await statusOf(newest, '1.0.0'), await statusOf(newest, '1.1.0')], [401, 202])
    const [hung, other] = await Promise.all([deliver(newest, '1.1.0', 'hang'), statusOf(pinned, '1.0.0')])
    t.match(hung, { status: 503, headers: { 'retry-after': /./ }, json: { code: 'LNK_WEBHOOK_PROOF_UNAVAILABLE' } })
    t.equal(other, 202)
    t.equal(await statusOf(newest, '1.1.0'), 202, 'its thread was started again')
    await hub.restart({ config: { adapters: [two] }, variables })
    t.match(await deliver(pinned, '1.0.0'), { status: 503, headers: { 'retry-after': /./ } })
    t.equal(await statusOf(newest, '1.1.0'), 202)
  })
}
