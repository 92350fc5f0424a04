import { randomUUID } from 'node:crypto'
import t from 'tap'
import { eventually } from '../support/api.ts'
import { buildTestHub, type TestHub } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'

async function scrape (hub: TestHub): Promise<string> {
  const { status, text } = await hub.call('GET', '/metrics')
  if (status !== 200) throw new Error(`the scrape was answered ${status}: ${text}`)
  return text
}

/** The adapter of the shop, as labels name it. */
async function adapterOf (hub: TestHub): Promise<string> {
  const adapters = (await hub.call('GET', '/adapters')).json as { platformType: string, adapterKey: string, version: string }[]
  return adapters.filter(({ platformType }) => platformType === 'shopa').map(({ adapterKey, version }) => `${adapterKey}@${version}`).join()
}

/** Label sets and values of one series. */
function seriesOf (text: string, name: string): Record<string, number> {
  const lines = text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))
  return Object.fromEntries([...lines].map(([, labels = '', value]) => [labels, Number(value)]))
}

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: what was delivered, refused and run stands in the scrape, and no secret`, async t => {
    const hub = await buildTestHub(t, { mode })
    const shop = await hub.connect('shopa')
    const event = { eventType: 'product.saved', objectType: 'product', externalId: '27', eventId: randomUUID(), requestId: randomUUID() }
    const post = (path: string, body: string) => hub.call('POST', path, { body, headers: { authorization: '', 'x-linker-timestamp': String(Date.now()), 'x-linker-signature': `sha256=${'0'.repeat(64)}` } })

    await hub.deliver(shop, event)
    await hub.deliver(shop, event)
    await hub.jobsOf(event.requestId)
    const lost = { ...event, externalId: 'nowhere', eventId: randomUUID(), requestId: randomUUID() }
    await hub.deliver(shop, lost)
    await hub.jobsOf(lost.requestId)
    await post(`/webhooks/shopa/${shop}`, '{}')
    await post(`/webhooks/shopa/${shop}/test`, '{}')
    await post(`/webhooks/shopa/${shop}`, ' '.repeat(300_000))
    await post(`/webhooks/shopa/${shop}/test`, ' '.repeat(300_000))
    await post(`/v1/webhooks/${hub.keys.webhook}/${shop}`, '{}')
    await post(`/webhooks/forged/${shop}`, '{}')
    // A run is counted once its end is stored, which `jobsOf` may see a moment before.
    const text = await eventually('both ends', async () => {
      const found = await scrape(hub)
      return Object.keys(seriesOf(found, 'linker_jobs_ended_total')).length === 2 ? found : undefined
    })

    t.strictSame(seriesOf(text, 'linker_webhooks_total'), {
      'provider="shopa",outcome="accepted"': 2,
      'provider="shopa",outcome="duplicate"': 1,
      'provider="shopa",outcome="LNK_SIGNATURE_MISMATCH"': 1,
      'provider="shopa",outcome="LNK_PAYLOAD_TOO_LARGE"': 1,
      'provider="unknown",outcome="LNK_WEBHOOK_CONNECTION_NOT_FOUND"': 2
    })
    const labels = `job_type="master.product.syncByExternalId",adapter="${await adapterOf(hub)}"`
    t.strictSame(seriesOf(text, 'linker_jobs_ended_total'), { [`${labels},outcome="succeeded"`]: 1, [`${labels},outcome="dead"`]: 1 })
    t.strictSame(seriesOf(text, 'linker_job_seconds_count'), { [labels]: 2 })
    t.strictSame(Object.keys(seriesOf(text, 'linker_queue_jobs')), ['state="queued"', 'state="waiting"', 'state="running"'])
    for (const [name, secret] of Object.entries(hub.keys)) t.notOk(text.includes(secret), name)
  })
}

t.test('a job that waits for its connection is put back, counted, and shown in the queue', async t => {
  const hub = await buildTestHub(t, { mode: availableModes(process.env).at(-1) ?? 'embedded' })
  const shop = await hub.connect('shopa')
  await hub.call('PUT', `/connections/${shop}/credentials?test=false`, { body: { credentials: { apiUrl: hub.shop.apiUrl, apiKey: 'f'.repeat(32) } } })
  await hub.deliver(shop, { eventType: 'product.saved', objectType: 'product', externalId: '27' })

  const text = await eventually('the end of the run', async () => {
    const found = await scrape(hub)
    return Object.keys(seriesOf(found, 'linker_jobs_put_back_total')).length > 0 ? found : undefined
  })
  t.strictSame(seriesOf(text, 'linker_jobs_put_back_total'), { [`job_type="master.product.syncByExternalId",adapter="${await adapterOf(hub)}",reason="LNK_ADAPTER_AUTHENTICATION"`]: 1 })

  await hub.restart({ variables: { LINKER_ROLE: 'worker' } })
  t.match(seriesOf(await scrape(hub), 'linker_queue_jobs'), { 'state="queued"': 0, 'state="waiting"': 1, 'state="running"': 0 })
  t.strictSame(seriesOf(await scrape(hub), 'linker_queue_oldest_seconds'), { '': 0 })
  t.equal((await hub.call('GET', '/metrics', { headers: { authorization: '' } })).status, 401, 'a worker asks for the token, too')
})
