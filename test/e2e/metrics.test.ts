import t from 'tap'
import { eventually } from '../support/api.ts'
import { buildTestHub } from '../support/hub.ts'
import { adapterOf, scrape, seriesOf } from '../support/metrics.ts'
import { fullestMode } from '../support/modes.ts'

t.test('a job that waits for its connection is put back, counted, and shown in the queue', async t => {
  const hub = await buildTestHub(t, { mode: fullestMode(process.env) })
  const shop = await hub.connect('shopa')
  await hub.call('PUT', `/connections/${shop}/credentials?test=false`, {
    body: { credentials: { apiUrl: hub.shop.apiUrl, apiKey: 'f'.repeat(32) } }
  })
  await hub.deliver(shop, { eventType: 'product.saved', objectType: 'product', externalId: '27' })

  const text = await eventually('the end of the run', async () => {
    const found = await scrape(hub)
    return Object.keys(seriesOf(found, 'linker_jobs_put_back_total')).length > 0 ? found : undefined
  })
  const adapter = await adapterOf(hub)
  t.strictSame(seriesOf(text, 'linker_jobs_put_back_total'), {
    [`job_type="master.product.syncByExternalId",adapter="${adapter}",reason="LNK_ADAPTER_AUTHENTICATION"`]: 1
  })

  await hub.restart({ variables: { LINKER_ROLE: 'worker' } })
  t.match(seriesOf(await scrape(hub), 'linker_queue_jobs'), {
    'state="queued"': 0,
    'state="waiting"': 1,
    'state="running"': 0
  })
  t.strictSame(seriesOf(await scrape(hub), 'linker_queue_oldest_seconds'), { '': 0 })
  t.equal(
    (await hub.call('GET', '/metrics', { headers: { authorization: '' } })).status,
    401,
    'a worker asks for the token, too'
  )
})
