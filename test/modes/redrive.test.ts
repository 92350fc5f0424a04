import { generateCatalog } from '@linker/simulators'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { eventually } from '../support/api.ts'
import { startHubProcess } from '../support/hub-process.ts'
import { buildTestHub, type Job, type TestHub } from '../support/hub.ts'
import { availableModes, type Mode } from '../support/modes.ts'
import { pointersOf, problemOf } from '../support/problem.ts'
import { openShopAndMarket } from '../support/shop-and-market.ts'

interface Redrive {
  id: string
  state: string
  detail: string
  total: number
  retried: number
  succeeded: number
  deadAgain: number
  inProgress: number
  skipped: { reason: string, count: number }[]
  remaining: number
  endedAt: string | null
}

const jobType = 'master.product.syncByExternalId'
const nowhere = '00000000-0000-4000-8000-000000000000'
const atOnce = 30

/** A shop that answered no question about its products, and the jobs that died of it. */
async function openOutage (t: Test, mode: Mode, count: number) {
  const hub = await buildTestHub(t, { mode })
  const products = generateCatalog({ products: count, combinationsEach: 0 })
  for (const product of products) hub.shop.addProduct(product)
  const shopId = await hub.connect('shopa', { name: 'My shop' })
  hub.shop.faults.add({
    method: 'GET',
    path: /^\/api\/products/,
    times: Number.POSITIVE_INFINITY,
    answer: { status: 404 }
  })
  const ids: string[] = []
  for (let start = 0; start < count; start += atOnce) {
    const answers = await Promise.all(products.slice(start, start + atOnce).map(({ id }) =>
      hub.call('POST', '/jobs', { body: { jobType, connectionId: shopId, payload: { externalId: String(id) } } })
    ))
    ids.push(...answers.map(({ json }) =>
      (json as { jobId: string }).jobId
    ))
  }
  await eventually(`${count} dead jobs`, async () => await countDead(hub) === count ? true : undefined)
  return { hub, shopId, ids }
}

async function countDead (hub: TestHub): Promise<number> {
  const { groups } = (await hub.call('GET', '/jobs/groups')).json as { groups: { count: number }[] }
  return groups.reduce((sum, { count }) => sum + count, 0)
}

async function start (hub: TestHub, body: object, key: string = randomUUID()): Promise<string> {
  const { status, text, json } = await hub.call('POST', '/jobs/retry', { body, headers: { 'idempotency-key': key } })
  if (status !== 202) throw new Error(text)
  return (json as { id: string }).id
}

const read = async (hub: TestHub, id: string): Promise<Redrive> =>
  (await hub.call('GET', `/redrives/${id}`)).json as Redrive

const when = (hub: TestHub, id: string, isIt: (redrive: Redrive) => boolean): Promise<Redrive> =>
  eventually(`redrive ${id}`, async () => {
    const redrive = await read(hub, id)
    return isIt(redrive) ? redrive : undefined
  })

const become = (hub: TestHub, id: string, state: string): Promise<Redrive> =>
  when(hub, id, redrive => redrive.state === state && redrive.inProgress === 0)

const list = async (hub: TestHub): Promise<Redrive[]> => (await hub.call('GET', '/redrives')).json as Redrive[]

async function readJobs (hub: TestHub, ids: readonly string[]): Promise<Job[]> {
  const jobs: Job[] = []
  for (let start = 0; start < ids.length; start += atOnce) {
    const answers = await Promise.all(ids.slice(start, start + atOnce).map(id => hub.call('GET', `/jobs/${id}`)))
    jobs.push(...answers.map(({ json }) => json as Job))
  }
  return jobs
}

/** One attempt succeeded, which is the last, and none began before the one before had ended. */
function ranOnceAtATime (attempts: Job['attempts']): boolean {
  return attempts.every(({ startedAt, error }, index) => {
    const before = attempts[index - 1]
    return (error === undefined) === (index === attempts.length - 1) &&
      (before === undefined || startedAt >= before.finishedAt)
  })
}

