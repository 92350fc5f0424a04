import t from 'tap'
import { eventually } from '../../support/api.ts'
import { openConsole } from '../../support/console.ts'
import { hostileAdapter, hostileText } from '../../support/hostile-adapter.ts'
import { buildTestHub } from '../../support/hub.ts'

t.test('the texts of a hostile adapter stay texts on every page', async t => {
  const name = hostileAdapter.manifest.name
  const hub = await buildTestHub(t, { mode: 'embedded', packages: [hostileAdapter], config: { adapters: [name] } })
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
    '/console/orders',
    '/console/jobs',
    `/console/jobs/${dead.id}`,
    `/console/trace/${dead.requestId}`,
    '/console/audit'
  ]
  for (const path of paths) {
    await visit(path)
    await inspect(path)
    t.equal(await page.evaluate('globalThis.hacked'), undefined, `${path}: nothing ran`)
  }
})
