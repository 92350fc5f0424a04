import type { AdapterDescription } from '../../host/describe.ts'
import { importAdapter } from '../../host/import-adapter.ts'
import { collectMarked, collectSecrets } from '../../host/redact.ts'
import { createExperimenter } from './experimenter.ts'
import { runFixtures, type FixtureRuns } from './fixtures/run-fixtures.ts'
import { withOtherSecrets } from './other-credentials.ts'
import { readPackage, type ReadPackage } from './package-json.ts'
import { judgingExperiment, planExperiments, startExperiment, startExperiments, type Plan } from './plan.ts'
import type { Result } from './protocol.ts'
import { readSettings, type ReadSettings } from './settings.ts'
import { targetsOf, type Targets } from './targets.ts'
import { importInThread, runInThread, runPlanInThread, type Imported, type Limits, type Run } from './threads.ts'

/** The adapter under test. It runs each experiment once, when the first check asks for it. */
export interface Subject {
  /** The report for hubs is written into the package after the run. */
  writesReport?: boolean
  package: ReadPackage
  settings: ReadSettings
  limits: Limits
  imported(): Promise<Imported>
  targets(): Promise<Targets>
  secrets(): Promise<string[]>
  /**
   * Runs the preparation of every call: `init` and the conversion of the credentials to their
   * stored form.
   */
  started(): Promise<Run>
  run(): Promise<Run>
  /** Lets the function of the adapter judge the deliveries of the settings. */
  judged(): Promise<Run>
  /** Makes the recorded calls of the settings, with the recorded answers and with changed ones. */
  fixtures(): Promise<FixtureRuns>
  /** The same experiments in this thread. */
  runInline(names: readonly string[]): Promise<Result[]>
}

/** The place where the adapter runs. */
export interface Place {
  importAdapter: typeof importInThread
  run: typeof runInThread
}

/**
 * Prepares the package for the checks whose experiments are given. The adapter runs in threads of
 * its own, unless a test of the suite gives another place.
 */
export async function createSubject (
  packageRoot: string,
  wanted: ReadonlySet<string>,
  limits: Limits,
  { importAdapter, run }: Place = { importAdapter: importInThread, run: runInThread }
): Promise<Subject> {
  const [found, settings] = await Promise.all([readPackage(packageRoot), readSettings(packageRoot)])
  const imported = once(() => importAdapter(found, limits))
  const describe = async () =>
    found.entry === undefined || found.manifest === undefined ? undefined : (await imported()).report?.description
  const targets = once(async () => {
    const description = await describe()
    return description === undefined
      ? { targets: [], unknown: [], misnamed: [], fixtures: [] }
      : targetsOf(description, settings.settings)
  })
  const otherCredentials = (description: AdapterDescription | undefined): unknown => {
    const { credentials } = settings.settings
    return description === undefined
      ? undefined
      : withOtherSecrets(credentials, collectSecrets(description.credentials, credentials))
  }
  return {
    package: found,
    settings,
    limits,
    imported,
    targets,
    secrets: once(async () => {
      const description = await describe()
      const { credentials, config = {} } = settings.settings
      return description === undefined
        ? []
        : [...collectSecrets(description.credentials, credentials), ...collectMarked(description.config, config)]
    }),
    started: once(async () => {
      const { hasInit = false, checksConfig = false } = await describe() ?? {}
      return run(found, limits, {
        wanted: new Set([startExperiment]),
        targets: [],
        settings: settings.settings,
        hasInit,
        checksConfig
      })
    }),
    run: once(async () =>
      run(found, limits, {
        wanted,
        targets: (await targets()).targets,
        settings: settings.settings,
        hasInit: false,
        otherCredentials: otherCredentials(await describe())
      })
    ),
    judged: once(async () =>
      run(found, limits, {
        wanted: new Set([judgingExperiment]),
        targets: [],
        settings: settings.settings,
        hasInit: false
      })
    ),
    fixtures: once(async () =>
      runFixtures({
        settings: settings.settings,
        recordings: settings.recordings,
        targets: (await targets()).fixtures,
        run: plan => runPlanInThread(found, limits, plan)
      })
    ),
    async runInline (names) {
      const plan = planExperiments({
        wanted: new Set(names),
        targets: (await targets()).targets,
        settings: settings.settings,
        hasInit: false
      })
      return runHere(found, limits, plan)
    }
  }
}

function once<Value> (work: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => made ??= work()
}

async function runHere (
  { entry, manifest, content }: ReadPackage,
  { settleMs }: Limits,
  plan: Plan
): Promise<Result[]> {
  if (entry === undefined || manifest === undefined || content === undefined) return []
  const { definition } = await importAdapter(entry)
  const experimenter = createExperimenter({
    adapter: `${manifest.adapterKey}@${content.version}`,
    definition,
    manifest,
    settleMs
  })
  const servers = await startExperiments(plan, callId => {
    experimenter.abort(callId)
  })
  try {
    return await experimenter.run(servers.experiments)
  } finally {
    await servers.close()
  }
}
