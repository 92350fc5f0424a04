import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { eventually } from '../support/api.ts'
import { feedshopManifest } from '../support/feedshop.ts'
import { startHubProcess } from '../support/hub-process.ts'
import { buildTestHub, type Job, type TestHub } from '../support/hub.ts'
import { availableModes, cheapestMode } from '../support/modes.ts'
import { pointersOf, problemOf } from '../support/problem.ts'
import type { ForeignPackage } from '../support/project.ts'
import { openProxy, type Proxy } from '../support/proxy.ts'

interface ScheduleView {
  connectionId: string
  name: string
  every: string
  enabled: boolean
  job: string
  nextAt: string | null
  lastJobId?: string
  lastJobStatus?: string
}

const nowhere = '00000000-0000-4000-8000-000000000000'

/** A feed that looks for articles by the clock; version 2 also sweeps. */
const feed = (name: string, version: string): ForeignPackage => ({
  manifest: feedshopManifest({ name, version, permissions: { jobs: ['feedshop.*'], schedules: true } }),
  source: `
    import { defineAdapter } from '@linker/sdk'
    export default defineAdapter({
      config: { type: 'object' },
      credentials: { type: 'null' },
      connect: () => null,
      account: async () => undefined,
      capabilities: {},
      jobs: {
        'feedshop.articles.poll': {
          payload: {
            type: 'object',
            additionalProperties: false,
            required: ['externalId'],
            properties: { externalId: { type: 'string' } }
          },
          run: async (client, job) => ({ result: job.payload })
        }
      },
      schedules: [
        { name: 'feedshop-poll', every: '1d', job: 'feedshop.articles.poll', payload: { externalId: 'all' } },
        ...(${
    JSON.stringify(version.startsWith('2'))
  } ? [{ name: 'feedshop-sweep', every: '2m', job: 'feedshop.articles.poll', payload: { externalId: 'sweep' } }] : [])
      ]
    })`
})

const packages = [feed('@acme/adapter-feedshop-v1', '1.0.0'), feed('@acme/adapter-feedshop-v1-next', '2.0.0')]

type FeedHub = TestHub & {
  create(more?: object): Promise<string>,
  /** Waits until a connection has `count` jobs and all have ended. Returns them, oldest first. */
  jobsOfConnection(id: string, count: number): Promise<Job[]>,
  schedules(id: string): Promise<ScheduleView[]>
}

async function buildFeedHub (
  t: Test,
  options: Partial<Parameters<typeof buildTestHub>[1]> = {},
  isolation: 'inline' | 'worker' = 'inline'
): Promise<FeedHub> {
  const adapters = packages.map(({ manifest }) => ({ use: manifest.name, isolation }))
  const hub = await buildTestHub(t, {
    mode: cheapestMode(process.env),
    packages,
    config: { adapters },
    // Other processes on the same state see it, too.
    install: directory => writeFile(join(directory, 'linker.config.json'), JSON.stringify({ adapters })),
    ...options
  })
  return Object.assign(hub, {
    async create (more: object = {}) {
      const created = await hub.call('POST', '/connections', {
        body: { name: 'Feed', platformType: 'feedshop', adapterVersion: '1.0.0', ...more }
      })
      if (created.status !== 201) throw new Error(created.text)
      return (created.json as { id: string }).id
    },
    jobsOfConnection: (id: string, count: number) =>
      eventually(`${count} jobs of the connection`, async () => {
        const jobs = (await hub.call('GET', `/jobs?connectionId=${id}&limit=200`)).json as Job[]
        return jobs.length >= count && jobs.every(({ finishedAt }) => finishedAt !== null)
          ? jobs.toReversed()
          : undefined
      }),
    schedules: async (id: string) => (await hub.call('GET', `/schedules?connectionId=${id}`)).json as ScheduleView[]
  })
}

