import { randomUUID } from 'node:crypto'
import t from 'tap'
import { eventually, type Answer } from '../support/api.ts'
import { buildTestHub, type Job, type TestHub, type WebhookEvent } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'
import { problemOf } from '../support/problem.ts'

interface Delivery {
  id: string
  createdAt: string
  acceptedAt: string
  provider: string
  connectionId: string
  eventId: string
  eventType: string
  objectType: string
  externalId: string
  requestId: string
  status: string
  waitsFor: object | null
  ignored: string | null
  jobId: string | null
  problem: { code: string } | null
  replayableUntil: string
  replayCount: number
  lastReplay: { jobId: string, status: string } | null
  replays: { jobId: string, status: string }[]
}

const deliveryIdOf = (answer: Answer): string => String(answer.headers['x-linker-delivery-id'])
const stockChanged = (more: Partial<WebhookEvent> = {}): WebhookEvent => ({
  eventType: 'stock.changed',
  objectType: 'stock',
  externalId: '27',
  eventId: randomUUID(),
  ...more
})

/** Waits until the log has a delivery, and its job has ended. */
async function findDelivery (hub: TestHub, id: string): Promise<Delivery> {
  return eventually(`delivery ${id} in the log`, async () => {
    const { status, json } = await hub.call('GET', `/webhook-deliveries/${id}`)
    const delivery = json as Delivery
    return status === 200 && !['queued', 'running'].includes(delivery.status) ? delivery : undefined
  })
}

async function list (hub: TestHub, query: string): Promise<Delivery[]> {
  return (await hub.call('GET', `/webhook-deliveries?${query}`)).json as Delivery[]
}

async function listIds (hub: TestHub, query: string): Promise<string[]> {
  return (await list(hub, query)).map(({ id }) => id)
}

/** Delivers an event and waits until the log has it. */
async function deliver (hub: TestHub, connectionId: string, event: WebhookEvent): Promise<string> {
  const id = deliveryIdOf(await hub.deliver(connectionId, event))
  await findDelivery(hub, id)
  return id
}

