import t, { type Test } from 'tap'
import { feedshopManifest } from '../support/feedshop.ts'
import { buildTestHub, type TestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import { pointersOf, problemOf } from '../support/problem.ts'
import type { ForeignPackage } from '../support/project.ts'

/**
 * A feed whose authorisation makes its connections. `worked` counts the authorisations that were
 * completed.
 */
const feed: ForeignPackage = {
  manifest: feedshopManifest({ permissions: { routes: true, connections: true } }),
  source: `
    import { setTimeout as sleep } from 'node:timers/promises'
    import { defineAdapter, RejectedError } from '@linker/sdk'
    let worked = 0
    export default defineAdapter({
      config: {
        type: 'object',
        properties: { environment: { enum: ['sandbox', 'production'] } },
        required: ['environment']
      },
      credentials: { type: 'object', properties: { token: { type: 'string', secret: true } }, required: ['token'] },
      connect: ({ credentials }) => credentials,
      account: async () => undefined,
      capabilities: {},
      routes: [
        {
          method: 'POST', path: '/begin', auth: 'admin',
          handler: async ({ body }, { flows }) => ({ body: { state: await flows.begin(body, { ttlSeconds: 60 }) } })
        },
        {
          method: 'GET', path: '/end', auth: 'public',
          async handler ({ query: { state, code } }, { flows, connections, log }) {
            const made = await flows.complete(state, async ({ environment, verifier }) => {
              worked += 1
              log.info({ state, verifier, code }, 'verified with ' + verifier)
              await sleep(200)
              const token = 'token-for-' + verifier
              return connections.create({ name: 'Feed', config: { environment }, credentials: { token },
                credentialsLabel: environment,
                values: { verified: true } }, { key: state })
            })
            if (made === undefined) throw new RejectedError('begin again')
            return { body: { ...made, worked } }
          }
        },
        {
          method: 'POST', path: '/renew/:id', auth: 'admin',
          async handler ({ params: { id }, body }, { connections }) {
            const found = await connections.get(id)
            const verified = await found?.kv.get('verified') ?? null
            const before = found === undefined ? null : { status: found.status, verified }
            const renewed = await connections.replaceCredentials(id, body, { verified: 'again' })
            return { body: { before, renewed: renewed ?? null } }
          }
        },
        {
          method: 'GET', path: '/connections/:connectionId/token', auth: 'admin',
          handler: async (request, { connection: { client, context } }) => ({
            body: { length: client.token.length, verified: await context.kv.get('verified') }
          })
        }
      ]
    })`
}

const openHub = (t: Test, isolation: 'inline' | 'worker'): Promise<TestHub> =>
  buildTestHub(t, {
    mode: cheapestMode(process.env),
    packages: [feed],
    config: { adapters: [{ use: '@acme/adapter-feedshop-v1', isolation }, '@linker/adapter-mktb-v1'] }
  })

const withoutToken = { headers: { authorization: '' } }

for (const isolation of ['inline', 'worker'] as const) {
  t.test(`an adapter that runs ${isolation} makes a connection by an authorisation`, async t => {
    const hub = await openHub(t, isolation)
    const begin = async (body: object): Promise<string> =>
      ((await hub.call('POST', '/integrations/feedshop/begin', { body })).json as { state: string }).state
    const end = (state: string) => hub.call('GET', `/integrations/feedshop/end?state=${state}&code=c`, withoutToken)

    t.test('once, however often the page is loaded, and nothing secret is logged', async t => {
      const state = await begin({ environment: 'sandbox', verifier: 'verifier-0123456789' })

      const answers = await Promise.all([end(state), end(state), end(state)])
      const later = await end(state)

      const { id } = later.json as { id: string }
      t.match(later, { status: 200, json: { name: 'Feed', worked: 1 } })
      for (const answer of answers) t.strictSame(answer.json, later.json)
      const listed = await hub.call('GET', '/connections?platformType=feedshop')
      t.match(listed.json, [{
        id,
        name: 'Feed',
        status: 'active',
        adapterKey: 'feedshop.api.v1',
        adapterVersion: '1.0.0',
        config: { environment: 'sandbox' },
        credentialsRef: /^db:feedshop_sandbox_\d+_/
      }])
      t.strictSame((await hub.call('GET', `/integrations/feedshop/connections/${id}/token`)).json, {
        length: 'token-for-verifier-0123456789'.length,
        verified: true
      })
      t.match(hub.log.find(line => line.includes('verified with')), 'verified with [redacted]')
      for (const secret of ['verifier-0123456789', state]) t.notOk(hub.log.join('\n').includes(secret), secret)
      t.notMatch(JSON.stringify(await hub.database().query('select * from flows')), /verifier-0123456789/)
    })

    t.test('and makes none that its schema refuses: the answer names the member and ends the flow', async t => {
      const state = await begin({ environment: 'moon', verifier: 'v' })

      const refused = await end(state)

      t.match(problemOf(refused), { status: 400, code: 'LNK_ADAPTER_REJECTED' })
      t.strictSame(pointersOf(refused), ['/config/environment'])
      t.match(problemOf(await end(state)), { status: 400, detail: 'begin again' })
    })

    t.test('and renews its credentials, which ends its error; connections of others are not found', async t => {
      const created = await hub.call('POST', '/connections', {
        body: {
          name: 'Mine',
          platformType: 'feedshop',
          config: { environment: 'production' },
          credentials: { token: 'old-token' },
          status: 'error'
        }
      })
      const { id } = created.json as { id: string }
      const renew = async (connectionId: string) =>
        (await hub.call('POST', `/integrations/feedshop/renew/${connectionId}`, { body: { token: 'renewed-token' } }))
          .json

      t.strictSame(await renew(id), { before: { status: 'error', verified: null }, renewed: { id, name: 'Mine' } })
      t.match((await hub.call('GET', `/connections/${id}`)).json, { status: 'active' })
      t.strictSame((await hub.call('GET', `/integrations/feedshop/connections/${id}/token`)).json, {
        length: 'renewed-token'.length,
        verified: 'again'
      })
      t.strictSame(await renew(await hub.connect('mktb')), { before: null, renewed: null })
      t.notMatch(hub.log.join('\n'), /renewed-token/)
    })
  })
}
