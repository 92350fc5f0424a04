import t from 'tap'
import { ownModules } from '../fixtures/modules.ts'
import {
  installMisbehaving,
  installZoo,
  misbehaves,
  type MisbehavingAdapter,
  type Misbehaviour
} from '../fixtures/zoo/index.ts'
import { createApi, eventually, type ApiClient } from '../support/api.ts'
import { startHubProcess } from '../support/hub-process.ts'
import { buildTestHub, type Job } from '../support/hub.ts'
import { cheapestMode, openMode } from '../support/modes.ts'
import { adapterPackages, makeProject } from '../support/project.ts'

const admin = 'a-token-of-more-than-thirty-two-characters'
const threaded: Served = {
  name: misbehaves.name,
  platformType: misbehaves.platformType,
  adapter: `${misbehaves.platformType}.api.v1@1.0.0`
}
const apiKey = 'a-key-that-nobody-may-read'

type Served = Pick<MisbehavingAdapter, 'name' | 'platformType' | 'adapter'>

interface AdapterView {
  packageName: string
  state: string
  isolation: string | null
  error?: { code: string, message: string }
}

async function connect (call: ApiClient, { platformType }: Served): Promise<string> {
  const created = await call('POST', '/connections', {
    body: { name: 'Badly served', platformType, credentials: { apiKey } }
  })
  if (created.status !== 201) throw new Error(created.text)
  return (created.json as { id: string }).id
}

/** Each job names its own object, so that no job stands for another. */
async function run (
  call: ApiClient,
  connectionId: string,
  how: Misbehaviour | 'behave',
  { platformType }: Served,
  externalId: string = how
): Promise<string> {
  const jobType = `${platformType}.${how === 'behave' ? 'behave' : 'misbehave'}.run`
  const accepted = await call('POST', '/jobs', { body: { jobType, connectionId, payload: { how, externalId } } })
  if (accepted.status !== 202) throw new Error(accepted.text)
  return (accepted.json as { jobId: string }).jobId
}

async function adapterOf (call: ApiClient, { name }: Served): Promise<AdapterView | undefined> {
  return ((await call('GET', '/adapters')).json as AdapterView[]).find(({ packageName }) => packageName === name)
}

function ended (call: ApiClient, id: string): Promise<Job> {
  return eventually(`the end of job ${id}`, async () => {
    const job = (await call('GET', `/jobs/${id}?wait=5`)).json as Job
    return job.finishedAt === null ? undefined : job
  })
}

t.test(
  'an adapter in a thread that loops, fills the memory, exits and leaves errors behind ends crashed, and the ' +
    'others do not wait for it',
  async t => {
    const hub = await buildTestHub(t, {
      mode: cheapestMode(process.env),
      install: directory => installZoo(directory, [misbehaves]),
      config: { adapters: [...adapterPackages, { use: misbehaves.name, isolation: 'worker' }] }
    })
    const shop = await hub.connect('shopa')
    const bad = await connect(hub.call, threaded)
    const good: Job[] = []
    const culprits: string[] = []
    for (
      const [index, how] of (['loop', 'allocate', 'exit', 'reject', 'loop', 'exit', 'late-throw'] as const).entries()
    ) {
      culprits.push(await run(hub.call, bad, how, threaded, `${how}-${index}`))
      const requestId = `neighbour-${index}`
      t.equal(
        (await hub.deliver(shop, { eventType: 'stock.changed', objectType: 'stock', externalId: '27', requestId }))
          .status,
        202
      )
      good.push(...await hub.jobsOf(requestId))
    }

    t.ok(
      good.length >= 7 && good.every(job => job.status === 'succeeded'),
      `${good.length} jobs of the neighbour succeeded`
    )
    const crashed = await eventually('the adapter to stay down', async () => {
      const found = await adapterOf(hub.call, threaded)
      return found?.state === 'crashed' ? found : undefined
    })
    t.match(crashed, {
      error: { code: 'LNK_ADAPTER_CRASHED', message: /zoomisbehaves\.api\.v1@1\.0\.0.*more than 5 times/ }
    })
    t.ok(
      hub.log.some(line => line.includes('is not available any more') && line.includes(threaded.adapter)),
      'the log names it'
    )
    t.equal((await hub.call('GET', '/readyz')).status, 200)

    const waiting = await run(hub.call, bad, 'behave', threaded)
    await eventually('a job of it to wait with the reason', async () => {
      const { status, problem } = (await hub.call('GET', `/jobs/${waiting}`)).json as Job
      return status === 'waiting' && problem?.code === 'LNK_ADAPTER_UNAVAILABLE' ? true : undefined
    })
    t.notMatch([...hub.log, crashed.error?.message, (await hub.call('GET', '/jobs')).text].join('\n'), apiKey)

    // The process keeps the count of deaths: after a restart of the hub the adapter runs the job
    // that waited.
    await hub.restart({ config: { adapters: [...adapterPackages, { use: misbehaves.name, isolation: 'worker' }] } })
    t.equal((await adapterOf(hub.call, threaded))?.state, 'ready')
    t.equal((await hub.call('GET', `/jobs/${culprits[0]}`)).status, 200, 'its jobs are still known')
  }
)

const ways = ['loop', 'block', 'exit', 'reject', 'late-throw'] as const

/** All ways share a hub, so each way is also tested after the ways before it. */
t.test('adapters that run inline', async t => {
  const place = await openMode(cheapestMode(process.env), process.env)
  t.teardown(() => place.close())
  const { directory, remove } = await makeProject({ adapters: ways.map(how => `${misbehaves.name}-${how}`) })
  t.teardown(remove)
  await ownModules(directory)
  const [looping, ...others] = await installMisbehaving(directory, ways)
  const hub = await startHubProcess(directory, { ...place.variables, ADMIN_TOKEN: admin })
  t.teardown(() => hub.kill())
  const call = createApi(hub.url, admin)
  const logOf = ({ adapter }: Served): string[] => hub.log.filter(line => line.includes(adapter))

  for (const one of others) {
    const { how } = one
    t.test(`an adapter that does '${how}' to the hub's thread is named and moved to one of its own`, async t => {
      const connectionId = await connect(call, one)
      t.equal((await adapterOf(call, one))?.isolation, 'inline')
      await run(call, connectionId, how, one)

      await eventually(
        'the adapter to be moved',
        async () => (await adapterOf(call, one))?.isolation === 'worker' ? true : undefined
      )
      await eventually(
        'the log to name it',
        async () => logOf(one).some(line => /blocked the event loop|an unhandled error/.test(line)) ? true : undefined
      )
      t.match(await ended(call, await run(call, connectionId, 'behave', one)), {
        status: 'succeeded',
        adapter: one.adapter
      })
      t.equal((await adapterOf(call, looping))?.isolation, 'inline', 'no other is moved')
      t.notMatch([...hub.log, (await call('GET', '/jobs')).text].join('\n'), apiKey)
    })
  }

  t.test('an adapter that loops for ever makes the hub start anew, with that adapter in a thread', async t => {
    const connectionId = await connect(call, looping)
    const culprit = await run(call, connectionId, 'loop', looping)

    const url = await hub.nextUrl()
    const again = createApi(url, admin)
    t.equal((await adapterOf(again, looping))?.isolation, 'worker')
    t.match(await ended(again, await run(again, connectionId, 'behave', looping)), { status: 'succeeded' })
    t.equal((await again('GET', `/jobs/${culprit}`)).status, 200, 'the job that looped is not lost')
    t.ok(logOf(looping).some(line => line.includes('the hub restarts')), 'the log says why')
    t.equal(await hub.stop(), 0)
  })
})
