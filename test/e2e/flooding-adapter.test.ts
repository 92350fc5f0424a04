import t, { type Test } from 'tap'
import { ownModules } from '../fixtures/modules.ts'
import { floods, installFlooding, installZoo, misbehaves, type InstalledAdapter } from '../fixtures/zoo/index.ts'
import { createApi, eventually, type ApiClient } from '../support/api.ts'
import { startHubProcess, type HubProcess } from '../support/hub-process.ts'
import type { Job } from '../support/hub.ts'
import { cheapestMode, openMode } from '../support/modes.ts'
import { makeProject } from '../support/project.ts'

const admin = 'a-token-of-more-than-thirty-two-characters'
const apiKey = 'a-key-that-nobody-may-read'
/** How long a job of another connection may wait while an adapter floods the hub. */
const longestWaitMs = 5_000

interface Flooded {
  hub: HubProcess
  call: ApiClient
  adapter: InstalledAdapter
  connect(how?: string): Promise<string>
  /** Runs a job of the adapter and waits for its end. */
  run(connectionId: string, jobType: string, payload?: object): Promise<Job>
  /** Runs the flood named `how` on a new connection and waits for its end. */
  flood(how: string): Promise<Job>
}

function floodWith (hub: HubProcess, call: ApiClient, adapter: InstalledAdapter): Flooded {
  const flooded: Flooded = {
    hub,
    call,
    adapter,
    connect: how => connect(call, adapter.platformType, how === undefined ? {} : { how }),
    run: (connectionId, jobType, payload = {}) => run(call, connectionId, jobType, payload),
    flood: async how => run(call, await flooded.connect(), `${adapter.platformType}.flood.run`, { how })
  }
  return flooded
}

async function connect (call: ApiClient, platformType: string, config: object): Promise<string> {
  const created = await call('POST', '/connections', {
    body: { name: 'Flooding', platformType, config, credentials: { apiKey } }
  })
  if (created.status !== 201) throw new Error(created.text)
  return (created.json as { id: string }).id
}

/**
 * Keeps the jobs of a connection from being tried again. Each try would end the thread that later
 * tests use, until the hub no longer starts the adapter.
 */
async function disable (t: Test, call: ApiClient, connectionId: string): Promise<void> {
  t.equal((await call('PATCH', `/connections/${connectionId}/disable`)).status, 200)
}

async function run (call: ApiClient, connectionId: string, jobType: string, payload: object): Promise<Job> {
  const accepted = await call('POST', '/jobs', { body: { jobType, connectionId, payload } })
  if (accepted.status !== 202) throw new Error(accepted.text)
  const { jobId } = accepted.json as { jobId: string }
  return eventually(`the end of ${jobType}`, async () => {
    const job = (await call('GET', `/jobs/${jobId}?wait=5`)).json as Job
    return job.finishedAt === null ? undefined : job
  })
}

/**
 * Runs jobs of another connection one after the other until it is stopped, and returns how long
 * each took.
 */
async function startNeighbour (call: ApiClient): Promise<{ stop(): Promise<number[]> }> {
  const connectionId = await connect(call, misbehaves.platformType, {})
  const waitsMs: number[] = []
  let isStopped = false
  async function work (): Promise<void> {
    for (let index = 0; !isStopped; index += 1) {
      const startedAt = performance.now()
      const { status } = await run(call, connectionId, `${misbehaves.platformType}.behave.run`, {
        externalId: String(index)
      })
      if (status !== 'succeeded') throw new Error(`the job of the neighbour is ${status}`)
      waitsMs.push(performance.now() - startedAt)
      await new Promise(resolve => {
        setTimeout(resolve, 50)
      })
    }
  }
  const working = work()
  working.catch(() => undefined)
  return {
    async stop () {
      isStopped = true
      await working
      return waitsMs
    }
  }
}

