import type { Finding } from './finding.ts'
import { foreignMethod } from './methods.ts'
import type { ReadPackage } from './package-json.ts'
import { planExperiments, startExperiments, type Plan, type PlanOptions } from './plan.ts'
import type { ImportReport, RunReport } from './protocol.ts'
import type { Target } from './targets.ts'
import { startThread, type Thread } from './thread.ts'
import type { Arrival } from './upstream.ts'

/** The time limits of the suite's parts, in processor time of the adapter's thread. */
export interface Limits {
  importMs: number
  settleMs: number
  endMs: number
}

/** The result of importing the adapter in a thread of its own. */
export interface Imported {
  report?: ImportReport
  /** The reason for a missing report, or the failure of the thread after its report. */
  failure?: string
  printed: string
  endsByItself: boolean
}

/** The result of calling the adapter. */
export interface Run {
  plan: Plan
  report?: RunReport
  /** The failure of its thread, and the call that caused it. */
  failure?: Finding
  printed: string
  endsByItself: boolean
  /** The requests by the name of their experiment. */
  arrivals: ReadonlyMap<string, readonly Arrival[]>
  /** Requests of aborted calls whose connection stayed open. */
  leftOpen: readonly Arrival[]
}

export async function importInThread (found: ReadPackage, limits: Limits): Promise<Imported> {
  const thread = start(found, limits)
  const { outcome, ...rest } = await use(thread, limits, async () => {
    thread.send({ kind: 'load' })
    return (await thread.report('loaded', limits.importMs)).report
  })
  return { ...rest, report: outcome }
}

/**
 * Runs the experiments in a thread of their own. If the thread dies before their end, looks for the
 * call that caused it.
 */
export async function runInThread (found: ReadPackage, limits: Limits, options: PlanOptions): Promise<Run> {
  const { failure, lastBegun, ...run } = await runOnce(found, limits, planExperiments(options))
  if (failure === undefined) return run
  const suspects = [...options.targets].sort((a, b) => Number(b.name === lastBegun) - Number(a.name === lastBegun))
  const runAlone = async (change: Partial<PlanOptions>) =>
    (await runOnce(found, limits, planExperiments({ ...options, ...change }))).failure
  const guilty = options.targets.length > 0
    ? await findCall(suspects, runAlone)
    : await findStart(options, failure, runAlone)
  return { ...run, failure: guilty ?? { message: failure } }
}

/** Runs the experiments of a plan in a thread of their own. */
export async function runPlanInThread (found: ReadPackage, limits: Limits, plan: Plan): Promise<Run> {
  const { failure, lastBegun, ...run } = await runOnce(found, limits, plan)
  if (failure === undefined) return run
  return { ...run, failure: lastBegun === undefined ? { message: failure } : { target: lastBegun, message: failure } }
}

type RunAlone = (change: Partial<PlanOptions>) => Promise<string | undefined>

/** The first step of every call, alone: no capability has this name, so the call only connects. */
const connecting: Target = {
  ...foreignMethod([]),
  name: 'connect',
  call: { kind: 'capability', capability: 'linker/Nothing', method: 'connect' }
}

// All calls ran at the same time, and the one that began last need not be the culprit: call each
// one alone until one fails again.
async function findCall (suspects: readonly Target[], runAlone: RunAlone): Promise<Finding | undefined> {
  for (const target of [connecting, ...suspects]) {
    const message = await runAlone({ targets: [target] })
    if (message !== undefined) return { target: target.name, message }
  }
  return undefined
}

async function findStart (
  { hasInit, checksConfig = false }: PlanOptions,
  failure: string,
  runAlone: RunAlone
): Promise<Finding> {
  const without = hasInit ? await runAlone({ hasInit: false }) : failure
  if (without === undefined) return { target: 'init', message: failure }
  const alone = checksConfig ? await runAlone({ hasInit: false, checksConfig: false }) : without
  return alone === undefined
    ? { target: 'checkConfig', message: without }
    : { target: 'normalizeCredentials', message: alone }
}

async function runOnce (
  found: ReadPackage,
  limits: Limits,
  plan: Plan
): Promise<Omit<Run, 'failure'> & { failure?: string, lastBegun?: string }> {
  const thread = start(found, limits)
  const servers = await startExperiments(plan, callId => {
    thread.send({ kind: 'abort', id: callId })
  })
  thread.onSettled(async experiment => {
    await servers.look(experiment)
    thread.send({ kind: 'looked', experiment })
  })
  try {
    const { outcome, ...rest } = await use(thread, limits, async () => {
      thread.send({ kind: 'load' })
      await thread.report('loaded', limits.importMs)
      thread.send({ kind: 'run', experiments: servers.experiments })
      // Longer than any call may take: it includes the time after an abort and the look at its
      // connections.
      return (await thread.report('finished', 2 * limits.settleMs + 2_000)).report
    })
    return {
      ...rest,
      report: outcome,
      lastBegun: plan.targets.get(thread.lastBegun()?.split('#', 1)[0] ?? '')?.name,
      plan,
      arrivals: servers.arrivals(),
      leftOpen: servers.leftOpen()
    }
  } finally {
    await servers.close()
  }
}

function start ({ directory, entry, manifest, content }: ReadPackage, { settleMs }: Limits): Thread {
  if (entry === undefined || manifest === undefined || content === undefined) {
    throw new Error('a package without manifest and module is not imported')
  }
  return startThread({ directory, entry, manifest, adapter: `${manifest.adapterKey}@${content.version}`, settleMs })
}

/** Lets a thread do its work, and makes sure that it has ended afterwards. */
async function use<Outcome> (
  thread: Thread,
  { endMs }: Limits,
  work: () => Promise<Outcome>
): Promise<{ outcome?: Outcome, failure?: string, printed: string, endsByItself: boolean }> {
  try {
    const outcome = await work()
    thread.send({ kind: 'release' })
    const endsByItself = await thread.endsWithin(endMs)
    return { outcome, printed: thread.output(), endsByItself, failure: thread.failure() }
  } catch (error) {
    return {
      failure: error instanceof Error ? error.message : String(error),
      printed: thread.output(),
      endsByItself: false
    }
  } finally {
    await thread.end()
  }
}
