import { randomUUID } from 'node:crypto'
import t from 'tap'
import { countRows } from '../support/count-rows.ts'
import { startHubProcess } from '../support/hub-process.ts'
import { buildTestHub, type Job, type TestHub } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'
import { problemOf } from '../support/problem.ts'
import { openShopAndMarket } from '../support/shop-and-market.ts'

interface Rows {
  what: string
  count: number
}

interface Deletion {
  deleted: boolean
  obstacles: { pointer: string, code: string, message: string }[]
  openOrders: number
  cancelledJobs: number
  removed: Rows[]
  kept: Rows[]
}

const deletionOf = async (hub: TestHub, id: string, query: string): Promise<Deletion> => {
  const answer = await hub.call('DELETE', `/connections/${id}?${query}`)
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.json as Deletion
}
const codesOf = ({ obstacles }: Pick<Deletion, 'obstacles'>): string[] => obstacles.map(({ code }) => code)
const counted = (rows: readonly Rows[]): Record<string, number> =>
  Object.fromEntries(rows.map(({ what, count }) => [what, count]))

const selectOwned = `
  select
    (select count(*) from offers where connection_id = $1)
      + (select count(*) from unlinked_offers where connection_id = $1)
      + (select count(*) from products where connection_id = $1)
      + (select count(*) from inventory_sweeps where connection_id = $1)
      + (select count(*) from routing_rule_sets where connection_id = $1)
      + (select count(*) from connection_cursors where connection_id = $1)
      + (select count(*) from connection_values where connection_id = $1)
      + (select count(*) from connection_locks where connection_id = $1)
      + (select count(*) from connection_snapshots where connection_id = $1)
      + (select count(*) from connection_schedules where connection_id = $1)
      + (select count(*) from webhook_secrets where connection_id = $1)
      + (select count(*) from webhook_receipts where connection_id = $1)
      + (select count(*) from ignored_events where connection_id = $1)
      + (select count(*) from job_holds where group_id = $1)
    as rows`