for (const isolation of ['inline', 'worker'] as const) {
  t.test(`an adapter that floods the hub, ${isolation}`, async t => {
    const place = await openMode(cheapestMode(process.env), process.env)
    t.teardown(() => place.close())
    const { directory, remove } = await makeProject({
      adapters: [{ use: `${floods.name}-much`, isolation }, { use: `${floods.name}-more`, isolation }, misbehaves.name]
    })
    t.teardown(remove)
    await ownModules(directory)
    await installZoo(directory, [misbehaves])
    const adapter = await installFlooding(directory, 'much')
    const growing = await installFlooding(directory, 'more')
    const hub = await startHubProcess(directory, { ...place.variables, ADMIN_TOKEN: admin })
    t.teardown(() => hub.kill())
    const call = createApi(hub.url, admin)
    const neighbour = await startNeighbour(call)
    const flooded = floodWith(hub, call, adapter)

    await testListings(t, flooded)
    await testAnswers(t, flooded)
    await testQuotas(t, flooded)
    if (isolation === 'worker') await testPosts(t, flooded)
    await (isolation === 'worker' ? testThreadMemory(t, flooded) : testGrowth(t, floodWith(hub, call, growing)))
    await t.test('the other connections hardly notice', async t => {
      const waitsMs = (await neighbour.stop()).toSorted((one, other) => one - other)
      const p99 = waitsMs[Math.ceil(waitsMs.length * 0.99) - 1] ?? Infinity

      t.ok(waitsMs.length >= 10, `${waitsMs.length} jobs`)
      t.ok(p99 <= longestWaitMs, `p99 ${Math.round(p99)} ms`)
      t.equal((await call('GET', '/readyz')).status, 200)
      t.notMatch(hub.log.join('\n'), apiKey)
    })
  })
}

async function testListings (t: Test, { call, adapter, connect, run }: Flooded): Promise<void> {
  const listings: [string, string, RegExp][] = [
    [
      'master.inventory.syncAll',
      'many-items',
      /InventoryMaster\.listStock answered 1500000 stock levels where 50000 are allowed/
    ],
    ['master.inventory.syncAll', 'large-items', /InventoryMaster\.listStock answered more than 16777216 bytes/],
    [
      'master.inventory.syncAll',
      'same-cursor',
      /InventoryMaster\.listStock answered a cursor that it had answered before/
    ],
    [
      'master.inventory.syncAll',
      'turning-cursors',
      /InventoryMaster\.listStock answered a cursor that it had answered before/
    ],
    ['master.inventory.syncAll', 'empty-pages', /InventoryMaster\.listStock answered 100 empty pages in a row/],
    ['marketplace.offers.sync', 'same-cursor', /Marketplace\.listOffers answered a cursor that it had answered before/],
    [
      'marketplace.orders.sweep',
      'same-cursor',
      /Marketplace\.listOrders answered a cursor that it had answered before/
    ],
    [
      'marketplace.orders.poll',
      'turning-cursors',
      /Marketplace\.listOrderEvents answered a cursor that it had answered before/
    ]
  ]
  for (const [jobType, how, message] of listings) {
    await t.test(`${jobType} with ${how} ends, and the method is named`, async t => {
      const connectionId = await connect(how)
      await run(connectionId, jobType)

      // A long listing goes on in another job.
      const dead = await eventually('its end', async () => {
        const dead = (await call('GET', `/jobs?connectionId=${connectionId}&status=dead`)).json as Job[]
        return dead.find(job => job.jobType === jobType)
      })
      t.match(dead, { adapter: adapter.adapter, problem: { message } })
    })
  }
}

async function testAnswers (t: Test, { call, adapter, connect, flood }: Flooded): Promise<void> {
  await t.test('a long message of the connection test is refused, a longish one is cut', async t => {
    const long = (await call('POST', `/connections/${await connect('long-message')}/test`)).json
    t.match(long, { success: false, message: /test answered more than 262144 bytes/ })

    const { message, checks } = (await call('POST', `/connections/${await connect()}/test`)).json as {
      message: string,
      checks: { hint?: string }[]
    }
    t.equal(message.length, 2_000)
    t.equal(checks.length, 21)
    t.ok(checks.every(({ hint = '' }) => hint.length <= 2_000))
  })

  await t.test('the answer of a job is bounded', async t => {
    t.match(await flood('large-result'), {
      status: 'dead',
      adapter: adapter.adapter,
      problem: { message: /flood\.run answered a result of more than 262144 bytes/ }
    })
    t.match(await flood('many-levels'), {
      status: 'dead',
      problem: { message: /flood\.run answered 50000 stock where 10000 are allowed/ }
    })
  })

  await t.test('the text of an error is bounded', async t => {
    const connectionId = await connect()
    const accepted = await call('POST', '/jobs', {
      body: { jobType: `${adapter.platformType}.flood.run`, connectionId, payload: { how: 'long-error' } }
    })
    const { jobId } = accepted.json as { jobId: string }
    const job = await eventually('a failed attempt', async () => {
      const found = await call('GET', `/jobs/${jobId}`)
      return (found.json as Job).problem === null ? undefined : found
    })

    t.ok(job.text.length < 100_000, `${job.text.length} characters`)
    await disable(t, call, connectionId)
  })

  await t.test('the body of a route is bounded', async t => {
    const answer = await call('GET', `/integrations/${adapter.platformType}/large`)

    t.match(answer, { status: 500, json: { code: 'LNK_ADAPTER_FAILED' } })
    t.match(answer.text, adapter.adapter)
  })
}

