import t from 'tap'
import { eventually } from '../../support/api.ts'
import { openConsole } from '../../support/console.ts'
import { hostileAdapter, hostileText } from '../../support/hostile-adapter.ts'
import { buildTestHub } from '../../support/hub.ts'

t.test('the texts of a hostile adapter stay texts on every page', async t => {
  const name = hostileAdapter.manifest.name
  const hub = await buildTestHub(t, { mode: 'embedded', packages: [hostileAdapter], config: { adapters: [name] } })
  await hub.restart({
    variables: { LINKER_WEBHOOK_SECRET__HOSTILE: hub.keys.webhook },
    config: { adapters: [name] }
  })
  const ask = async <Answer>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> => {
    const { status, text, json } = await hub.call(method, path, body === undefined ? {} : { body })
    if (status >= 400) throw new Error(text)
    return json as Answer
  }
  const { id: connectionId } = await ask<{ id: string }>('POST', '/connections', {
    name: hostileText.slice(0, 120),
    platformType: 'hostile',
    config: {}
  })
  for (const jobType of ['master.product.syncByExternalId', 'master.inventory.syncByExternalId']) {
    const payload = { externalId: 'p' }
    const { jobId } = await ask<{ jobId: string }>('POST', '/jobs', { jobType, connectionId, payload })
    await hub.endOf(jobId)
  }
  const [variant] = await ask<{ variantId: string }[]>('GET', '/stock')
  const variantId = variant?.variantId
  const offer = await ask<{ id: string }>('POST', '/offers/link', { connectionId, variantId, externalId: 'o' })
  const dead = await eventually('a dead job', async () => {
    const [found] = await ask<{ id: string, requestId: string }[]>('GET', '/jobs?status=dead')
    return found
  })
  await ask('POST', '/jobs', { jobType: 'marketplace.orders.poll', connectionId, payload: {} })
  const order = await eventually('an order', async () => {
    const [found] = await ask<{ id: string }[]>('GET', '/orders')
    return found
  })
  const { status, text } = await hub.deliver(connectionId, {
    provider: 'hostile',
    eventType: 'product.changed',
    objectType: 'product',
    externalId: hostileText.slice(0, 255),
    payload: { text: hostileText }
  })
  if (status !== 202) throw new Error(text)
  const delivery = await eventually('a delivery', async () => {
    const [found] = await ask<{ id: string }[]>('GET', '/webhook-deliveries')
    return found
  })
  const { id: redriveId } = await ask<{ id: string }>('POST', '/jobs/retry', { filter: { jobIds: [dead.id] } })

  const { page, visit, inspect } = await openConsole(t, { url: hub.url, token: hub.keys.admin })
  const paths = [
    '/console/',
    '/console/connections',
    '/console/connections/new',
    '/console/connections/new/hostile',
    ...['', '/settings', '/adapter', '/webhooks', '/schedules', '/routing']
      .map(tab => `/console/connections/${connectionId}${tab}`),
    '/console/adapters',
    '/console/adapters/hostile.api.v1/1.0.0',
    '/console/offers',
    '/console/offers?view=unlinked',
    `/console/offers/${offer.id}`,
    '/console/stock',
    `/console/stock/${variantId}`,
    '/console/stock/sweeps',
    '/console/orders',
    `/console/orders/${order.id}`,
    '/console/jobs',
    `/console/jobs/${dead.id}`,
    `/console/trace/${dead.requestId}`,
    `/console/redrives/${redriveId}`,
    '/console/deliveries',
    `/console/deliveries/${delivery.id}`,
    '/console/figures',
    '/console/audit',
    '/console/access',
    '/console/system'
  ]
  for (const path of paths) {
    await visit(path)
    await inspect(path)
    t.equal(await page.evaluate('globalThis.hacked'), undefined, `${path}: nothing ran`)
  }
})
