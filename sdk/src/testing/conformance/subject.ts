import type { Adapter } from '../../adapter.ts'
import { collectMarked, collectSecrets } from '../../host/redact.ts'
import { createLaboratory } from './laboratory.ts'
import { readPackage, type ReadPackage } from './package-json.ts'
import { planExperiments, startExperiments, type Plan } from './plan.ts'
import type { ImportReport, Result, RunReport } from './protocol.ts'
import { readSettings, type ReadSettings } from './settings.ts'
import { targetsOf, type Target } from './targets.ts'
import { startThread, type Thread } from './thread.ts'
import type { Arrival } from './upstream.ts'

/** Time that parts of the suite may take, in processor time of the adapter's thread. */
export interface Limits { importMs: number, settleMs: number, endMs: number }

/** What importing the adapter in a thread of its own showed. */
export interface Imported {
  report?: ImportReport
  /** Why there is no report: the thread ended, or did not come to it. */
  failure?: string
  printed: string
  endsByItself: boolean
}

/** What calling the adapter showed. */
export interface Run {
  plan: Plan
  report?: RunReport
  failure?: string
  printed: string
  endsByItself: boolean
  /** By the name of the experiment. */
  arrivals: ReadonlyMap<string, readonly Arrival[]>
  /** Requests of aborted calls whose connection stayed open. */
  leftOpen: readonly Arrival[]
}

/** The adapter under test. What a check wants to know of it is found out once, when the first one asks. */
export interface Subject {
  package: ReadPackage
  settings: ReadSettings
  limits: Limits
  imported (): Promise<Imported>
  targets (): Promise<{ targets: Target[], unknown: string[] }>
  secrets (): Promise<string[]>
  run (): Promise<Run>
  /** The same experiments in this thread. */
  runInline (names: readonly string[]): Promise<Result[]>
}

/** Prepares the package for the checks whose experiments are given. */
export async function createSubject (packageRoot: string, wanted: ReadonlySet<string>, limits: Limits): Promise<Subject> {
  const [found, settings] = await Promise.all([readPackage(packageRoot), readSettings(packageRoot)])
  const imported = once(() => importInThread(found, limits))
  const describe = async () => found.entry === undefined || found.manifest === undefined ? undefined : (await imported()).report?.description
  const targets = once(async () => {
    const description = await describe()
    return description === undefined ? { targets: [], unknown: [] } : targetsOf(description, settings.settings)
  })
  return {
    package: found,
    settings,
    limits,
    imported,
    targets,
    secrets: once(async () => {
      const description = await describe()
      const { credentials, config = {} } = settings.settings
      return description === undefined ? [] : [...collectSecrets(description.credentials, credentials), ...collectMarked(description.config, config)]
    }),
    run: once(async () => runInThread(found, limits, planExperiments({ wanted, targets: (await targets()).targets, settings: settings.settings, hasInit: (await describe())?.hasInit === true }))),
    async runInline (names) {
      const plan = planExperiments({ wanted: new Set(names), targets: (await targets()).targets, settings: settings.settings, hasInit: false })
      return runHere(found, limits, plan)
    }
  }
}

function once<Value> (work: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => made ??= work()
}

function start ({ directory, entry, manifest, content }: ReadPackage, { settleMs }: Limits): Thread {
  if (entry === undefined || manifest === undefined || content === undefined) throw new Error('a package without manifest and module is not imported')
  return startThread({ directory, entry, manifest, adapter: `${manifest.adapterKey}@${content.version}`, settleMs })
}

async function importInThread (found: ReadPackage, limits: Limits): Promise<Imported> {
  const thread = start(found, limits)
  const { outcome, ...rest } = await use(thread, limits, async () => {
    thread.send({ kind: 'load' })
    return (await thread.report('loaded', limits.importMs)).report
  })
  return { ...rest, ...(outcome === undefined ? {} : { report: outcome }) }
}

async function runInThread (found: ReadPackage, limits: Limits, plan: Plan): Promise<Run> {
  const thread = start(found, limits)
  const servers = await startExperiments(plan, callId => { thread.send({ kind: 'abort', id: callId }) })
  try {
    const { outcome, ...rest } = await use(thread, limits, async () => {
      thread.send({ kind: 'load' })
      await thread.report('loaded', limits.importMs)
      thread.send({ kind: 'run', experiments: servers.experiments })
      // Two more than any call may take: one for what goes on after an abort.
      return (await thread.report('finished', 2 * limits.settleMs + 2_000)).report
    })
    return { ...rest, ...(outcome === undefined ? {} : { report: outcome }), plan, arrivals: servers.arrivals(), leftOpen: await servers.leftOpen() }
  } finally {
    await servers.close()
  }
}

/** Lets a thread do its work and go. Whatever becomes of it, it has ended afterwards. */
async function use<Outcome> (thread: Thread, { endMs }: Limits, work: () => Promise<Outcome>): Promise<{ outcome?: Outcome, failure?: string, printed: string, endsByItself: boolean }> {
  try {
    const outcome = await work()
    thread.send({ kind: 'release' })
    const endsByItself = await thread.endsWithin(endMs)
    return { outcome, printed: thread.output(), endsByItself }
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error), printed: thread.output(), endsByItself: false }
  } finally {
    await thread.end()
  }
}

async function runHere ({ entry, manifest, content }: ReadPackage, { settleMs }: Limits, plan: Plan): Promise<Result[]> {
  if (entry === undefined || manifest === undefined || content === undefined) return []
  const { default: definition } = await import(entry) as { default: Adapter }
  const laboratory = createLaboratory({ adapter: `${manifest.adapterKey}@${content.version}`, definition, manifest, settleMs })
  const servers = await startExperiments(plan, callId => { laboratory.abort(callId) })
  try {
    return await Promise.all(servers.experiments.map(experiment => laboratory.run(experiment)))
  } finally {
    await servers.close()
  }
}