/** Adds deliveries whose jobs have succeeded. */
async function addDelivered (
  hub: TestHub,
  connectionId: string,
  { eventType, count }: { eventType: string, count: number }
): Promise<void> {
  await hub.database().query(
    `
    insert into jobs (id, job_type, lane, connection_id, object_key, idempotency_key, payload, outcome, finished_at)
    select gen_random_uuid(), 'a.job', 'state', $1::uuid, n::text, 'webhook:shopa:' || $1::uuid || ':' || $2 || n,
      json_build_object(
        'eventType', $2::text, 'objectType', 'stock', 'externalId', '27',
        'occurredAt', '2026-01-31T11:00:00Z', 'publishedAt', '2026-01-31T11:00:00Z'
      ),
      'succeeded', now()
    from generate_series(1, $3::integer) as n`,
    [connectionId, eventType, count]
  )
}

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: a sender and an operator learn what became of a delivery`, async t => {
    const hub = await buildTestHub(t, { mode })
    const shop = await hub.connect('shopa')
    const other = await hub.connect('shopa', { name: 'Another shop' })

    t.test('a repetition says that it is one, and the log has one delivery', async t => {
      const event = stockChanged({ requestId: 'request-1' })
      const [first, second] = [await hub.deliver(shop, event), await hub.deliver(shop, event)]

      t.strictSame([first, second].map(({ status, headers }) => [status, headers['x-linker-duplicate']]), [
        [202, undefined],
        [202, 'true']
      ])
      t.equal(deliveryIdOf(second), deliveryIdOf(first))
      const delivery = await findDelivery(hub, deliveryIdOf(first))
      t.match(delivery, {
        id: deliveryIdOf(first),
        provider: 'shopa',
        connectionId: shop,
        eventId: event.eventId,
        eventType: 'stock.changed',
        objectType: 'stock',
        externalId: '27',
        requestId: 'request-1',
        status: 'succeeded',
        ignored: null,
        jobId: deliveryIdOf(first),
        jobType: 'shopa.inventory.syncByExternalId',
        problem: null,
        replays: { length: 0 }
      })
      t.equal(Date.parse(delivery.replayableUntil) - Date.parse(delivery.createdAt), 7 * 86_400_000)
      const { replays: _none, ...summary } = delivery
      t.strictSame(await list(hub, `eventId=${event.eventId}`), [summary])
    })

    t.test('an event that starts no job is there with the reason, and so is a test', async t => {
      const mistyped = await deliver(hub, shop, stockChanged({ eventType: 'stock.chnaged', externalId: '28' }))
      const ping = await deliver(hub, shop, stockChanged({ eventType: 'test.ping' }))

      t.match(await findDelivery(hub, mistyped), {
        status: 'ignored',
        ignored: 'unknown event type',
        externalId: '28',
        jobId: null,
        replays: { length: 0 }
      })
      t.match(await findDelivery(hub, ping), { status: 'ignored', ignored: 'test' })
      t.strictSame(await listIds(hub, 'status=ignored'), [ping, mistyped])
    })

    t.test('a job that died is there with its problem', async t => {
      const dead = await deliver(hub, shop, {
        eventType: 'product.saved',
        objectType: 'product',
        externalId: '999999'
      })
      const [found] = await list(hub, 'eventType=product.saved')
      t.equal(found?.id, dead)
      t.match(found, { status: 'dead', problem: { code: /^LNK_/ } })
      t.strictSame(await listIds(hub, 'status=dead'), [dead])
    })

    t.test('the list has both kinds in one order, whatever the size of a page', async t => {
      const ids = [
        await deliver(hub, other, stockChanged()),
        await deliver(hub, other, stockChanged({ eventType: 'stock.chnaged' })),
        await deliver(hub, other, stockChanged()),
        await deliver(hub, other, stockChanged({ eventType: 'stock.chnaged' })),
        await deliver(hub, other, stockChanged())
      ].toReversed()
      t.strictSame(await listIds(hub, `connectionId=${other}`), ids)

      for (const limit of [1, 2, 3, 4]) {
        const pages: string[][] = []
        for (let path = `/webhook-deliveries?connectionId=${other}&limit=${limit}`; path !== '';) {
          const { json, headers } = await hub.call('GET', path)
          pages.push((json as Delivery[]).map(({ id }) => id))
          path = /<([^>]+)>/.exec(String(headers.link ?? ''))?.[1] ?? ''
        }
        t.strictSame(pages.flat(), ids, `pages of ${limit}`)
      }
      const all = await list(hub, `connectionId=${other}`)
      const [, second, third] = all
      t.strictSame(await listIds(hub, `connectionId=${other}&since=${second?.createdAt}`), ids.slice(0, 2))
      t.strictSame(await listIds(hub, `connectionId=${other}&until=${third?.createdAt}`), ids.slice(3))
      t.strictSame(await listIds(hub, `connectionId=${other}&eventType=stock.changed&limit=2`), [ids[0], ids[2]])
      t.strictSame(await listIds(hub, `connectionId=${other}&provider=mktb`), [])
      t.strictSame(await listIds(hub, `connectionId=${other}&provider=shopa&status=succeeded`), [
        ids[0],
        ids[2],
        ids[4]
      ])
    })

    t.test('bad input is refused by name', async t => {
      for (
        const query of [
          'status=lost',
          'connectionId=x',
          'eventId=%00',
          'provider=../x',
          'since=yesterday',
          'replayed=maybe',
          'other=1',
          'limit=201',
          'cursor=x'
        ]
      ) {
        t.match(problemOf(await hub.call('GET', `/webhook-deliveries?${query}`)), {
          status: 400,
          code: 'LNK_REQUEST_INVALID'
        }, query)
      }
      for (
        const id of [
          randomUUID(),
          (await hub.call('POST', '/jobs', {
            body: { jobType: 'master.product.syncByExternalId', connectionId: shop, payload: { externalId: '27' } }
          })).json as { jobId: string }
        ].map(given => typeof given === 'string' ? given : given.jobId)
      ) {
        for (const [method, path] of [['GET', ''], ['POST', '/replay']] as const) {
          t.match(problemOf(await hub.call(method, `/webhook-deliveries/${id}${path}`)), {
            status: 404,
            code: 'LNK_DELIVERY_NOT_FOUND'
          })
        }
      }
    })

    t.test('OpenAPI tells senders of the headers', async t => {
      const { json } = await hub.call('GET', '/openapi.json')
      const { paths } = json as { paths: Record<string, { post: { responses: Record<string, { headers: object }> } }> }
      t.strictSame(Object.keys(paths['/webhooks/{provider}/{connectionId}']?.post.responses['202']?.headers ?? {}), [
        'X-Linker-Delivery-Id',
        'X-Linker-Events',
        'X-Linker-Duplicate',
        'X-Linker-Duplicates',
        'X-Linker-Ignored'
      ])
    })
  })

  t.test(`${mode}: an operator replays a delivery`, async t => {
    let nowMs = 0
    const hub = await buildTestHub(t, { mode, now: () => new Date(Date.now() + nowMs) })
    const shop = await hub.connect('shopa')
    const replay = (id: string, key?: string) =>
      hub.call(
        'POST',
        `/webhook-deliveries/${id}/replay`,
        key === undefined ? {} : { headers: { 'idempotency-key': key } }
      )
    const jobIdOf = ({ json }: Answer): string => (json as { jobId: string }).jobId

    t.test('the event is handled again; the delivery and the replay name each other', async t => {
      const id = await deliver(hub, shop, stockChanged())
      const { replays: none, ...before } = await findDelivery(hub, id)
      t.strictSame(none, [])
      const key = randomUUID()
      const answers = [await replay(id, key), await replay(id, key), await replay(id)]
      t.strictSame(answers.map(({ status }) => status), [202, 202, 202])
      const [first = '', again, second = ''] = answers.map(jobIdOf)
      t.equal(again, first)
      t.not(second, first)

      const jobs = [await hub.endOf(first), await hub.endOf(second)] as (Job & { payload: object })[]
      t.match(
        jobs,
        [1, 2].map(n => ({
          status: 'succeeded',
          idempotencyKey: `replay:${id}:${n}`,
          jobType: 'shopa.inventory.syncByExternalId',
          payload: { externalId: '27', replayOf: id }
        }))
      )
      t.equal(jobs[0]?.requestId, answers[0]?.headers['x-request-id'])
      const { replays, ...after } = await findDelivery(hub, id)
      t.match(after, { replayCount: 2, lastReplay: { jobId: second, status: 'succeeded', problem: null } })
      t.strictSame({ ...after, replayCount: 0, lastReplay: null }, before, 'the delivery itself did not change')
      t.strictSame(await list(hub, `eventId=${before.eventId}`), [after])
      t.strictSame(await listIds(hub, `eventId=${before.eventId}&replayed=true`), [id])
      t.strictSame(await listIds(hub, `eventId=${before.eventId}&replayed=false`), [])
      t.match(replays, [{ jobId: first, status: 'succeeded' }, { jobId: second, status: 'succeeded' }])
      t.strictSame(await listIds(hub, `eventId=${before.eventId}`), [id], 'a replay is no delivery')
      const { json } = await hub.call('GET', `/audit?action=delivery.replay`)
      t.match(json, [{ connectionId: shop, objectId: id }, { connectionId: shop, objectId: id }])
    })

    t.test('replays at the same moment are a job each', async t => {
      const id = await deliver(hub, shop, stockChanged())
      const answers = await Promise.all(Array.from({ length: 5 }, () => replay(id)))
      t.strictSame(answers.map(({ status }) => status), [202, 202, 202, 202, 202])
      t.equal(new Set(answers.map(jobIdOf)).size, 5)
      t.equal((await findDelivery(hub, id)).replays.length, 5)
    })

    t.test('an ignored event starts a job as soon as the connection has one for it', async t => {
      const id = await deliver(hub, shop, stockChanged({ eventType: 'stock.counted' }))
      t.match(await replay(id), { status: 200, json: { jobId: null, ignored: 'unknown event type' } })
      await hub.database().query('update connections set webhook_events = $1, version = version + 1 where id = $2', [
        JSON.stringify({ 'stock.counted': 'shopa.inventory.syncByExternalId' }),
        shop
      ])

      const answer = await replay(id)
      t.equal(answer.status, 202)
      t.match(await hub.endOf(jobIdOf(answer)), { status: 'succeeded', jobType: 'shopa.inventory.syncByExternalId' })
      t.match(await findDelivery(hub, id), {
        status: 'ignored',
        ignored: 'unknown event type',
        replays: [{ jobId: jobIdOf(answer) }]
      })
      t.strictSame(await listIds(hub, 'status=ignored&eventType=stock.counted&replayed=true'), [id])
      t.strictSame(await listIds(hub, 'status=ignored&eventType=stock.counted&replayed=false'), [])
    })

    t.test('a delivery and a replay that wait for a pause say so, and until when', async t => {
      const paused = await hub.connect('shopa', { name: 'Paused' })
      const done = await deliver(hub, paused, stockChanged())
      const until = new Date(Date.now() + 3_600_000).toISOString()
      await hub.call('POST', `/connections/${paused}/pause`, { body: { until } })
      const id = await deliver(hub, paused, stockChanged())
      await replay(done)
      const waitsFor = { reason: 'connection-paused', detail: "its connection 'Paused' is paused", until }

      t.match(await list(hub, `connectionId=${paused}`), [
        { id, status: 'waiting', waitsFor },
        { id: done, status: 'succeeded', waitsFor: null, lastReplay: { status: 'waiting', waitsFor } }
      ])
      t.match(await findDelivery(hub, done), { replays: [{ waitsFor }] })
    })

    t.test('many are replayed by a filter, after a dry run that changes nothing', async t => {
      const market = await hub.connect('shopa', { name: 'For many' })
      const ids = [
        await deliver(hub, market, stockChanged({ externalId: '27' })),
        await deliver(hub, market, stockChanged({ externalId: '28' })),
        await deliver(hub, market, stockChanged({ eventType: 'stock.chnaged' }))
      ]
      const replayAll = (body: object, headers = {}) =>
        hub.call('POST', '/webhook-deliveries/replay', { body, headers })
      const filter = { connectionId: market }
      const counts = { matched: 3, isMore: false, jobs: 2, ignored: [{ reason: 'unknown event type', count: 1 }] }

      const planned = await replayAll({ filter, dryRun: true })
      t.match(planned, {
        status: 200,
        json: { ...counts, dryRun: true, refused: { length: 0 }, replays: { length: 0 } }
      })
      const { sample } = planned.json as { sample: (Delivery & { outcome: string })[] }
      t.strictSame(
        sample.map(({ outcome: _outcome, ...delivery }) => delivery),
        await list(hub, `connectionId=${market}`)
      )
      const countOf = (wanted: string) => sample.filter(({ outcome }) => outcome === wanted).length
      t.strictSame([countOf('replayed'), countOf('ignored')], [counts.jobs, 1])
      t.strictSame((await findDelivery(hub, ids[0] ?? '')).replays, [])

      const key = { 'idempotency-key': randomUUID() }
      const [done, again] = [await replayAll({ filter }, key), await replayAll({ filter }, key)]
      t.match(done, { status: 202, json: { ...counts, dryRun: false } })
      t.strictSame(again.json, done.json)
      const { replays } = done.json as { replays: { deliveryId: string, jobId: string }[] }
      t.strictSame(replays.map(({ deliveryId }) => deliveryId), ids.slice(0, 2), 'the oldest first')
      for (const { deliveryId, jobId } of replays) {
        t.match(await hub.endOf(jobId), { status: 'succeeded', idempotencyKey: `replay:${deliveryId}:1` })
      }

      t.strictSame(await listIds(hub, `connectionId=${market}&replayed=true`), ids.slice(0, 2).toReversed())
      t.strictSame(await listIds(hub, `connectionId=${market}&replayed=true&limit=1`), [ids[1]])
      t.strictSame(await listIds(hub, `connectionId=${market}&replayed=false`), [ids[2]])
      t.match(await replayAll({ filter: { ...filter, status: 'succeeded' } }), {
        status: 202,
        json: { matched: 2, jobs: 0, alreadyReplayed: 2, replays: { length: 0 } }
      }, 'what was replayed is left out')
      t.match(await replayAll({ filter: { ...filter, replayed: false }, dryRun: true }), {
        json: { matched: 1, jobs: 0, alreadyReplayed: 0 }
      })
      const asked = { filter: { ...filter, status: 'succeeded' }, includeReplayed: true }
      t.match((await replayAll({ ...asked, dryRun: true })).json, { matched: 2, jobs: 2, alreadyReplayed: 2 })
      t.match(await replayAll(asked), { status: 202, json: { replays: { length: 2 }, alreadyReplayed: 2 } })

      const audited = (await hub.call('GET', `/audit?connectionId=${market}&action=delivery.replay`)).json
      t.match(audited, [
        { objectName: '2 deliveries' },
        { objectName: '0 deliveries' },
        { objectName: '2 deliveries' }
      ])
      t.equal((audited as object[]).length, 3, 'neither a dry run nor the repetition is there')

      for (
        const body of [{}, { filter: {} }, { filter: { other: 1 } }, { filter, other: 1 }, { filter: { status: 'x' } }]
      ) {
        t.match(problemOf(await replayAll(body)), { status: 400, code: 'LNK_REQUEST_INVALID' }, JSON.stringify(body))
      }
      await hub.call('PATCH', `/connections/${market}/disable`)
      t.match(await replayAll({ filter }), {
        status: 202,
        json: {
          matched: 3,
          jobs: 0,
          ignored: { length: 0 },
          refused: [{ code: 'LNK_CONNECTION_DISABLED', count: 3 }],
          replays: { length: 0 }
        }
      })
      t.match(problemOf(await replay(ids[0] ?? '')), { status: 400, code: 'LNK_CONNECTION_DISABLED' })
    })

    t.test('more than five hundred are refused as a whole, and a dry run says so', async t => {
      const busy = await hub.connect('shopa', { name: 'Busy' })
      await addDelivered(hub, busy, { eventType: 'stock.changed', count: 2501 })
      const call = (body: object) => hub.call('POST', '/webhook-deliveries/replay', { body })
      const filter = { connectionId: busy }
      t.match(await call({ filter, dryRun: true }), { status: 200, json: { matched: 500, isMore: true, jobs: 500 } })
      t.match(problemOf(await call({ filter })), { status: 409, code: 'LNK_DELIVERIES_TOO_MANY' })
      t.strictSame((await hub.call('GET', `/audit?connectionId=${busy}&action=delivery.replay`)).json, [])

      // The page of a filter that nothing meets ends where the ledger ends.
      t.strictSame(await listIds(hub, `connectionId=${busy}&status=dead`), [])
      const first = await hub.call('GET', `/webhook-deliveries?connectionId=${busy}&limit=200`)
      t.equal((first.json as Delivery[]).length, 200)
    })

    t.test('those that were replayed already do not count for the limit', async t => {
      const busy = await hub.connect('shopa', { name: 'Busy again' })
      await hub.call('POST', `/connections/${busy}/pause`, { body: {} })
      await addDelivered(hub, busy, { eventType: 'stock.changed', count: 400 })
      await addDelivered(hub, busy, { eventType: 'product.saved', count: 110 })
      const call = (body: object) => hub.call('POST', '/webhook-deliveries/replay', { body })
      const filter = { connectionId: busy }
      t.match(problemOf(await call({ filter })), { code: 'LNK_DELIVERIES_TOO_MANY' })

      t.match(await call({ filter: { ...filter, eventType: 'stock.changed' } }), { status: 202, json: { jobs: 400 } })
      t.match(problemOf(await call({ filter, includeReplayed: true })), { code: 'LNK_DELIVERIES_TOO_MANY' })
      t.match(await call({ filter }), {
        status: 202,
        json: { matched: 510, isMore: false, jobs: 110, alreadyReplayed: 400 }
      })
    })

    t.test('a delivery past its time is 410 with the date, and a deleted connection is 404', async t => {
      const id = await deliver(hub, shop, stockChanged())
      const { replayableUntil } = await findDelivery(hub, id)
      nowMs = 7 * 86_400_000 + 60_000
      t.match(problemOf(await replay(id)), {
        status: 410,
        code: 'LNK_DELIVERY_EXPIRED',
        detail: new RegExp(replayableUntil)
      })
      nowMs = 0

      const gone = randomUUID()
      const orphan = randomUUID()
      await hub.database().query(
        `
        insert into jobs (id, job_type, lane, connection_id, object_key, idempotency_key, payload, outcome, finished_at)
        values ($1, 'a.job', 'state', $2::uuid, 'x', 'webhook:shopa:' || $2::uuid || ':e', $3, 'succeeded', now())`,
        [
          orphan,
          gone,
          JSON.stringify({
            eventType: 'stock.changed',
            objectType: 'stock',
            externalId: '27',
            occurredAt: '2026-01-31T11:00:00Z',
            publishedAt: '2026-01-31T11:00:00Z'
          })
        ]
      )
      t.match(problemOf(await replay(orphan)), { status: 404, code: 'LNK_CONNECTION_NOT_FOUND' })
      t.match(await list(hub, `connectionId=${gone}`), [{ id: orphan, status: 'succeeded' }])
    })
  })
}

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: refusals are counted by their reasons, and forged requests write no row each`, async t => {
    const hub = await buildTestHub(t, { mode })
    const shop = await hub.connect('shopa')
    const refusalsOf = async (connectionId: string) =>
      (await hub.call('GET', `/connections/${connectionId}/webhooks/refusals`)).json
    const countRows = async (table: string) => (await hub.database().query(`select from ${table}`)).length
    t.strictSame(await refusalsOf(shop), [])

    const forge = (connectionId: string) =>
      hub.call('POST', `/webhooks/shopa/${connectionId}`, {
        body: stockChanged(),
        headers: {
          'x-linker-timestamp': String(Date.now()),
          'x-linker-signature': `sha256=${randomUUID().replaceAll('-', '').repeat(2)}`
        }
      })
    const before = await countRows('webhook_refusals')
    const forged = await Promise.all(Array.from({ length: 300 }, () => forge(shop)))
    await Promise.all(Array.from({ length: 300 }, () => forge(randomUUID())))
    const late = await hub.call('POST', `/webhooks/shopa/${shop}`, {
      body: {},
      headers: {
        'x-linker-timestamp': String(Date.now() - 3_600_000),
        'x-linker-signature': `sha256=${'0'.repeat(64)}`
      }
    })
    const large = await hub.call('POST', `/webhooks/shopa/${shop}`, { body: { text: 'x'.repeat(300_000) } })
    const elsewhere = await hub.call('POST', `/webhooks/mktb/${shop}`, { body: {} })
    const signed = await hub.deliver(shop, stockChanged({ eventType: 'Not An Event Type' }))

    t.strictSame([forged[0], late, large, elsewhere, signed].map(answer => answer?.status), [401, 401, 413, 404, 400])
    const counts = await refusalsOf(shop) as {
      code: string,
      count: number,
      lastDetail: string | null,
      remedy: string
    }[]
    t.match(Object.fromEntries(counts.map(({ code, ...count }) => [code, count])), {
      LNK_SIGNATURE_MISMATCH: {
        count: 300,
        lastDetail:
          'The signature does not match the body received: the secret differs, or other bytes were signed than sent'
      },
      LNK_TIMESTAMP_OUTSIDE_WINDOW: { count: 1, lastDetail: /3600 s behind the hub's clock/, remedy: /clock/ },
      LNK_PAYLOAD_TOO_LARGE: { count: 1 },
      LNK_WEBHOOK_CONNECTION_NOT_FOUND: { count: 1 },
      LNK_WEBHOOK_MALFORMED: { count: 1, lastDetail: null }
    })
    t.equal(await countRows('webhook_refusals'), before, 'the first minute writes nothing')
    t.equal(await countRows('ignored_events'), 0)

    await hub.restart()
    t.strictSame(await refusalsOf(shop), counts, 'a hub that stops stores what it has')
    t.equal(await countRows('webhook_refusals'), 5)
    t.match(problemOf(await hub.call('GET', `/connections/${randomUUID()}/webhooks/refusals`)), {
      status: 404,
      code: 'LNK_CONNECTION_NOT_FOUND'
    })
  })
}