for (const isolation of ['inline', 'worker'] as const) {
  t.test(
    `a schedule of an adapter that runs ${isolation} fires right after the connection was created, and then slot ` +
      'by slot',
    async t => {
      let nowMs = Date.now()
      const hub = await buildFeedHub(t, { now: () => new Date(nowMs) }, isolation)
      const id = await hub.create()
      const [first] = await hub.jobsOfConnection(id, 1)
      const [before] = await hub.schedules(id)

      t.match(first, {
        jobType: 'feedshop.articles.poll',
        connectionId: id,
        status: 'succeeded',
        result: { externalId: 'all' },
        idempotencyKey: new RegExp(`^schedule:feedshop-poll:${id}:\\d+$`)
      })
      t.match(before, {
        connectionId: id,
        name: 'feedshop-poll',
        every: '1d',
        enabled: true,
        job: 'feedshop.articles.poll',
        lastJobId: first?.id,
        lastJobStatus: 'succeeded'
      })
      const nextMs = Date.parse(before?.nextAt ?? '')
      t.ok(nextMs > nowMs && nextMs <= nowMs + 86_400_000, `next at ${before?.nextAt}`)

      nowMs = nextMs
      const [, second, ...more] = await hub.jobsOfConnection(id, 2)

      t.strictSame(more, [])
      t.equal((await hub.schedules(id))[0]?.lastJobId, second?.id)
      await hub.restart({
        now: () => new Date(nowMs),
        config: { adapters: packages.map(({ manifest }) => ({ use: manifest.name, isolation })) }
      })
      const witness = await hub.create()
      await hub.jobsOfConnection(witness, 1)
      t.equal((await hub.jobsOfConnection(id, 2)).length, 2, 'a restart makes no second job for a slot')
    }
  )
}

t.test('the schedules of many connections', async t => {
  // Time stands still, except for a millisecond per connection that orders them: a slot of a day
  // may begin at any time of the day.
  let nowMs = Date.now()
  const hub = await buildFeedHub(t, { now: () => new Date(nowMs) })
  const create = async (more?: object): Promise<string> => {
    nowMs += 1
    return hub.create(more)
  }
  const [id, other] = [await create(), await create()]
  await Promise.all([id, other].map(connectionId => hub.jobsOfConnection(connectionId, 1)))
  const change = (name: string, body: object, connectionId = id) =>
    hub.call('PATCH', `/connections/${connectionId}/schedules/${name}`, { body })

  t.test('another interval fires from now on, for that connection alone', async t => {
    t.match(await change('feedshop-poll', { every: '6h' }), {
      status: 200,
      json: { connectionId: id, every: '6h', enabled: true }
    })
    t.equal((await hub.jobsOfConnection(id, 2)).length, 2)
    t.match(await hub.schedules(other), [{ every: '1d' }])
  })

  t.test("a schedule that is switched off keeps its interval, silently; null is the adapter's again", async t => {
    t.match(await change('feedshop-poll', { enabled: false }), { json: { every: '6h', enabled: false, nextAt: null } })
    t.match(await change('feedshop-poll', { every: null }), { json: { every: '1d', enabled: false } })
    t.match(await change('feedshop-poll', { enabled: true }), { json: { every: '1d', enabled: true, nextAt: String } })
  })

  t.test('an unknown schedule of a connection, or a wrong interval, is refused', async t => {
    t.match(problemOf(await change('feedshop-sweep', { enabled: false })), {
      status: 404,
      code: 'LNK_SCHEDULE_NOT_FOUND',
      detail: /feedshop-poll/
    })
    t.match(problemOf(await change('feedshop-poll', { enabled: false }, nowhere)), {
      status: 404,
      code: 'LNK_CONNECTION_NOT_FOUND'
    })
    t.match(problemOf(await hub.call('GET', `/schedules?connectionId=${nowhere}`)), {
      status: 404,
      code: 'LNK_CONNECTION_NOT_FOUND'
    })
    for (const every of ['0s', '5', '1w', '-1m', '1.5h', '']) {
      t.strictSame([...new Set(pointersOf(await change('feedshop-poll', { every })))], ['/every'], every)
    }
    t.match(problemOf(await change('feedshop-poll', {})), { status: 400 })
    t.strictSame(pointersOf(await change('feedshop-poll', { always: true })), ['/always'])
  })

  t.test('are those of the version that serves a connection, also after it moved', async t => {
    t.strictSame((await hub.schedules(other)).map(({ name }) => name), ['feedshop-poll'])
    await hub.call('PATCH', `/connections/${other}`, { body: { adapterVersion: '2.0.0' } })
    const jobs = await hub.jobsOfConnection(other, 2)

    t.strictSame(jobs.map(({ idempotencyKey }) => idempotencyKey.split(':')[1]), ['feedshop-poll', 'feedshop-sweep'])
    t.strictSame((await hub.schedules(other)).map(({ name, every }) => `${name} ${every}`), [
      'feedshop-poll 1d',
      'feedshop-sweep 2m'
    ])
  })

  t.test('fire while the connection is active', async t => {
    const disabled = await create({ status: 'disabled' })
    await hub.jobsOfConnection(await create(), 1)

    t.strictSame((await hub.call('GET', `/jobs?connectionId=${disabled}`)).json, [])
    t.match(await hub.schedules(disabled), [{
      name: 'feedshop-poll',
      enabled: true,
      nextAt: null,
      lastJobId: undefined,
      lastJobStatus: undefined
    }])
    await hub.call('PATCH', `/connections/${disabled}`, { body: { status: 'active' } })
    t.equal((await hub.jobsOfConnection(disabled, 1)).length, 1)
  })

  t.test('are listed connection by connection, page by page', async t => {
    const found: string[][] = []
    for (let path: string | undefined = '/schedules?limit=1'; path !== undefined && found.length < 10;) {
      const { json, headers } = await hub.call('GET', path)
      found.push((json as ScheduleView[]).map(({ connectionId, name }) => `${connectionId} ${name}`))
      path = /^<([^>]+)>/.exec(String(headers.link ?? ''))?.[1]
    }

    t.strictSame(found.slice(0, 2), [[`${id} feedshop-poll`], [`${other} feedshop-poll`, `${other} feedshop-sweep`]])
    t.strictSame(found.map(({ length }) => length), [1, 2, 1, 1, 0])
  })
})

