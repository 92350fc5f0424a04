import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ownModules } from '../../fixtures/modules.ts'
import {
  floods,
  installFlooding,
  installMisbehaving,
  installPatching,
  installZoo,
  misbehaves,
  saysEscapes,
  tellsSecrets,
  type Misbehaviour
} from '../../fixtures/zoo/index.ts'
import { createApi, type ApiClient } from '../../support/api.ts'
import { freePort } from '../../support/free-port.ts'
import { startHubProcess, type HubProcess } from '../../support/hub-process.ts'
import { openMode, type Mode } from '../../support/modes.ts'
import { makeProject } from '../../support/project.ts'
import { defineBench } from '../bench.ts'
import { percentilesOf, repeat } from '../report/figures.ts'
import { openReport } from '../report/report.ts'

type Isolation = 'inline' | 'worker'
/** How many seconds each job waited for its start, and how many jobs the hub refused. */
interface Probed {
  waits: number[]
  refused: number
}
interface JobView {
  finishedAt: string | null
  problem: object | null
  attempts: readonly { startedAt: string }[]
}
interface Adapter {
  name: string
  platformType: string
}

/** A way to misbehave, and how to cause it. */
interface Trouble {
  title: string
  install(projectDirectory: string): Promise<readonly Adapter[]>
  cause(hub: Client, adapters: readonly Adapter[]): Promise<void>
}

interface Client {
  connect(adapter: Adapter, config?: object): Promise<string>
  /** Waits for the end of the job, at most `longestActMs`. */
  run(connectionId: string, jobType: string, payload?: object): Promise<void>
  test(connectionId: string): Promise<void>
  call: ApiClient
}

const probeEveryMs = 50
const retryEveryMs = 20
const longestActMs = 15_000
/** After the last act the hub may still be busy with it. */
const afterwardsMs = 4_000

const replacing = ['parse', 'stringify', 'promise', 'namespace', 'accessor', 'new-member', 'later'] as const
const misbehaving = ['block', 'exit', 'reject', 'late-throw'] as const
const listings = ['many-items', 'large-items', 'same-cursor', 'turning-cursors', 'empty-pages'] as const
const answers = ['large-result', 'many-levels', 'long-error'] as const
const quotas = ['many-jobs', 'many-cursors', 'many-values', 'many-lines', 'long-line'] as const
const leaks = ['leak', 'leak-buffers', 'leak', 'leak-buffers'] as const

const installFloods = async (directory: string): Promise<Adapter[]> => [await installFlooding(directory, 'much')]

/** Runs `zoofloods.flood.run` in each of these ways, each for a connection of its own. */
function floodIn (ways: readonly string[]): Trouble['cause'] {
  return async (hub, adapters) => {
    for (const adapter of adapters) {
      for (const how of ways) await hub.run(await hub.connect(adapter), `${adapter.platformType}.flood.run`, { how })
    }
  }
}

function replaceBuiltIns (title: string, ways: readonly string[]): Trouble {
  return {
    title,
    install: directory => installPatching(directory, ways),
    async cause (hub, adapters) {
      for (const [index, adapter] of adapters.entries()) {
        const id = await hub.connect(adapter, { how: ways[index] })
        for (let call = 0; call < 3; call += 1) await hub.test(id)
      }
    }
  }
}

function misbehaveIn (title: string, ways: readonly Misbehaviour[]): Trouble {
  return {
    title,
    install: directory => installMisbehaving(directory, ways),
    async cause (hub, adapters) {
      for (const [index, adapter] of adapters.entries()) {
        await hub.run(await hub.connect(adapter), `${adapter.platformType}.misbehave.run`, { how: ways[index] })
      }
    }
  }
}

