import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createApi, eventually, type ApiClient } from '../support/api.ts'
import { startHubProcess } from '../support/hub-process.ts'
import { buildTestHub, endOf, type Job, type TestHub } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'
import { pointersOf, problemOf } from '../support/problem.ts'
import type { ForeignPackage } from '../support/project.ts'

interface View {
  budget: Record<'declared' | 'own' | 'effective', { ratePerSecond: number, burst: number } | null>
  throttledUntil: string | null
  breaker: { state: string, openings: number, failure: string | null }
  areas: { name: string, throttledUntil: string | null }[]
}

type WaitingJob = Job & { waitsFor: { reason: string, detail: string, until?: string } | null }

/** An adapter whose jobs send requests to the paths that they name. */
function sender (platformType: string, budget?: object): ForeignPackage {
  return {
    manifest: {
      name: `@acme/adapter-${platformType}-v1`,
      version: '1.0.0',
      engines: { linker: '^0.1.0' },
      linker: {
        adapterKey: `${platformType}.api.v1`,
        platformType,
        displayName: platformType,
        capabilities: [],
        permissions: { jobs: [`${platformType}.*`], http: ['${config.baseUrl}'] }
      }
    },
    source: `
      import { defineAdapter } from '@linker/sdk'
      export default defineAdapter({
        config: { type: 'object', properties: { baseUrl: { type: 'string' } } },
        credentials: { type: 'null' },
        ${budget === undefined ? '' : `budget: ${JSON.stringify(budget)},`}
        connect: ({ http, config }) => http({ baseUrl: config.baseUrl, retries: 0 }),
        account: async () => undefined,
        capabilities: {},
        jobs: {
          '${platformType}.requests.send': {
            payload: { type: 'object' },
            async run (http, { payload: { count, ignoresFailures, area } }) {
              for (let sent = 0; sent < count; sent++) {
                const request = http.request({ method: 'GET', path: 'thing', area })
                await (ignoresFailures ? request.catch(() => undefined) : request)
              }
              return {}
            }
          }
        }
      })`
  }
}

// So slow that a test sees the requests of one burst, however long it takes.
const declared = { ratePerSecond: 0.002, burst: 6 }
const lower = { ratePerSecond: 0.002, burst: 3 }
const packages = [sender('quota', declared), sender('fast', { ratePerSecond: 1_000, burst: 1_000 }), sender('free')]
/** It runs in a thread of its own. */
const apart = sender('apart')
const config = {
  adapters: [...packages.map(({ manifest }) => manifest.name), {
    use: apart.manifest.name,
    isolation: 'worker' as const
  }]
}

type PlatformType = 'quota' | 'fast' | 'free' | 'apart'

interface Platform {
  url: string
  /** The number of requests of a connection, by the path of its base URL. */
  countOf(name: string): number
  /** The status and headers with which it answers from now on. */
  answers(status: number, headers?: Record<string, string>): void
}

