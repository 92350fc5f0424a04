import t, { type Test } from 'tap'
import { createApi, eventually, type ApiClient } from '../support/api.ts'
import { buildTestHub, type Job } from '../support/hub.ts'
import { startHubProcess } from '../support/hub-process.ts'
import { cheapestMode, openMode } from '../support/modes.ts'
import { adapterPackages, makeProject } from '../support/project.ts'
import { ownModules } from '../fixtures/modules.ts'
import { installZoo, misbehaves, type Misbehaviour } from '../fixtures/zoo/index.ts'

const admin = 'a-token-of-more-than-thirty-two-characters'
const name = 'zoomisbehaves.api.v1@1.0.0'
const apiKey = 'a-key-that-nobody-may-read'

interface AdapterView { packageName: string, state: string, isolation: string | null, error?: { code: string, message: string } }

async function connect (call: ApiClient): Promise<string> {
  const created = await call('POST', '/connections', { body: { name: 'Badly served', platformType: misbehaves.platformType, credentials: { apiKey } } })
  if (created.status !== 201) throw new Error(created.text)
  return (created.json as { id: string }).id
}

/** Each on an object of its own, so that none stands for another. */
async function run (call: ApiClient, connectionId: string, how: Misbehaviour | 'behave', externalId: string = how): Promise<string> {
  const jobType = how === 'behave' ? 'zoomisbehaves.behave.run' : 'zoomisbehaves.misbehave.run'
  const accepted = await call('POST', '/jobs', { body: { jobType, connectionId, payload: { how, externalId } } })
  if (accepted.status !== 202) throw new Error(accepted.text)
  return (accepted.json as { jobId: string }).jobId
}

async function adapterOf (call: ApiClient): Promise<AdapterView | undefined> {
  return ((await call('GET', '/adapters')).json as AdapterView[]).find(({ packageName }) => packageName === misbehaves.name)
}

function ended (call: ApiClient, id: string): Promise<Job> {
  return eventually(`the end of job ${id}`, async () => {
    const job = (await call('GET', `/jobs/${id}?wait=5`)).json as Job
    return job.finishedAt === null ? undefined : job
  })
}

t.test('an adapter in a thread that loops, fills the memory, exits and leaves errors behind ends crashed, and the others do not wait for it', async t => {
  const hub = await buildTestHub(t, {
    mode: cheapestMode(process.env),
    install: directory => installZoo(directory, [misbehaves]),
    config: { adapters: [...adapterPackages, { use: misbehaves.name, isolation: 'worker' }] }
  })
  const shop = await hub.connect('shopa')
  const bad = await connect(hub.call)
  const good: Job[] = []
  const culprits: string[] = []
  for (const [index, how] of (['loop', 'allocate', 'exit', 'reject', 'loop', 'exit', 'late-throw'] as const).entries()) {
    culprits.push(await run(hub.call, bad, how, `${how}-${index}`))
    const requestId = `neighbour-${index}`
    t.equal((await hub.deliver(shop, { eventType: 'stock.changed', objectType: 'stock', externalId: '27', requestId })).status, 202)
    good.push(...await hub.jobsOf(requestId))
  }

  t.ok(good.length >= 7 && good.every(job => job.status === 'succeeded'), `${good.length} jobs of the neighbour succeeded`)
  const crashed = await eventually('the adapter to stay down', async () => {
    const found = await adapterOf(hub.call)
    return found?.state === 'crashed' ? found : undefined
  })
  t.match(crashed, { error: { code: 'LNK_ADAPTER_CRASHED', message: /zoomisbehaves\.api\.v1@1\.0\.0.*more than 5 times/ } })
  t.ok(hub.log.some(line => line.includes('serves no more') && line.includes(name)), 'the log names it')
  t.equal((await hub.call('GET', '/readyz')).status, 200)

  const waiting = await run(hub.call, bad, 'behave')
  await eventually('a job of it to wait with the reason', async () => {
    const { status, problem } = (await hub.call('GET', `/jobs/${waiting}`)).json as Job
    return status === 'waiting' && problem?.code === 'LNK_ADAPTER_UNAVAILABLE' ? true : undefined
  })
  t.notMatch([...hub.log, crashed.error?.message, (await hub.call('GET', '/jobs')).text].join('\n'), apiKey)

  // The budget is the process's: started anew, the adapter serves what waited.
  await hub.restart({ config: { adapters: [...adapterPackages, { use: misbehaves.name, isolation: 'worker' }] } })
  t.equal((await adapterOf(hub.call))?.state, 'ready')
  t.equal((await hub.call('GET', `/jobs/${culprits[0]}`)).status, 200, 'its jobs are still known')
})

interface Alone { call: ApiClient, hub: Awaited<ReturnType<typeof startHubProcess>>, connectionId: string }

/** A hub in a process of its own with the adapter inline. */
async function startInline (t: Test): Promise<Alone> {
  const place = await openMode(cheapestMode(process.env), process.env)
  t.teardown(() => place.close())
  const { directory, remove } = await makeProject({ adapters: [misbehaves.name] })
  t.teardown(remove)
  await ownModules(directory)
  await installZoo(directory, [misbehaves])
  const hub = await startHubProcess(directory, { ...place.variables, ADMIN_TOKEN: admin })
  t.teardown(() => hub.kill())
  const call = createApi(hub.url, admin)
  return { call, hub, connectionId: await connect(call) }
}

for (const how of ['block', 'exit', 'reject', 'late-throw'] as const) {
  t.test(`an inline adapter that does '${how}' to the hub's thread is named and moved to one of its own`, async t => {
    const { call, hub, connectionId } = await startInline(t)
    t.equal((await adapterOf(call))?.isolation, 'inline')
    await run(call, connectionId, how)

    await eventually('the adapter to be moved', async () => (await adapterOf(call))?.isolation === 'worker' ? true : undefined)
    await eventually('the log to name it', async () => hub.log.some(line => line.includes(name) && /blocked the event loop|nobody handled/.test(line)) ? true : undefined)
    t.match(await ended(call, await run(call, connectionId, 'behave')), { status: 'succeeded', adapter: name })
    t.notMatch([...hub.log, (await call('GET', '/jobs')).text].join('\n'), apiKey)
    t.equal(await hub.stop(), 0)
  })
}

t.test('a hub whose inline adapter loops for ever starts anew, with that adapter in a thread', async t => {
  const { hub, call, connectionId } = await startInline(t)
  const culprit = await run(call, connectionId, 'loop')

  const url = await hub.nextUrl()
  const again = createApi(url, admin)
  t.equal((await adapterOf(again))?.isolation, 'worker')
  t.match(await ended(again, await run(again, connectionId, 'behave')), { status: 'succeeded' })
  t.equal((await again('GET', `/jobs/${culprit}`)).status, 200, 'the job that looped is not lost')
  t.ok(hub.log.some(line => line.includes('starts anew') && line.includes(name)), 'the log says why')
})