const troubles: readonly Trouble[] = [
  {
    title: 'sweeps that never end, or are too large',
    install: installFloods,
    async cause (hub, [adapter = floods]) {
      for (const how of listings) await hub.run(await hub.connect(adapter, { how }), 'master.inventory.syncAll')
    }
  },
  {
    title: 'answers without bound',
    install: installFloods,
    async cause (hub, adapters) {
      const [adapter = floods] = adapters
      await hub.test(await hub.connect(adapter, { how: 'long-message' }))
      await hub.call('GET', `/integrations/${adapter.platformType}/large`)
      await floodIn(answers)(hub, adapters)
    }
  },
  { title: 'jobs, cursors, values and log lines without end', install: installFloods, cause: floodIn(quotas) },
  { title: 'memory that is kept', install: installFloods, cause: floodIn(leaks) },
  replaceBuiltIns('replaced built-ins', replacing),
  replaceBuiltIns('a built-in replaced for good', ['for-good']),
  {
    title: 'secrets in everything that leaves',
    install: async directory => {
      await installZoo(directory, [tellsSecrets])
      return [tellsSecrets]
    },
    async cause (hub, [adapter = tellsSecrets]) {
      const id = await hub.connect(adapter)
      for (let turn = 0; turn < 20; turn += 1) {
        await hub.test(id)
        await hub.run(id, `${adapter.platformType}.tell.run`, { externalId: String(turn) })
        await hub.call('GET', `/integrations/${adapter.platformType}/connections/${id}/told/some-token`)
      }
    }
  },
  {
    title: 'control characters in what it says',
    install: async directory => {
      await installZoo(directory, [saysEscapes])
      return [saysEscapes]
    },
    async cause (hub, [adapter = saysEscapes]) {
      const ids = [await hub.connect(adapter, {}), await hub.connect(adapter, { refuses: true })]
      for (let turn = 0; turn < 20; turn += 1) for (const id of ids) await hub.test(id)
    }
  },
  misbehaveIn('blocking, exiting, forgotten promises', misbehaving),
  misbehaveIn('an endless loop', ['loop'])
]

/** Measures how long jobs of one connection wait while the adapter of another misbehaves. */
export const neighbours = defineBench({
  name: 'neighbours',
  async run ({ modes, environment, runs }) {
    for (const mode of modes) {
      const report = openReport({
        name: `neighbours-${mode}`,
        title: `Jobs beside an adapter that misbehaves, ${mode}`,
        method: `a connection posts a job every ${probeEveryMs} ms while the adapter of others misbehaves; ` +
          'seconds from the request to the start of the job',
        runs,
        columns: {
          p50: { heading: 'p50 s', digits: 3 },
          p99: { heading: 'p99 s', digits: 3 },
          longest: { heading: 'longest s', digits: 3 },
          jobs: { heading: 'jobs' },
          refused: { heading: 'refused' }
        },
        main: 'p99'
      })
      for (const isolation of ['inline', 'worker'] as const) {
        for (const trouble of troubles) {
          const probed = await repeat(runs, async () => {
            const { waits, refused } = await measure(mode, environment, isolation, trouble)
            return { ...percentilesOf(waits), jobs: waits.length, refused }
          })
          report.hub(`${isolation}: ${trouble.title}`, probed)
        }
      }
      await report.keep()
    }
  }
})

async function measure (
  mode: Mode,
  environment: NodeJS.ProcessEnv,
  isolation: Isolation,
  trouble: Trouble
): Promise<Probed> {
  const state = await openMode(mode, environment)
  const token = randomBytes(32).toString('hex')
  const project = await makeProject({})
  let hub: HubProcess | undefined
  try {
    await ownModules(project.directory)
    await installZoo(project.directory, [misbehaves])
    const adapters = await trouble.install(project.directory)
    const config = { adapters: [misbehaves.name, ...adapters.map(({ name }) => ({ use: name, isolation }))] }
    await writeFile(join(project.directory, 'linker.config.json'), JSON.stringify(config))
    const port = await freePort()
    hub = await startHubProcess(project.directory, {
      ...state.variables,
      ADMIN_TOKEN: token,
      LOG_LEVEL: 'error',
      PORT: String(port)
    })
    const call = patient(createApi(`http://127.0.0.1:${port}`, token))
    const probing = startProbing(call)
    await trouble.cause(createClient(call), adapters)
    await wait(afterwardsMs)
    return await probing.stop()
  } finally {
    await hub?.kill()
    await project.remove()
    await state.close()
  }
}