for (const mode of availableModes(process.env)) {
  // More than one step takes at once, in one of the modes: a step is the same in all of them.
  const dead = mode === 'full' ? 510 : 60
  t.test(`${mode}: ${dead} dead jobs run again after an outage`, async t => {
    const count = dead
    const { hub, shopId, ids } = await openOutage(t, mode, count)
    const filter = { connectionId: shopId, code: 'LNK_ADAPTER_CONFIGURATION' }

    t.test('bad requests name what is wrong and leave nothing', async t => {
      const wrong: [object, string][] = [
        [{}, '/filter'],
        [{ filter: {} }, '/filter'],
        [{ filter: {}, dryRun: true }, '/filter'],
        [{ filter: { status: 'dead' } }, '/filter/status'],
        [{ filter: { connectionId: '7' } }, '/filter/connectionId'],
        [{ filter: { jobIds: [] } }, '/filter/jobIds'],
        [{ filter: { jobIds: ['7'] } }, '/filter/jobIds/0'],
        [{ filter: { code: 'rejected' } }, '/filter/code'],
        [{ filter: { since: 'yesterday' } }, '/filter/since'],
        [{ filter, first: 0 }, '/first'],
        [{ filter, first: 1.5 }, '/first'],
        [{ filter, perMinute: 0 }, '/perMinute'],
        [{ filter, perMinute: '60' }, '/perMinute'],
        [{ filter, limit: 1 }, '/limit']
      ]
      for (const [body, pointer] of wrong) {
        const answer = await hub.call('POST', '/jobs/retry', { body })
        t.match(problemOf(answer), { status: 400, code: 'LNK_REQUEST_INVALID' }, JSON.stringify(body))
        t.strictSame(pointersOf(answer), [pointer], JSON.stringify(body))
      }
      for (const path of [`/redrives/${nowhere}`, `/redrives/${nowhere}/continue`, `/redrives/${nowhere}/stop`]) {
        const answer = await hub.call(path.endsWith(nowhere) ? 'GET' : 'POST', path)
        t.match(problemOf(answer), { status: 404, code: 'LNK_REDRIVE_NOT_FOUND' })
      }
      t.match(problemOf(await hub.call('GET', '/redrives/7')), { status: 400 })
      t.match(problemOf(await hub.call('GET', '/redrives?limit=0')), { status: 400 })
      t.strictSame(await list(hub), [])
      t.equal(await countDead(hub), count)
    })

    t.test('a dry run tells what would happen, and changes nothing', async t => {
      const { status, json } = await hub.call('POST', '/jobs/retry', { body: { filter, dryRun: true } })
      const none = await hub.call('POST', '/jobs/retry', { body: { filter: { connectionId: nowhere }, dryRun: true } })
      t.equal(status, 200)
      t.match(json, {
        matched: count,
        eligible: count,
        skipped: { length: 0 },
        byGroup: [{
          connectionId: shopId,
          connectionName: 'My shop',
          jobType,
          code: 'LNK_ADAPTER_CONFIGURATION',
          count
        }],
        atMost: false
      })
      t.strictSame((json as { sample: Job[] }).sample.map(job => job.status), Array.from({ length: 10 }, () => 'dead'))
      t.match(none.json, { matched: 0, eligible: 0, byGroup: { length: 0 }, sample: { length: 0 } })
      t.strictSame(await list(hub), [])
      t.equal(await countDead(hub), count)
    })

    t.test('jobs of a disabled connection are skipped', async t => {
      await hub.call('PATCH', `/connections/${shopId}/disable`)
      const { json } = await hub.call('POST', '/jobs/retry', { body: { filter, dryRun: true } })
      t.match(json, { matched: count, eligible: 0, skipped: [{ reason: 'connection-disabled', count }] })
      await hub.call('PATCH', `/connections/${shopId}`, { body: { status: 'active' } })
    })

    t.test('while the outage lasts, the first job dies again, and the redrive says so', async t => {
      const id = await start(hub, { filter, first: 2 })
      const waiting = await become(hub, id, 'waiting')
      const stopped = await hub.call('POST', `/redrives/${id}/stop`)
      const again = await hub.call('POST', `/redrives/${id}/stop`)

      t.match(waiting, {
        detail: /^2 of the first 2 jobs died again/,
        retried: 2,
        deadAgain: 2,
        remaining: count - 2,
        deaths: [{ code: 'LNK_ADAPTER_CONFIGURATION', count: 2 }]
      })
      t.match([stopped.status, again.status], [200, 200])
      t.match(await become(hub, id, 'stopped'), { remaining: count - 2, endedAt: /Z$/ })
      t.match(problemOf(await hub.call('POST', `/redrives/${id}/continue`)), { status: 409, code: 'LNK_REDRIVE_ENDED' })
      t.equal(await countDead(hub), count)
    })

    t.test('after it the first job succeeds, and so do the others, each in one attempt', async t => {
      hub.shop.faults.clear()
      const before = await readJobs(hub, ids)
      const key = randomUUID()
      const body = { filter, first: 1 }
      const answer = await hub.call('POST', '/jobs/retry', { body, headers: { 'idempotency-key': key } })
      const { id } = answer.json as { id: string }
      t.match(answer, { status: 202, headers: { location: `/redrives/${id}` }, json: { redriveId: id, total: count } })
      t.equal(await start(hub, body, key), id)
      t.match(await become(hub, id, 'waiting'), { retried: 1, succeeded: 1, remaining: count - 1 })

      const [byHand = ''] = ids.slice(-1)
      t.equal((await hub.call('POST', `/jobs/${byHand}/retry`)).status, 202)
      t.match(await hub.endOf(byHand), { status: 'succeeded' })
      t.equal((await hub.call('POST', `/redrives/${id}/continue`)).status, 200)
      const done = await become(hub, id, 'done')

      t.match(done, {
        total: count,
        retried: count - 1,
        succeeded: count - 1,
        deadAgain: 0,
        skipped: [{ reason: 'not-dead', count: 1 }],
        remaining: 0,
        startedBy: { kind: 'token' },
        endedAt: /Z$/
      })
      const after = await readJobs(hub, ids)
      t.ok(after.every(({ status }) => status === 'succeeded'))
      t.strictSame(
        after.map(({ attempts }) => attempts.length),
        before.map(({ attempts }) => attempts.length + 1)
      )
      t.equal(await countDead(hub), 0)
      for (const change of ['continue', 'stop']) {
        const refused = await hub.call('POST', `/redrives/${id}/${change}`)
        t.match(problemOf(refused), { status: 409, code: 'LNK_REDRIVE_ENDED' })
      }
      t.match(await list(hub), [{ id, state: 'done' }, { state: 'stopped' }])
      const { headers, json } = await hub.call('GET', '/redrives?limit=1')
      t.match(json, [{ id }])
      const next = /<([^>]+)>/.exec(String(headers.link))?.[1] ?? ''
      t.match((await hub.call('GET', next)).json, [{ state: 'stopped' }])
    })

    t.test('the audit says who began, continued and stopped', async t => {
      const { json } = await hub.call('GET', '/audit?limit=200')
      const actions = (json as { action: string, actor: { kind: string } }[])
        .filter(({ action }) => action.startsWith('job.redrive'))
      t.strictSame(actions.map(({ action }) => action), [
        'job.redrive.continue',
        'job.redrive',
        'job.redrive.stop',
        'job.redrive'
      ])
      t.ok(actions.every(({ actor }) => actor.kind === 'token'))
    })
  })

  t.test(`${mode}: orders that failed with their jobs are made once`, async t => {
    const { hub, offer, poll, orderWhen, settle } = await openShopAndMarket(t, { mode, isPolandActive: false })
    const placed = [1, 2, 3].map(() => hub.market.placeOrder({ lines: [{ externalId: offer, quantity: 1 }] }))
    await poll()
    for (const order of placed) await orderWhen(order, 'failed')
    hub.shop.setCountryActive('PL', true)
    const id = await start(hub, { filter: { jobType: 'master.order.create' } })
    t.match(await become(hub, id, 'done'), { total: 3, succeeded: 3, deadAgain: 0 })
    for (const order of placed) await orderWhen(order, 'created')
    await settle()

    t.equal(hub.shop.orders().length, 3)
  })

  t.test(`${mode}: a slow redrive stops half-way`, async t => {
    const { hub, shopId } = await openOutage(t, mode, 20)
    hub.shop.faults.clear()
    const id = await start(hub, { filter: { connectionId: shopId }, perMinute: 60 })
    await when(hub, id, ({ retried }) => retried > 0)
    t.match((await hub.call('POST', `/redrives/${id}/stop`)).json, { state: 'stopped' })
    const { retried, succeeded, remaining } = await become(hub, id, 'stopped')

    t.ok(retried > 0 && remaining > 0)
    t.strictSame([succeeded, retried + remaining], [retried, 20])
    t.equal(await countDead(hub), remaining)
  })

  t.test(`${mode}: another process goes on with a redrive whose process ended`, async t => {
    const count = 120
    const { hub, shopId, ids } = await openOutage(t, mode, count)
    hub.shop.faults.clear()
    const body = { filter: { connectionId: shopId }, perMinute: 1_200 }
    const startWorker = async () => {
      const worker = await startHubProcess(hub.directory, {
        ...hub.variables,
        LINKER_ROLE: 'worker',
        LOG_LEVEL: 'warn'
      })
      t.teardown(() => worker.kill())
      return worker
    }
    if (mode === 'embedded') {
      const id = await start(hub, body)
      await when(hub, id, ({ retried }) => retried > 0)
      await hub.restart()
      t.match(await become(hub, id, 'done'), { total: count, retried: count, succeeded: count, skipped: { length: 0 } })
    } else {
      await hub.restart({ variables: { LINKER_ROLE: 'http' } })
      const worker = await startWorker()
      const id = await start(hub, body)
      const { remaining } = await when(hub, id, ({ retried }) => retried > 0)
      await worker.kill()
      t.ok(remaining > 0, 'it was under way')
      await startWorker()
      t.match(await become(hub, id, 'done'), { total: count, retried: count, succeeded: count, skipped: { length: 0 } })
    }
    t.ok((await readJobs(hub, ids)).every(({ status }) => status === 'succeeded'))
  })

  if (mode === 'embedded') continue
  t.test(`${mode}: two processes work on a redrive, and run each job again once`, async t => {
    const count = 150
    const { hub, shopId, ids } = await openOutage(t, mode, count)
    hub.shop.faults.clear()
    const other = await startHubProcess(hub.directory, { ...hub.variables, LOG_LEVEL: 'warn' })
    t.teardown(() => other.kill())
    const call = hub.at(other.url)
    const made = await Promise.all([hub.call, call].map(ask =>
      ask('POST', '/jobs/retry', { body: { filter: { connectionId: shopId, jobType } } })
    ))
    const redrives = await Promise.all(made.map(({ json }) =>
      become(hub, (json as { id: string }).id, 'done')
    ))

    t.equal(redrives.reduce((sum, { retried }) => sum + retried, 0), count)
    t.ok(redrives.every(({ remaining, deadAgain }) => remaining === 0 && deadAgain === 0))
    // The hub repeats an attempt that fails because a busy shop answers late: no second redrive.
    const jobs = await readJobs(hub, ids)
    t.strictSame(jobs.filter(({ status, attempts }) => status !== 'succeeded' || !ranOnceAtATime(attempts)), [])
  })
}