const served = availableModes(process.env).filter(mode => mode !== 'embedded')
if (served.length === 0) t.pass('schedules of several processes', { skip: 'needs PostgreSQL' })

for (const mode of served.slice(0, 1)) {
  t.test(`${mode}: several processes make one job of a slot`, async t => {
    const hub = await buildFeedHub(t, { mode })
    const ids = await Promise.all(Array.from({ length: 20 }, () => hub.create({ adapterVersion: '2.0.0' })))
    const others = await Promise.all(['worker', 'all'].map(role =>
      startHubProcess(hub.directory, { ...hub.variables, LINKER_ROLE: role, LOG_LEVEL: 'warn' })
    ))
    for (const other of others) {
      t.teardown(() =>
        other.kill()
      )
    }
    for (const id of ids) {
      await hub.call('PATCH', `/connections/${id}/schedules/feedshop-sweep`, {
        body: { every: '1s' }
      })
    }
    // Wait for some slots of a second, no matter which process fires them.
    const all = await Promise.all(ids.map(id => hub.jobsOfConnection(id, 6)))

    for (const [index, jobs] of all.entries()) {
      const slots = jobs.map(({ idempotencyKey }) => idempotencyKey)
      t.equal(new Set(slots).size, slots.length)
      // A new slot of a day may begin meanwhile.
      t.ok(slots.filter(slot => slot.includes('feedshop-poll')).length <= 2)
      for (const slot of slots) t.match(slot, new RegExp(`^schedule:feedshop-(poll|sweep):${ids[index]}:\\d+$`))
    }
    t.strictSame(others.flatMap(({ log }) => log).filter(line => line.includes('"component":"schedules"')), [])
  })

  t.test(`${mode}: a hub whose database was away goes on with the slot of now`, async t => {
    const proxies: Proxy[] = []
    let nowMs = Date.now()
    const hub = await buildFeedHub(t, {
      mode,
      now: () => new Date(nowMs),
      async reroute (variables) {
        const database = await openProxy(t, variables.DATABASE_URL ?? '')
        proxies.push(database)
        return { ...variables, DATABASE_URL: database.url }
      }
    })
    const id = await hub.create()
    await hub.jobsOfConnection(id, 1)

    for (const proxy of proxies) proxy.cut()
    nowMs += 3 * 86_400_000
    await eventually('a look that fails', async () =>
      hub.log.some(line => line.includes('the schedules wait for the database')) ? true : undefined)
    for (const proxy of proxies) {
      proxy.mend()
    }

    t.equal((await hub.jobsOfConnection(id, 2)).length, 2)
  })
}