/** Repeats calls: a hub that an adapter blocked starts anew on its port and is away until then. */
function patient (call: ApiClient): ApiClient {
  return async (...args) => {
    const deadline = AbortSignal.timeout(60_000)
    for (;;) {
      try {
        const answer = await call(...args)
        if (answer.status !== 503 || deadline.aborted) return answer
      } catch (error) {
        if (deadline.aborted) throw new Error('the hub did not answer within 60 s', { cause: error })
      }
      await wait(retryEveryMs)
    }
  }
}

function createClient (call: ApiClient): Client {
  return {
    call,
    async connect ({ platformType }, config = {}) {
      const body = { name: 'Bad', platformType, config, credentials: { apiKey: 'a-key-that-nobody-may-read' } }
      const created = await call('POST', '/connections', { body })
      // Some adapters of the zoo take no credentials and refuse a connection that has some.
      const takesNone = created.status === 400
      const withoutKey = { ...body, credentials: undefined }
      const { status, text, json } = takesNone ? await call('POST', '/connections', { body: withoutKey }) : created
      if (status !== 201) throw new Error(`a connection was not created: ${status} ${text}`)
      return (json as { id: string }).id
    },
    async run (connectionId, jobType, payload = {}) {
      const { status, text, json } = await call('POST', '/jobs', { body: { jobType, connectionId, payload } })
      if (status !== 202) throw new Error(`a job was not accepted: ${status} ${text}`)
      const { jobId } = json as { jobId: string }
      const deadline = AbortSignal.timeout(longestActMs)
      while (!deadline.aborted) {
        const { finishedAt, problem } = (await call('GET', `/jobs/${jobId}?wait=1`)).json as JobView
        if (finishedAt !== null || problem !== null) return
      }
    },
    async test (connectionId) {
      await call('POST', `/connections/${connectionId}/test`)
    }
  }
}

/**
 * Posts jobs of a well-behaved adapter that runs in the hub's thread. It does not wait for one job
 * to end before it posts the next.
 */
function startProbing (call: ApiClient): { stop(): Promise<Probed> } {
  const waits: number[] = []
  let refused = 0
  let isStopped = false

  async function probe (connectionId: string, turn: number): Promise<void> {
    const postedAt = Date.now()
    const payload = { externalId: String(turn) }
    const body = { jobType: `${misbehaves.platformType}.behave.run`, connectionId, payload }
    const { status, json } = await call('POST', '/jobs', { body })
    if (status !== 202) {
      refused += 1
      return
    }
    const { jobId } = json as { jobId: string }
    for (;;) {
      const { finishedAt, attempts: [first] } = (await call('GET', `/jobs/${jobId}?wait=10`)).json as JobView
      if (finishedAt === null || first === undefined) continue
      waits.push((Date.parse(first.startedAt) - postedAt) / 1_000)
      return
    }
  }

  async function work (): Promise<void> {
    const connectionId = await createClient(call).connect(misbehaves)
    const probes: Promise<void>[] = []
    for (let turn = 0; !isStopped; turn += 1) {
      const probing = probe(connectionId, turn)
      probing.catch(() => undefined)
      // If probes went one after the other, a hub that stands still would delay one probe and hide
      // the waits of all others.
      probes.push(probing)
      await wait(probeEveryMs)
    }
    await Promise.all(probes)
  }

  const working = work()
  working.catch(() => undefined)
  return {
    async stop () {
      isStopped = true
      await working
      return { waits, refused }
    }
  }
}
