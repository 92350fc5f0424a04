import t from 'tap'
import { eventually } from '../support/api.ts'
import { feedshopManifest } from '../support/feedshop.ts'
import { buildTestHub, type TestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import type { ForeignPackage } from '../support/project.ts'

// A connection that follows a range runs on a newer version as soon as one is installed and the hub
// starts again. The hub keeps some facts of the adapter with the connection, and they must follow.

const key = 'of-the-feed'
const [first, second] = ['@acme/adapter-feedshop-v1', '@acme/adapter-feedshop-v1-next']

function feed (name: string, version: string, { secret, events }: { secret: boolean, events: object }): ForeignPackage {
  return {
    manifest: feedshopManifest({ name, version, permissions: { jobs: ['feedshop.*'] } }),
    source: `
      import { defineAdapter } from '@linker/sdk'
      export default defineAdapter({
        config: { type: 'object', properties: { feedKey: { type: 'string', secret: ${secret} } } },
        credentials: { type: 'null' },
        connect: () => ({}),
        account: async () => undefined,
        capabilities: {},
        webhooks: { scheme: 'hmac', events: ${JSON.stringify(events)} },
        jobs: { 'feedshop.feed.sync': { payload: { type: 'object' }, run: async () => ({ result: null }) } }
      })`
  }
}

const older = feed(first, '1.0.0', { secret: false, events: { 'feed.refreshed': 'feedshop.feed.sync' } })
const newer = feed(second, '1.1.0', {
  secret: true,
  events: { 'feed.refreshed': 'feedshop.feed.sync', 'price.changed': 'feedshop.feed.sync' }
})
const took = 'connections take over webhook events and secret members of the installed adapter version'

async function connect (hub: TestHub, adapterVersion: string): Promise<string> {
  const { status, json, text } = await hub.call('POST', '/connections', {
    body: { name: adapterVersion, platformType: 'feedshop', config: { feedKey: key } }
  })
  if (status !== 201) throw new Error(text)
  const { id } = json as { id: string }
  const moved = await hub.call('POST', `/connections/${id}/adapter`, { body: { adapterVersion, test: false } })
  if (moved.status !== 200) throw new Error(moved.text)
  return id
}

t.test('a connection that follows a range learns the events and secrets of a newer version', async t => {
  const config = { adapters: [first] }
  const hub = await buildTestHub(t, { mode: cheapestMode(process.env), packages: [older, newer], config })
  const [range, exact] = [await connect(hub, '^1.0.0'), await connect(hub, '1.0.0')]
  const deliver = (id: string) =>
    hub.deliver(id, { provider: 'feedshop', eventType: 'price.changed', objectType: 'price', externalId: '7' })
  const keyOf = async (id: string): Promise<unknown> =>
    ((await hub.call('GET', `/connections/${id}`)).json as { config: { feedKey: unknown } }).config.feedKey
  const versionOf = async (id: string) => (await hub.call('GET', `/connections/${id}`)).headers.etag
  t.strictSame([await keyOf(range), await keyOf(exact)], [key, key])

  const variables = { LINKER_WEBHOOK_SECRET__FEEDSHOP: hub.keys.webhook }
  await hub.restart({ config: { adapters: [first, second] }, variables })
  t.match(await deliver(range), { status: 202 })
  t.match(await deliver(exact), { status: 202 })
  const [job] = await eventually('a job', async () => {
    const { json } = await hub.call('GET', `/jobs?connectionId=${range}`)
    const jobs = json as { status: string, adapter: string | null }[]
    return jobs[0]?.status === 'succeeded' ? jobs : undefined
  })
  const ignored = await eventually('the ignored event', async () => {
    const { json } = await hub.call('GET', `/webhook-deliveries?connectionId=${exact}`)
    return (json as object[]).length > 0 ? json : undefined
  })

  t.match(job, { adapter: 'feedshop.api.v1@1.1.0' })
  t.match(ignored, [{ status: 'ignored' }], 'an exact version stays')
  t.strictSame([await keyOf(range), await keyOf(exact)], [undefined, key])
  const told = () => hub.log.filter(line => line.includes(took)).length
  t.equal(told(), 1)

  const before = [await versionOf(range), await versionOf(exact)]
  await hub.restart({ config: { adapters: [first, second] } })
  t.strictSame([await versionOf(range), await versionOf(exact)], before, 'another start changes nothing')
  t.equal(told(), 1)

  await hub.restart({ config: { adapters: [first] } })
  t.equal(told(), 2, 'the way back is the same')
  t.equal(await keyOf(range), key)
})
