import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createApi } from '../support/api.ts'
import { buildTestHub, type TestHub } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'
import { problemOf } from '../support/problem.ts'

interface Entry {
  actor: { kind: string, name: string, tokenId: string | null }
  requestId: string | null
  action: string
  connectionId: string | null
  objectId: string | null
  objectName: string | null
  changes: { pointer: string, from?: unknown, to?: unknown, isSecret?: boolean }[]
}

async function entriesOf (hub: TestHub, query = ''): Promise<Entry[]> {
  return (await hub.call('GET', `/audit?limit=200${query}`)).json as Entry[]
}

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: every change names who made it, with what was before and after, and no secret`, async t => {
    const hub = await buildTestHub(t, { mode })
    const shop = await hub.connect('shopa', { name: 'My shop' })
    const made = (await hub.call('POST', '/tokens', { body: { name: 'ada', scope: 'admin' } })).json as {
      id: string,
      token: string
    }
    const ada = createApi(hub.url, made.token)
    const requestId = randomUUID()

    await ada('PATCH', `/connections/${shop}`, { body: { name: 'Our shop', config: { shopId: '1' } } })
    await ada('PATCH', `/connections/${shop}/disable`, {
      body: { reason: 'sold' },
      headers: { 'x-request-id': requestId }
    })
    const [disabled] = await entriesOf(hub, '&action=connection.disable')
    t.match(disabled, {
      actor: { kind: 'token', name: 'ada', tokenId: made.id },
      requestId,
      action: 'connection.disable',
      connectionId: shop,
      objectId: shop,
      objectName: 'Our shop'
    })
    t.strictSame(disabled?.changes, [
      { pointer: '/status', from: 'active', to: 'disabled' },
      { pointer: '/statusReason', to: 'sold' }
    ])

    const ofToken = (await hub.call('GET', `/audit?objectId=${made.id}`)).json
    t.match(ofToken, [{ action: 'token.create', objectId: made.id }])
    t.equal((ofToken as Entry[]).length, 1)

    const mistyped = await hub.call('GET', '/audit?action=connection.disabled')
    t.match(problemOf(mistyped), {
      status: 400,
      code: 'LNK_REQUEST_INVALID',
      errors: [{ pointer: '/action', message: /^is not an action; similar ones are connection\.disable$/ }]
    })
    for (const action of ['POST /jobs', 'PATCH /connections/:id/schedules/:name', 'token.create']) {
      t.equal((await hub.call('GET', `/audit?action=${encodeURIComponent(action)}`)).status, 200, action)
    }

    await ada('PATCH', `/connections/${shop}`, { body: { status: 'active' } })
    await ada('PUT', `/connections/${shop}/credentials`, {
      body: { credentials: { apiUrl: hub.shop.apiUrl, apiKey: hub.keys.shop } }
    })
    await ada('PATCH', `/connections/${shop}/schedules/master-inventory-sweep`, { body: { every: '30m' } })
    await ada('POST', '/jobs', {
      body: { jobType: 'master.product.syncByExternalId', connectionId: shop, payload: { externalId: '27' } }
    })
    await ada('POST', `/connections/${shop}/test`)
    await ada('POST', '/stock/reconcile', { body: { connectionId: shop, dryRun: true } })
    await ada('PATCH', `/connections/${shop}`, { body: { name: 'Our shop' } })
    await ada('PATCH', `/connections/${shop}`, { body: { name: 7 } })
    await hub.call('DELETE', `/tokens/${made.id}`)

    const entries = await entriesOf(hub)
    t.strictSame(entries.map(({ actor, action }) => `${actor.name}: ${action}`), [
      '(own token): token.revoke',
      'ada: POST /jobs',
      'ada: schedule.change',
      'ada: credentials.replace',
      'ada: connection.enable',
      'ada: connection.disable',
      'ada: connection.change',
      '(own token): token.create',
      '(own token): connection.create'
    ])
    t.match(entries.find(({ action }) => action === 'schedule.change'), {
      connectionId: shop,
      objectId: 'master-inventory-sweep',
      changes: [{ pointer: '/enabled', to: false }, { pointer: '/every', to: '30m' }]
    })
    t.strictSame(entries.at(-3)?.changes, [
      { pointer: '/name', from: 'My shop', to: 'Our shop' },
      { pointer: '/config/shopId', to: '1' }
    ])
    t.strictSame(entries.at(-2)?.changes, [{ pointer: '/expiresAt', to: null }, { pointer: '/scope', to: 'admin' }])
    t.match(entries.at(-1)?.changes, [{ pointer: '/accountName' }, {
      pointer: '/adapterKey',
      to: 'shopa.webservice.v1'
    }])
    const text = JSON.stringify(entries)
    for (const secret of [...Object.values(hub.keys), made.token]) t.notOk(text.includes(secret))
    t.strictSame((await entriesOf(hub, `&connectionId=${shop}&actor=ada`)).length, 6)

    const first = await hub.call('GET', '/audit?limit=5')
    const next = /<([^>]+)>/.exec(String(first.headers.link))?.[1] ?? ''
    t.strictSame([...first.json as Entry[], ...(await hub.call('GET', next)).json as Entry[]], entries)
  })

  t.test(`${mode}: a refused change leaves no entry, and the hub's own changes name the hub`, async t => {
    const hub = await buildTestHub(t, { mode })
    const market = await hub.connect('mktb')
    await hub.call('PATCH', `/connections/${market}`, { body: { name: 'x' }, headers: { 'if-match': '"99"' } })
    // This route has no dry run, so the member changes nothing.
    const sweep = await hub.call('POST', `/connections/${market}/orders/sweep`, { body: { dryRun: true } })
    await hub.endOf((sweep.json as { jobId: string }).jobId)
    hub.market.faults.add({ answer: { status: 401, body: { error: 'no' } } })
    const { jobId } = (await hub.call('POST', '/jobs', {
      body: { jobType: 'marketplace.offers.sync', connectionId: market }
    })).json as { jobId: string }
    const failed = await hub.call('GET', `/jobs/${jobId}?wait=10`)
    t.match(failed.json, { status: 'waiting' })

    const entries = await entriesOf(hub)
    const failure = entries.find(({ action }) => action === 'connection.fail')
    // The job may fail before its request is recorded.
    t.strictSame(entries.filter(entry => entry !== failure).map(({ actor, action }) => `${actor.kind}: ${action}`), [
      'token: POST /jobs',
      'token: POST /connections/:id/orders/sweep',
      'token: connection.create'
    ])
    t.match(failure, { actor: { kind: 'hub' } })
    t.match(failure?.changes, [{ pointer: '/status', from: 'active', to: 'error' }, { pointer: '/statusReason' }])
    const asDescribed = encodeURIComponent('POST /connections/{id}/orders/sweep')
    t.match(await entriesOf(hub, `&action=${asDescribed}`), [{ action: 'POST /connections/:id/orders/sweep' }])
  })
}