async function startPlatform (t: Test): Promise<Platform> {
  const counts = new Map<string, number>()
  let answer: [number, Record<string, string>] = [200, {}]
  const server = createServer((request, response) => {
    const [, name = ''] = request.url?.split('/') ?? []
    counts.set(name, (counts.get(name) ?? 0) + 1)
    response.writeHead(...answer).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    countOf: name => counts.get(name) ?? 0,
    answers (status, headers = {}) {
      answer = [status, headers]
    }
  }
}

/** A new connection to the platform, and the steps that tests take with it. */
async function openLine (hub: TestHub, platform: Platform, platformType: PlatformType) {
  const name = randomUUID()
  const created = await hub.call('POST', '/connections', {
    body: { name, platformType, config: { baseUrl: `${platform.url}/${name}` } }
  })
  const { id } = created.json as { id: string }
  const path = `/connections/${id}/upstream`
  async function start (payload: object = {}, call: ApiClient = hub.call): Promise<string> {
    const { json, text, status } = await call('POST', '/jobs', {
      body: {
        jobType: `${platformType}.requests.send`,
        connectionId: id,
        payload: { externalId: randomUUID(), count: 1, ...payload }
      }
    })
    if (status !== 202) throw new Error(text)
    return (json as { jobId: string }).jobId
  }
  /** Changes how long the open breaker stays so. Returns false while it is closed. */
  async function openUntil (ms: number): Promise<boolean> {
    const changed = await hub.database().query(
      `update upstream_states
      set state = jsonb_set(state, '{breaker,openUntil}', to_jsonb($2::bigint)), version = version + 1
      where connection_id = $1 and state ? 'breaker'
      returning 1`,
      [id, ms]
    )
    return changed.length > 0
  }
  const read = async (jobId: string): Promise<WaitingJob> =>
    (await hub.call('GET', `/jobs/${jobId}`)).json as WaitingJob

  return {
    id,
    path,
    start,
    /** Starts some jobs of one request each. */
    startMany: async (count: number, call?: ApiClient): Promise<string[]> =>
      Promise.all(Array.from({ length: count }, () => start({}, call))),
    requests: () => platform.countOf(name),
    view: async (): Promise<View> => (await hub.call('GET', path)).json as View,
    limit: (body: object) => hub.call('PUT', `${path}/budget`, { body }),
    unlimit: () => hub.call('DELETE', `${path}/budget`),
    reset: () => hub.call('POST', `${path}/reset`),
    /** Waits until a job waits because of the traffic, and returns it. */
    waits: (jobId: string) =>
      eventually('the job to wait for its turn', async () => {
        const job = await read(jobId)
        return job.status === 'waiting' && job.waitsFor !== null ? job : undefined
      }),
    /** Waits until each of the jobs has ended or waits. */
    settled: (jobIds: readonly string[]) =>
      eventually('the jobs to end or wait', async () => {
        const jobs = await Promise.all(jobIds.map(read))
        const ended = jobs.filter(({ status }) => status === 'succeeded')
        const waiting = jobs.filter(({ status, waitsFor }) => status === 'waiting' && waitsFor !== null)
        return ended.length + waiting.length === jobs.length ? { ended, waiting } : undefined
      }),
    openUntil,
    /**
     * Lets the platform fail until the circuit breaker opens, and keeps it open for an hour: on a
     * slow machine a test may take longer than the 30 s of the first opening.
     */
    async breakDown () {
      platform.answers(500)
      await endOf(hub.call, await start({ count: 10, ignoresFailures: true }))
      await eventually('the breaker to open', async () => await openUntil(Date.now() + 3_600_000) ? true : undefined)
      return (await hub.call('GET', path)).json as View
    }
  }
}

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: budgets and circuit breakers of connections`, async t => {
    const platform = await startPlatform(t)
    const hub = await buildTestHub(t, { mode, packages: [...packages, apart], config })
    const open = (platformType: PlatformType) => openLine(hub, platform, platformType)
    t.beforeEach(() => {
      platform.answers(200)
    })

    t.test('the budget of the adapter is kept; jobs without a place wait and lose no attempt', async t => {
      const { start, view, requests, settled, startMany } = await open('quota')
      t.strictSame((await view()).budget, { declared, own: null, learnt: null, effective: declared })
      const { ended, waiting } = await settled(await startMany(9))

      // A request that a busy machine keeps back may use up two places.
      t.ok(ended.length > 1 && ended.length <= 6, `${ended.length} of 9 were sent`)
      t.strictSame([ended.length + waiting.length, requests()], [9, ended.length])
      t.ok(ended.every(({ attempts }) => attempts.length === 1))
      for (const { attempts, waitsFor } of waiting) {
        t.strictSame(attempts, [])
        t.match(waitsFor, { reason: 'budget', detail: /0\.002 requests per second/, until: /Z$/ })
      }
      const untils = waiting.map(({ waitsFor }) => waitsFor?.until)
      t.equal(new Set(untils).size, waiting.length, 'they come again one after the other')
      t.match((await settled([await start()])).waiting, [{ waitsFor: { reason: 'budget' } }])
    })

    t.test('an operator lowers the budget; when the limit is removed, the jobs go on at once', async t => {
      const { limit, unlimit, requests, settled, startMany } = await open('quota')
      t.match(await limit(lower), {
        status: 200,
        json: { budget: { declared, own: lower, effective: lower }, breaker: { state: 'closed' } }
      })
      const jobIds = await startMany(8)
      const limited = await settled(jobIds)
      t.ok(limited.ended.length > 0 && limited.ended.length <= 3, `${limited.ended.length} of 8 were sent`)
      t.equal(requests(), limited.ended.length)

      t.match(await unlimit(), { status: 200, json: { budget: { own: null, effective: declared } } })

      await eventually('more requests', async () => requests() > limited.ended.length ? true : undefined)
      const after = await settled(jobIds)
      t.ok(after.ended.length <= 6, `${after.ended.length} of 8 were sent`)
      t.strictSame([after.ended.length + after.waiting.length, requests()], [8, after.ended.length])
      t.ok(after.ended.every(({ attempts }) => attempts.length === 1))
      t.ok(after.waiting.every(({ attempts }) => attempts.length === 0))
    })

    t.test('a budget for an adapter that declares none is kept, too', async t => {
      const { limit, unlimit, requests, settled, startMany } = await open('free')
      await limit(lower)
      const jobIds = await startMany(6)
      const { ended, waiting } = await settled(jobIds)
      t.ok(ended.length > 0 && ended.length <= 3, `${ended.length} of 6 were sent`)
      t.strictSame([ended.length + waiting.length, requests()], [6, ended.length])

      t.match((await unlimit()).json, { budget: { declared: null, own: null, effective: null } })
      for (const jobId of jobIds) t.match(await hub.endOf(jobId), { status: 'succeeded' })
    })

    t.test('a limit above that of the adapter, or out of bounds, is refused and changes nothing', async t => {
      const { limit, view, path } = await open('quota')
      const above = await limit({ ratePerSecond: 1, burst: 7 })

      t.match(problemOf(above), {
        status: 400,
        code: 'LNK_REQUEST_INVALID',
        detail: /ratePerSecond must be at most 0\.002, .*burst must be at most 6, as the adapter declares/s
      })
      t.strictSame(pointersOf(above), ['/ratePerSecond', '/burst'])
      const free = await open('free')
      for (
        const body of [
          {},
          { ratePerSecond: 1 },
          { ratePerSecond: 0.000_9, burst: 1 },
          { ratePerSecond: 10_001, burst: 1 },
          { ratePerSecond: 1, burst: 0 },
          { ratePerSecond: 1, burst: 1.5 },
          { ratePerSecond: 1, burst: 10_001 },
          { ratePerSecond: '1', burst: 1 },
          { ratePerSecond: 1, burst: 1, reason: 'two\nlines' },
          { ratePerSecond: 1, burst: 1, other: true }
        ]
      ) {
        const refusal = problemOf(await free.limit(body))
        t.match(refusal, { status: 400, code: 'LNK_REQUEST_INVALID' }, JSON.stringify(body))
      }
      t.match(await Promise.all([view(), free.view()]), [{ budget: { own: null } }, { budget: { own: null } }])
      t.strictSame((await hub.call('GET', `/audit?connectionId=${free.id}&action=connection.budget`)).json, [])
      const read = await hub.call('POST', '/tokens', { body: { name: `reader of ${free.id}`, scope: 'read' } })
      const reader = createApi(hub.url, (read.json as { token: string }).token)
      t.equal((await reader('GET', path)).status, 200)
      t.equal((await reader('POST', `${path}/reset`)).status, 403)
    })

    t.test('a breaker opens after ten failures; jobs wait, and a reset lets them go on', async t => {
      const { id, breakDown, startMany, waits, reset, requests, view } = await open('free')
      const { breaker } = await breakDown()
      t.match(breaker, { openings: 1, openedAt: /Z$/, openUntil: /Z$/, failure: /^GET .*\/thing answered 500$/ })
      const before = requests()
      const jobIds = await startMany(3)
      for (const jobId of jobIds) {
        const { attempts, waitsFor } = await waits(jobId)
        t.strictSame(attempts, [])
        t.match(waitsFor, { reason: 'circuit-breaker', detail: /because the platform failed/, until: /Z$/ })
      }
      t.equal(requests(), before, 'the platform is left alone')
      const { groups } = (await hub.call('GET', '/jobs/groups?status=waiting')).json as {
        groups: { connectionId: string, reason: string, count: number }[]
      }
      t.match(groups.filter(({ connectionId }) => connectionId === id).map(({ reason }) => reason), ['circuit-breaker'])
      await eventually(
        'the metric',
        async () =>
          /^linker_upstream_breakers_open 1$/m.test((await hub.call('GET', '/metrics')).text) ? true : undefined
      )

      platform.answers(200)
      t.match(await reset(), { status: 200, json: { breaker: { state: 'closed', failure: null } } })

      for (const jobId of jobIds) {
        const { status, attempts } = await hub.endOf(jobId)
        t.strictSame([status, attempts.length], ['succeeded', 1])
      }
      t.match(await view(), { breaker: { state: 'closed' } })
    })

    t.test('a call that finds that the platform still fails costs its job no attempt', async t => {
      const { breakDown, openUntil, start, waits, view } = await open('free')
      await breakDown()
      const jobId = await start()
      await waits(jobId)
      await openUntil(0)
      await hub.database().query("update jobs set due_at = now() where id = $1 and state = 'returned'", [jobId])

      await eventually('the second opening', async () => (await view()).breaker.openings === 2 ? true : undefined)
      const { waitsFor } = await eventually('the failure of the job', async () => {
        const job = await waits(jobId)
        return job.attempts.length > 0 ? job : undefined
      })
      t.match(waitsFor, { reason: 'circuit-breaker', detail: /answered 500$/ })
      const [row] = await hub.database().query('select failures from jobs where id = $1', [jobId])
      t.strictSame(row, { failures: 0 })
    })

    t.test('when its time has come, one call finds out that the platform works, and all jobs go on', async t => {
      const { breakDown, openUntil, startMany, waits, view } = await open('free')
      await breakDown()
      const jobIds = await startMany(3)
      for (const jobId of jobIds) await waits(jobId)
      platform.answers(200)

      await eventually('the breaker to close', async () => {
        await openUntil(0)
        // Only one job comes again by itself: the others are released by the end of the breaker.
        await hub.database().query("update jobs set due_at = now() where id = $1 and state = 'returned'", [jobIds[0]])
        return (await view()).breaker.state === 'closed' ? true : undefined
      })

      for (const jobId of jobIds) {
        const { status, attempts } = await hub.endOf(jobId)
        t.strictSame([status, attempts.length], ['succeeded', 1])
      }
    })

    t.test('after 429 with Retry-After, other jobs wait, too, and a reset ends the pause', async t => {
      const { start, waits, requests, reset, view } = await open('free')
      platform.answers(429, { 'retry-after': '1800' })
      await waits(await start())
      await eventually('the pause', async () => (await view()).throttledUntil === null ? undefined : true)
      const jobId = await start()
      const { attempts, waitsFor } = await waits(jobId)

      t.strictSame(attempts, [])
      t.match(waitsFor, { reason: 'rate-limit', detail: /^the platform asked for a rest until \S+Z$/ })
      t.equal(requests(), 1)
      platform.answers(200)
      t.match((await reset()).json, { throttledUntil: null, budget: { learnt: null } })
      t.match(await hub.endOf(jobId), { status: 'succeeded' })
    })

    for (const platformType of ['free', 'apart'] as const) {
      t.test(`a rest of an area holds up only the jobs that need it, ${platformType}`, async t => {
        const { start, waits, requests, reset, view } = await open(platformType)
        platform.answers(503, { 'retry-after': '1800' })
        await waits(await start({ area: 'module' }))
        await eventually('the rest', async () => (await view()).areas.length === 0 ? undefined : true)
        platform.answers(200)

        const needy = await start({ area: 'module' })
        const { waitsFor } = await waits(needy)

        t.match(waitsFor, {
          reason: 'rate-limit',
          detail: /^the platform asked for a rest for its area 'module' until \S+Z$/
        })
        t.match(await hub.endOf(await start()), { status: 'succeeded' })
        t.match(await hub.endOf(await start({ area: 'reports' })), { status: 'succeeded' })
        t.equal(requests(), 3)
        t.match(await view(), { throttledUntil: null, areas: [{ name: 'module', throttledUntil: /Z$/ }] })
        t.match((await reset()).json, { areas: [] })
        t.match(await hub.endOf(needy), { status: 'succeeded' })
      })
    }

    t.test('the same request with its key is one change, whatever came after it', async t => {
      const { id, path, view, unlimit } = await open('free')
      const headers = { 'idempotency-key': `limit-${id}` }
      const put = () => hub.call('PUT', `${path}/budget`, { body: lower, headers })
      await put()
      await unlimit()
      const repeated = await put()

      t.equal(repeated.headers['idempotency-replayed'], 'true')
      t.match(await view(), { budget: { own: null } })
    })

    t.test('the budget and the audit say who limited what and why', async t => {
      const { id, path, view } = await open('free')
      const made = await hub.call('POST', '/tokens', { body: { name: `ada of ${id}`, scope: 'operate' } })
      const ada = createApi(hub.url, (made.json as { token: string }).token)
      await ada('PUT', `${path}/budget`, { body: { ...lower, reason: 'month end' } })
      t.match(await view(), {
        budget: { own: { ...lower, reason: 'month end', by: { name: `ada of ${id}` }, since: /^\d{4}-\S+Z$/ } }
      })
      await ada('PUT', `${path}/budget`, { body: { ...lower, burst: 2 } })
      await ada('DELETE', `${path}/budget`)
      await ada('POST', `${path}/reset`)

      const { json } = await hub.call('GET', `/audit?connectionId=${id}&actor=${encodeURIComponent(`ada of ${id}`)}`)
      t.match(json, [
        { action: 'connection.upstream.reset', changes: [] },
        { action: 'connection.budget', changes: [{ pointer: '/budget', from: { ...lower, burst: 2 } }] },
        {
          action: 'connection.budget',
          changes: [
            { pointer: '/budget/burst', from: 3, to: 2 },
            { pointer: '/budget/reason', from: 'month end' }
          ]
        },
        { action: 'connection.budget', changes: [{ pointer: '/budget', to: { ...lower, reason: 'month end' } }] }
      ])
      t.equal((json as unknown[]).length, 4)
    })

    t.test('a deleted connection has no traffic, and its state is gone', async t => {
      const { id, path, limit } = await open('free')
      await limit(lower)
      await hub.call('PATCH', `/connections/${id}/disable`)
      t.match(await hub.call('DELETE', `/connections/${id}`), { status: 200 })

      for (
        const answer of [
          await hub.call('GET', path),
          await limit(lower),
          await hub.call('DELETE', `${path}/budget`),
          await hub.call('POST', `${path}/reset`)
        ]
      ) t.match(problemOf(answer), { status: 404, code: 'LNK_CONNECTION_NOT_FOUND' })
      t.strictSame(await hub.database().query('select from upstream_states where connection_id = $1', [id]), [])
    })

    t.test('a restart keeps budget, breaker and the jobs that wait', async t => {
      const { breakDown, limit, start, waits, view, reset } = await open('free')
      await limit({ ratePerSecond: 100, burst: 100 })
      await breakDown()
      const jobId = await start()
      await waits(jobId)
      const before = await view()

      await hub.restart({ config })

      t.strictSame(await view(), before)
      t.match(await waits(jobId), { attempts: [], waitsFor: { reason: 'circuit-breaker' } })
      platform.answers(200)
      await reset()
      t.match(await hub.endOf(jobId), { status: 'succeeded' })
    })
  })

  if (mode === 'embedded') continue

  t.test(`${mode}: processes share a budget and a breaker, and a command reaches both`, async t => {
    const platform = await startPlatform(t)
    const hub = await buildTestHub(t, { mode, packages: [...packages, apart], config })
    await writeFile(join(hub.directory, 'linker.config.json'), JSON.stringify(config))
    const other = await startHubProcess(hub.directory, hub.variables)
    t.teardown(() => other.kill())
    const there = hub.at(other.url)
    // A process asks for each request of these adapters, so it misses no change for a moment.
    const limited = await openLine(hub, platform, 'quota')
    await there('PUT', `${limited.path}/budget`, { body: lower })
    const { ended } = await limited.settled([...await limited.startMany(4), ...await limited.startMany(4, there)])
    t.strictSame([ended.length, limited.requests()], [3, 3])

    const broken = await openLine(hub, platform, 'fast')
    const view = await broken.breakDown()
    t.strictSame((await there('GET', broken.path)).json, view)
    const jobIds = [...await broken.startMany(2), ...await broken.startMany(2, there)]
    t.equal((await broken.settled(jobIds)).waiting.length, 4)
    platform.answers(200)
    await there('POST', `${broken.path}/reset`)

    for (const jobId of jobIds) {
      const { status, attempts } = await hub.endOf(jobId)
      t.strictSame([status, attempts.length], ['succeeded', 1])
    }
  })
}
