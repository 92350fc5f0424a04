import { randomUUID } from 'node:crypto'
import t from 'tap'
import { eventually } from '../support/api.ts'
import { countRows } from '../support/count-rows.ts'
import { buildTestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import { pointersOf, problemOf } from '../support/problem.ts'

const hourMs = 3_600_000

t.test('a POST with an Idempotency-Key', async t => {
  let passedMs = 0
  const startMs = Date.now()
  // The clock stands still: on a busy machine the last second before the hub forgets a key must not
  // pass by itself.
  const now = (): Date => new Date(startMs + passedMs)
  const hub = await buildTestHub(t, { mode: cheapestMode(process.env), now })
  const body = (name: string): object => ({
    name,
    platformType: 'mktb',
    credentials: hub.keys.market,
    allowSameAccount: true
  })
  const create = (key: string, name = 'Marketplace') =>
    hub.call('POST', '/connections', { headers: { 'idempotency-key': key }, body: body(name) })
  const connections = async (): Promise<number> => (await countRows(hub.database())).connections ?? 0

  t.test('does its work once and answers repetitions what it answered first', async t => {
    const key = randomUUID()
    const before = await connections()
    const first = await create(key)
    const again = await create(key)

    t.equal(first.status, 201)
    t.equal(first.headers['idempotency-replayed'], undefined)
    t.equal(again.status, 201)
    t.equal(again.text, first.text)
    t.equal(again.headers['idempotency-replayed'], 'true')
    for (const name of ['content-type', 'location', 'etag']) t.equal(again.headers[name], first.headers[name], name)
    t.not(again.headers['x-request-id'], first.headers['x-request-id'])
    t.equal(await connections(), before + 1)
  })

  t.test('is refused when the key came with another body, and not on another route', async t => {
    const key = randomUUID()
    const { json } = await create(key)
    const other = await create(key, 'Another name')
    const job = await hub.call('POST', '/jobs', {
      headers: { 'idempotency-key': key },
      body: {
        jobType: 'inventory.propagateToMarketplaces',
        connectionId: (json as { id: string }).id,
        payload: { variantId: randomUUID() }
      }
    })

    t.match(problemOf(other), { status: 422, code: 'LNK_IDEMPOTENCY_KEY_REUSED' })
    t.equal(job.status, 202)
  })

  t.test('sent ten times at once makes one connection', async t => {
    const key = randomUUID()
    const before = await connections()
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(key)))

    t.equal(await connections(), before + 1)
    t.equal(
      answers.filter(({ status, headers }) => status === 201 && headers['idempotency-replayed'] === undefined).length,
      1
    )
    t.equal(new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text)).size, 1)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      t.match(problemOf(answer), { status: 409, code: 'LNK_IDEMPOTENCY_KEY_RUNNING' })
    }
  })

  t.test('is told to wait while the first one is under way, and continues its work when that died', async t => {
    const key = randomUUID()
    const first = await create(key)
    const before = await connections()
    // Make the row look as if a process died between its work and its answer.
    await hub.database().query('update idempotency_keys set answer_status = null, answer_body = null where key = $1', [
      key
    ])
    const running = await create(key)
    passedMs += 61_000
    const continued = await create(key)
    const again = await create(key)

    t.match(problemOf(running), { status: 409, code: 'LNK_IDEMPOTENCY_KEY_RUNNING' })
    t.equal(running.headers['retry-after'], '1')
    t.equal(continued.status, 201)
    t.strictSame(continued.json, first.json, 'the connection that was made before')
    t.equal(await connections(), before)
    t.equal(again.headers['idempotency-replayed'], 'true')
  })

  t.test('uses up nothing when it is refused', async t => {
    const key = randomUUID()
    const before = await countRows(hub.database())
    const invalid = await create(key, '')
    const refused = await hub.call('POST', '/connections', {
      headers: { 'idempotency-key': key },
      body: { ...body('No such platform'), platformType: 'nobody' }
    })
    const unauthorized = await hub.call('POST', '/connections', {
      headers: { 'idempotency-key': key, authorization: 'Bearer x' },
      body: body('Stranger')
    })

    t.strictSame([invalid.status, refused.status, unauthorized.status], [400, 400, 401])
    t.strictSame(await countRows(hub.database()), before)
    t.equal((await create(key)).status, 201)
  })

  t.test('is refused with a malformed key', async t => {
    for (const key of ['', 'a b', 'a'.repeat(256), 'käse']) {
      const answer = await create(key)
      t.equal(answer.status, 400, key)
      t.strictSame(pointersOf(answer), ['/headers/idempotency-key'])
    }
  })

  t.test('starts one job and answers its id again', async t => {
    const connectionId = await hub.connect('shopa')
    const run = (key: string) =>
      hub.call('POST', '/jobs', {
        headers: { 'idempotency-key': key },
        body: { jobType: 'master.product.syncByExternalId', connectionId, payload: { externalId: '27' } }
      })
    const key = randomUUID()
    const [first, again, other] = [await run(key), await run(key), await run(randomUUID())]

    t.equal(first.status, 202)
    t.strictSame(again.json, first.json)
    t.notSame(other.json, first.json)
    t.match(await hub.endOf((first.json as { jobId: string }).jobId), {
      jobType: 'master.product.syncByExternalId',
      status: 'succeeded'
    })
  })

  t.test('links an offer and answers 201 again, where without the key it would be 200', async t => {
    const [shop, connectionId] = [await hub.connect('shopa'), await hub.connect('mktb')]
    const run = await hub.call('POST', '/jobs', {
      body: { jobType: 'master.product.syncByExternalId', connectionId: shop, payload: { externalId: '28' } }
    })
    await hub.endOf((run.json as { jobId: string }).jobId)
    const [product] = (await hub.call('GET', `/products?connectionId=${shop}&externalId=28`)).json as {
      variants: { id: string }[]
    }[]
    hub.market.addProduct('offer-1')
    const link = { connectionId, variantId: product?.variants[0]?.id, externalId: 'offer-1' }
    const headers = { 'idempotency-key': randomUUID() }
    const [first, again, without] = [
      await hub.call('POST', '/offers/link', { headers, body: link }),
      await hub.call('POST', '/offers/link', { headers, body: link }),
      await hub.call('POST', '/offers/link', { body: link })
    ]

    t.strictSame([first.status, again.status, without.status], [201, 201, 200])
    t.equal(again.text, first.text)
  })

  t.test('is forgotten after 24 hours', async t => {
    const key = randomUUID()
    const first = await create(key)
    passedMs += 24 * hourMs - 1_000
    const late = await create(key)
    passedMs += 2_000
    const other = await create(key, 'Another name')
    passedMs += 25 * hourMs
    await hub.restart({ now })

    t.equal(late.text, first.text)
    t.equal(other.status, 201)
    t.not((other.json as { id: string }).id, (first.json as { id: string }).id)
    await eventually('a start to remove what is old', async () => {
      const { idempotency_keys: keys } = await countRows(hub.database())
      return keys === 0 ? true : undefined
    })
  })
})