async function testQuotas (t: Test, { hub, call, adapter, connect, flood, run }: Flooded): Promise<void> {
  const quotas: [string, RegExp][] = [
    ['many-jobs', /a call enqueues at most 1000 jobs/],
    ['many-cursors', /a call sets at most 100 cursors/],
    ['many-values', /the values of a connection have at most 33554432 bytes together/]
  ]
  for (const [how, message] of quotas) {
    await t.test(`${how} are refused with the limit`, async t => {
      t.match(await flood(how), { status: 'dead', adapter: adapter.adapter, problem: { message } })
    })
  }

  await t.test('a call that enqueues too much stores nothing', async t => {
    t.strictSame((await call('GET', `/jobs?jobType=${adapter.platformType}.quiet.run`)).json, [])
  })

  await t.test('lines of the log are bounded, in number and in length', async t => {
    const linesOf = (): string[] => hub.log.filter(line => line.includes(adapter.adapter))
    await run(await connect(), `${adapter.platformType}.flood.run`, { how: 'many-lines' })
    await run(await connect(), `${adapter.platformType}.flood.run`, { how: 'long-line' })

    await eventually(
      'a line that says so',
      async () => linesOf().some(line => line.includes('writes more than 1000 lines a minute')) ? true : undefined
    )
    // The flood may have lasted beyond the end of a minute.
    t.ok(linesOf().filter(line => line.includes('one more line')).length <= 2_000)
    t.ok(hub.log.every(line => line.length < 100_000))
  })
}

async function testThreadMemory (t: Test, { hub, adapter, connect, call, run }: Flooded): Promise<void> {
  await t.test('a thread that keeps buffers beyond its limit is ended and named, with what it held', async t => {
    await call('POST', '/jobs', {
      body: { jobType: `${adapter.platformType}.flood.run`, connectionId: await connect(), payload: { how: 'buffers' } }
    })

    const line = await eventually(
      'the log to name it',
      async () => hub.log.find(text => text.includes(adapter.adapter) && text.includes('used more memory than allowed'))
    )
    t.match(JSON.parse(line), { reason: 'memory' })
    t.match(
      await run(await connect(), `${adapter.platformType}.quiet.run`),
      { status: 'succeeded' },
      'it is started again'
    )
  })
}

async function testGrowth (t: Test, { hub, adapter, call, connect, run }: Flooded): Promise<void> {
  await t.test("an adapter that keeps more and more of the hub's memory is named and moved to a thread", async t => {
    const connectionId = await connect()
    let calls = 0
    await eventually('the adapter to be moved', async () => {
      calls += 1
      await run(connectionId, `${adapter.platformType}.flood.run`, {
        how: calls % 2 === 0 ? 'leak' : 'leak-buffers',
        externalId: String(calls)
      })
      await new Promise(resolve => {
        setTimeout(resolve, 500)
      })
      const adapters = (await call('GET', '/adapters')).json as { packageName: string, isolation: string }[]
      return adapters.find(({ packageName }) => packageName === adapter.name)?.isolation === 'worker' ? true : undefined
    })

    await eventually(
      'the log to say why',
      async () => hub.log.find(line => line.includes(`the adapter ${adapter.adapter} keeps more and more`))
    )
    t.notOk(
      hub.log.some(line =>
        line.includes(`the adapter ${misbehaves.platformType}`) && line.includes('keeps more and more')
      ),
      'and names nobody else'
    )
  })
}

async function testPosts (t: Test, { hub, adapter, connect, call, run }: Flooded): Promise<void> {
  await t.test('a thread that posts more past the SDK is ended and named', async t => {
    const connectionId = await connect()
    const accepted = await call('POST', '/jobs', {
      body: { jobType: `${adapter.platformType}.flood.run`, connectionId, payload: { how: 'posts' } }
    })
    t.equal(accepted.status, 202)

    await eventually(
      'the log to name it',
      async () =>
        hub.log.some(line => line.includes(adapter.adapter) && line.includes('a message that is too large'))
          ? true
          : undefined
    )
    await disable(t, call, connectionId)
    t.match(
      await run(await connect(), `${adapter.platformType}.quiet.run`),
      { status: 'succeeded' },
      'it is started again'
    )
  })
}