const insertLateJob = `
  insert into jobs (id, job_type, lane, connection_id, object_key, idempotency_key, payload, state, due_at)
  values ($1, 'marketplace.orders.poll', 'state', $2, $3, $3, '{}', 'queued', now())`

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: a marketplace with open orders is deleted by force, and its shop after it`, async t => {
    const { hub, shopId, marketId, offer, orderWhen, settle } = await openShopAndMarket(t, { mode })
    const owned = async (id: string): Promise<number> =>
      Number((await hub.database().query<{ rows: string }>(selectOwned, [id]))[0]?.rows)
    /** Leaves out the receipts: the hub writes them a moment after it has answered a webhook. */
    const rows = async () => {
      const { webhook_receipts: _receipts, ...others } = await countRows(hub.database())
      return others
    }
    const credentials = async (): Promise<number> => (await countRows(hub.database())).integration_credentials ?? 0
    await hub.call('PATCH', `/connections/${marketId}`, { body: { name: 'My market' } })
    await hub.call('POST', `/connections/${marketId}/webhooks/install`)
    await hub.call('PATCH', `/connections/${marketId}/schedules/mktb-orders-poll`, { body: { every: '5m' } })
    const placed = hub.market.placeOrder({ lines: [{ externalId: offer, quantity: 3, unitPrice: 4_999 }] })
    const { id: orderId } = await orderWhen(placed, 'created')
    await settle()

    await t.test('it must be disabled, and open orders need force', async t => {
      const before = await rows()
      const active = await hub.call('DELETE', `/connections/${marketId}?force=true`)
      t.match(problemOf(active), {
        status: 409,
        code: 'LNK_DELETION_REFUSED',
        errors: [{ pointer: '', code: 'in-service' }]
      })
      t.strictSame(codesOf(await deletionOf(hub, marketId, 'dryRun=true')), ['in-service', 'open-orders'])
      t.strictSame(await rows(), before)

      await hub.call('PATCH', `/connections/${marketId}/disable`)
      const disabled = await hub.call('DELETE', `/connections/${marketId}`)
      // The list of orders of a connection names those of a marketplace only.
      const waits = { pointer: '/force', code: 'open-orders', message: new RegExp(`the oldest of them: ${orderId}\\.`) }
      t.match(problemOf(disabled), { status: 409, errors: [waits] })
      const { obstacles } = await deletionOf(hub, shopId, 'dryRun=true')
      t.match(obstacles.find(({ code }) => code === 'open-orders'), waits)
      t.equal((await hub.call('GET', `/connections/${marketId}`)).status, 200)
    })

    await t.test('a shop whose stock offers follow is not deleted, even by force', async t => {
      await hub.call('PATCH', `/connections/${shopId}/disable`)
      const refused = await hub.call('DELETE', `/connections/${shopId}?force=true`)
      t.match(problemOf(refused), {
        status: 409,
        detail: /offers \(1\) of connection 'My market'/,
        errors: [{ code: 'shop-of-offers' }]
      })
      await hub.call('PATCH', `/connections/${shopId}`, { body: { status: 'active' } })
    })

    // The quantity of the offer waits, because the marketplace is disabled.
    await hub.call('PATCH', `/offers/${await offerIdOf(hub, marketId)}`, { body: { buffer: 2 } })
    const jobs = async (): Promise<Job[]> =>
      (await hub.call('GET', `/jobs?connectionId=${marketId}&limit=200`)).json as Job[]
    const waiting = (await jobs()).filter(({ status }) => status === 'waiting').map(({ id }) => id)
    t.equal(waiting.length, 1)

    const expected = {
      openOrders: 1,
      cancelledJobs: 1,
      removed: { offers: 1, credentials: 1, 'settings of schedules': 1, 'webhook secrets': 1 },
      kept: { orders: 1 }
    }

    await t.test('a dry run names everything and changes nothing', async t => {
      const before = await rows()
      const { version } = await rowOf(hub, marketId)
      const planned = await deletionOf(hub, marketId, 'dryRun=true&force=true')

      t.match({ ...planned, removed: counted(planned.removed), kept: counted(planned.kept) }, {
        ...expected,
        deleted: false,
        obstacles: { length: 0 }
      })
      t.strictSame(await rows(), before)
      t.equal((await rowOf(hub, marketId)).version, version)
    })

    await t.test('If-Match guards it', async t => {
      const { version } = await rowOf(hub, marketId)
      const stale = await hub.call('DELETE', `/connections/${marketId}?force=true`, {
        headers: { 'if-match': `"${version - 1}"` }
      })
      t.match(problemOf(stale), { status: 412, code: 'LNK_PRECONDITION_FAILED' })
    })

    await t.test('it is deleted with all that is its own', async t => {
      const credentialsBefore = await credentials()
      const { version } = await rowOf(hub, marketId)
      const answer = await hub.call('DELETE', `/connections/${marketId}?force=true`, {
        headers: { 'if-match': `"${version}"` }
      })
      const deletion = answer.json as Deletion

      t.match({ ...deletion, removed: counted(deletion.removed), kept: counted(deletion.kept) }, {
        ...expected,
        deleted: true,
        obstacles: { length: 0 }
      })
      t.equal(await owned(marketId), 0)
      t.equal(await credentials(), credentialsBefore - 1)
      t.match(await rowOf(hub, marketId), {
        name: 'My market',
        config: {},
        credentials_ref: null,
        capabilities: { length: 0 }
      })
    })

    await t.test('then no route knows it', async t => {
      const path = `/connections/${marketId}`
      for (
        const answer of [
          await hub.call('GET', path),
          await hub.call('DELETE', path),
          await hub.call('PATCH', path, { body: { status: 'active' } }),
          await hub.call('PATCH', `${path}/disable`),
          await hub.call('PUT', `${path}/credentials?test=false`, { body: { credentials: 'x' } }),
          await hub.call('POST', `${path}/test`),
          await hub.call('POST', `${path}/webhooks/install`),
          await hub.call('GET', `${path}/routing-rules`),
          await hub.call('GET', `${path}/adapter/moves`),
          await hub.call('GET', `/schedules?connectionId=${marketId}`),
          await hub.call('POST', '/jobs', { body: { jobType: 'marketplace.orders.poll', connectionId: marketId } })
        ]
      ) t.match(problemOf(answer), { status: 404, code: 'LNK_CONNECTION_NOT_FOUND' }, answer.text)
      t.strictSame(((await hub.call('GET', '/connections')).json as { id: string }[]).map(({ id }) => id), [shopId])
      t.match((await hub.call('GET', '/connections/deleted')).json, [
        { id: marketId, name: 'My market', platformType: 'mktb', deletedAt: /Z$/ }
      ])
      t.strictSame((await hub.call('GET', `/offers?connectionId=${marketId}`)).json, [])
      const adapters = (await hub.call('GET', '/adapters')).json as { platformType: string, usedBy: number }[]
      t.match(adapters.find(({ platformType }) => platformType === 'mktb'), { usedBy: 0 })
      const hook = await hub.call('POST', `/webhooks/mktb/${marketId}`, { body: {}, headers: { authorization: '' } })
      t.match(problemOf(hook), { status: 404, code: 'LNK_WEBHOOK_CONNECTION_NOT_FOUND' })
    })

    await t.test('its order, its jobs and the audit stay', async t => {
      const order = (await hub.call('GET', `/orders/${orderId}`)).json as {
        status: string,
        problems: string[],
        history: { event: string, detail: object }[]
      }
      t.equal(order.status, 'created')
      t.match(order.problems, [/connection 'My market' was deleted/])
      t.match(order.history.at(-1), { event: 'connection deleted', detail: { connectionId: marketId } })
      const [cancelled] = (await jobs()).filter(({ id }) => waiting.includes(id))
      t.match(cancelled, {
        status: 'cancelled',
        problem: { code: 'LNK_CONNECTION_DELETED', message: "Connection 'My market' was deleted" }
      })
      const { json } = await hub.call('GET', `/audit?connectionId=${marketId}&action=connection.delete`)
      const [entry, ...more] = json as { objectName: string, changes: { pointer: string }[] }[]
      t.strictSame(more, [], 'dry runs and refusals are not recorded')
      t.match(entry, { objectName: 'My market' })
      t.match(entry?.changes.find(({ pointer }) => pointer === '/name'), { from: 'My market' })
      t.match(entry?.changes.find(({ pointer }) => pointer === '/openOrders'), { from: 1 })
    })

    await t.test('a job that comes too late ends without effect', async t => {
      const id = randomUUID()
      await hub.database().query(insertLateJob, [id, marketId, `late:${id}`])
      hub.database().notify('jobs')
      t.match(await hub.endOf(id), { status: 'succeeded', attempts: { length: 1 } })
    })

    await t.test('the order can be cancelled, which gives its pieces back in the shop', async t => {
      t.equal((await hub.call('POST', `/orders/${orderId}/cancel`)).status, 202)
      await settle()
      t.match((await hub.call('GET', `/orders/${orderId}`)).json, { status: 'cancelled' })
    })

    await t.test('its name is free; its shop can be deleted, and the variant of the order stays', async t => {
      const again = await hub.connect('mktb', { name: 'My market' })
      t.not(again, marketId)
      await hub.call('PATCH', `/connections/${shopId}/disable`)
      const deletion = await deletionOf(hub, shopId, '')

      t.match(deletion, { deleted: true, openOrders: 0 })
      const variants = await hub.database().query<{ id: string, missing: boolean, quantity: number }>(`
        select variants.id, missing_at is not null as missing, quantity
        from variants
        left join stock on stock.variant_id = variants.id`)
      t.strictSame(variants, [{ id: offer, missing: true, quantity: 0 }])
      t.match(await hub.call('GET', `/orders/${orderId}`), { status: 200, json: { lines: [{ variantId: offer }] } })
      t.match(await hub.call('GET', '/connections'), { json: [{ id: again }] })
    })
  })

  t.test(`${mode}: a connection whose adapter is missing is deleted like any other`, async t => {
    const hub = await buildTestHub(t, { mode })
    const id = await hub.connect('mktb', { status: 'disabled', name: 'Mistyped' })
    await hub.restart({ config: { adapters: ['@linker/adapter-shopa-v1'] } })
    t.match(await hub.call('GET', `/connections/${id}`), { json: { statusReason: /mktb/ } })

    t.match(await deletionOf(hub, id, ''), { deleted: true })
    t.match(problemOf(await hub.call('DELETE', `/connections/${id}`)), {
      status: 404,
      code: 'LNK_CONNECTION_NOT_FOUND'
    })
    t.strictSame((await hub.call('GET', '/connections')).json, [])
  })

  t.test(`${mode}: of deletions at the same time one deletes, and no change comes after it`, async t => {
    const hub = await buildTestHub(t, { mode })
    const id = await hub.connect('mktb', { status: 'disabled' })
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => hub.call('DELETE', `/connections/${id}`)),
      hub.call('PATCH', `/connections/${id}`, { body: { name: 'Other' } })
    ])

    const [change, ...deletions] = answers.toReversed()
    t.equal(deletions.filter(({ status }) => status === 200).length, 1)
    for (const answer of deletions.filter(({ status }) => status !== 200)) {
      t.ok(['LNK_CONNECTION_NOT_FOUND', 'LNK_CONNECTION_MOVING'].includes(problemOf(answer).code), answer.text)
    }
    t.ok(change?.status === 200 || change?.status === 404)
    t.equal((await hub.call('GET', `/connections/${id}`)).status, 404)
  })
}

for (const mode of availableModes(process.env).filter(mode => mode !== 'embedded')) {
  t.test(`${mode}: a connection that one process deletes is refused by the next webhook on another`, async t => {
    const hub = await buildTestHub(t, { mode })
    const id = await hub.connect('shopa')
    const other = await startHubProcess(hub.directory, { ...hub.variables, LINKER_ROLE: 'http', LOG_LEVEL: 'warn' })
    t.teardown(() => other.kill())
    const ping = { eventType: 'test.ping', objectType: 'test', externalId: 'test' }
    t.equal((await hub.deliver(id, ping, other.url)).status, 202, 'the other process knows it as active')

    // The other process learns of neither change but by the version of the connection.
    await hub.call('PATCH', `/connections/${id}/disable`)
    t.match(await deletionOf(hub, id, ''), { deleted: true })

    t.equal((await hub.deliver(id, ping, other.url)).status, 404)
    t.equal((await hub.at(other.url)('GET', `/connections/${id}`)).status, 404)
  })
}

async function offerIdOf (hub: TestHub, connectionId: string): Promise<string> {
  const [offer] = (await hub.call('GET', `/offers?connectionId=${connectionId}`)).json as { id: string }[]
  return offer?.id ?? ''
}

interface ConnectionRow {
  name: string
  version: number
  config: object
  credentials_ref: string | null
  capabilities: string[]
}

async function rowOf (hub: TestHub, id: string): Promise<ConnectionRow> {
  const [row] = await hub.database().query<ConnectionRow>('select * from connections where id = $1', [id])
  if (row === undefined) throw new Error(`connection ${id} has no row`)
  return row
}
