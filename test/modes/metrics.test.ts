import { randomUUID } from 'node:crypto'
import t from 'tap'
import { eventually } from '../support/api.ts'
import { buildTestHub } from '../support/hub.ts'
import { adapterOf, scrape, seriesOf } from '../support/metrics.ts'
import { availableModes } from '../support/modes.ts'

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: a scrape counts deliveries, refusals and runs, and has no secret`, async t => {
    const hub = await buildTestHub(t, { mode })
    const shop = await hub.connect('shopa')
    const event = {
      eventType: 'product.saved',
      objectType: 'product',
      externalId: '27',
      eventId: randomUUID(),
      requestId: randomUUID()
    }
    const post = (path: string, body: string) =>
      hub.call('POST', path, {
        body,
        headers: {
          authorization: '',
          'x-linker-timestamp': String(Date.now()),
          'x-linker-signature': `sha256=${'0'.repeat(64)}`
        }
      })

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
    // The hub counts a run after it stores the end, so `jobsOf` may see the end a moment earlier.
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
    t.strictSame(seriesOf(text, 'linker_jobs_ended_total'), {
      [`${labels},outcome="succeeded"`]: 1,
      [`${labels},outcome="dead"`]: 1
    })
    t.strictSame(seriesOf(text, 'linker_job_seconds_count'), { [labels]: 2 })
    t.strictSame(Object.keys(seriesOf(text, 'linker_queue_jobs')), [
      'state="queued"',
      'state="waiting"',
      'state="running"'
    ])
    for (const [name, secret] of Object.entries(hub.keys)) t.notOk(text.includes(secret), name)
  })
}
