import { isDeepStrictEqual } from 'node:util'
import { type Check } from './check.ts'
import { anyAnswers, anyWork, endsAtStart, lacking, type Evidence } from './evidence.ts'
import { findings } from './finding.ts'
import type { Finding } from './finding.ts'
import type { Outcome, RunReport } from './protocol.ts'
import type { Subject } from './subject.ts'

/** Experiments that are cheap to repeat and have the same result each time. */
const compared = ['404', 'JSON null']

const startTargets: ReadonlyMap<string, string> = new Map([['start-credentials', 'normalizeCredentials'], [
  'start-config',
  'checkConfig'
], ['start-init', 'init']])

export const runChecks: readonly Check[] = [
  {
    id: 'L1-RUN-01',
    level: 1,
    needs: 'outcomes',
    experiments: compared,
    evidence: seeComparison,
    title: "it answers the same in the hub's thread and in one of its own",
    prevents: 'an adapter that was moved to a thread of its own behaved differently there',
    run: subject => compareCarriers(subject)
  },
  {
    id: 'L1-RUN-02',
    level: 1,
    needs: 'import',
    title: 'a thread that has only imported it ends by itself',
    prevents: 'the hub could not stop, because it waited for something that an adapter had started',
    run: async ({ imported, limits }) =>
      findings((await imported()).endsByItself
        ? []
        : [`the thread still runs ${limits.endMs} ms after nobody needs it`])
  },
  {
    id: 'L1-RUN-03',
    level: 1,
    needs: 'outcomes',
    experiments: compared,
    evidence: anyWork,
    title: 'a thread whose calls are over ends by itself',
    prevents: 'connect opened a resource that nobody closed, and every change of a connection leaked one more',
    async run ({ run, started, limits }) {
      const stays = [await started(), await run()].some(({ endsByItself }) => !endsByItself)
      return findings(stays ? [`the thread still runs ${limits.endMs} ms after its last call`] : [])
    }
  },
  {
    id: 'L1-RUN-04',
    level: 1,
    needs: 'settings',
    evidence: endsAtStart,
    title: 'init, normalizeCredentials and checkConfig end well',
    prevents: 'an adapter kept the hub waiting at start, or never served',
    async run ({ started }) {
      const { report, failure } = await started()
      if (failure !== undefined) return [failure]
      return (report?.results ?? []).flatMap(({ outcomes }) => outcomes).flatMap(({ id, error, wasStopped }) => {
        const target = startTargets.get(id) ?? id
        if (wasStopped) return [{ target, message: 'it does not end' }]
        return error === undefined ? [] : [{ target, message: `it throws: ${error.message}` }]
      })
    }
  },
  {
    id: 'L1-RUN-05',
    level: 1,
    needs: 'outcomes',
    experiments: 'all',
    evidence: anyAnswers,
    title: 'answers are plain data',
    prevents: "an answer with a function or a class in it could not leave the adapter's thread",
    async run (subject) {
      const { report, plan } = await subject.run()
      const outcomes = report?.results.flatMap(result => result.outcomes) ?? []
      const targets =
        new Set(outcomes.filter(({ error }) => error?.name === 'DataCloneError').map(({ id }) =>
          plan.targets.get(id)?.name ?? id
        ))
      return [...targets].map(target => ({ target, message: 'its answer cannot be copied into another thread' }))
    }
  },
  {
    id: 'L1-RUN-06',
    level: 1,
    needs: 'calls',
    experiments: 'all',
    evidence: anyWork,
    title: 'no call blocks its thread, ends it or leaves an error unhandled',
    prevents: 'one call stopped the hub and every connection of every other adapter with it',
    async run ({ run }) {
      const { failure } = await run()
      return failure === undefined ? [] : [failure]
    }
  },
  {
    id: 'L1-RUN-07',
    level: 1,
    needs: 'calls',
    experiments: 'all',
    evidence: anyWork,
    title: 'no call changes a global or a built-in',
    prevents: 'after one connection test the hub refused the body of every request and stopped logging',
    run: subject => findReplaced(subject)
  },
  {
    id: 'L1-RUN-08',
    level: 1,
    needs: 'settings',
    title: 'there is something that the suite can call',
    prevents: 'the suite called nothing and reported no fault, and people took this for proof',
    async run ({ targets }) {
      const { targets: found, unknown } = await targets()
      if (found.length > 0) return []
      return unknown.length === 0
        ? [{ message: 'it has no capability with a method, no job, no connection test and no account' }]
        : unknown.map(({ name, message }) => ({ target: name, message }))
    }
  }
]

async function findReplaced ({ started, run }: Subject): Promise<Finding[]> {
  const found = new Map<string, Finding>()
  for (const { report, plan } of [await started(), await run()]) {
    for (const { name, callId } of report?.globals ?? []) {
      const target = plan.targets.get(callId ?? '')?.name
      // Report it once per call: it occurs for every way of answering.
      found.set(
        `${target ?? ''} ${name}`,
        target === undefined
          ? { message: `${name} was replaced by connect, init or a call` }
          : { target, message: `it replaces ${name}` }
      )
    }
  }
  return [...found.values()]
}

/** Keeps an adapter that did more than call its platform out of this thread. */
function isKeptOut ({ foreignConnections, globals }: RunReport): boolean {
  return foreignConnections.length > 0 || globals.length > 0
}

async function seeComparison (subject: Subject): Promise<Evidence> {
  const { report } = await subject.run()
  return report !== undefined && isKeptOut(report)
    ? lacking("the suite does not run it in the hub's thread: see L1-RUN-07 and L2-PRM-01")
    : anyWork(subject)
}

async function compareCarriers (subject: Subject): Promise<Finding[]> {
  const { report, plan } = await subject.run()
  if (report === undefined || isKeptOut(report)) return []
  const inline = new Map((await subject.runInline(compared)).map(({ name, outcomes }) => [name, outcomes]))
  return report.results.filter(({ name }) => compared.includes(name)).flatMap(({ name, outcomes }) => {
    const inHub = new Map(inline.get(name)?.map(outcome => [outcome.id, outcome]))
    return outcomes.filter(outcome => !isDeepStrictEqual(essence(outcome), essence(inHub.get(outcome.id)))).map(
      outcome => ({
        target: plan.targets.get(outcome.id)?.name ?? outcome.id,
        message: `on ${name}: ${describe(inHub.get(outcome.id))} in the hub's thread, ${describe(outcome)} in its own`
      })
    )
  })
}

function essence (outcome: Outcome | undefined): unknown {
  return {
    value: outcome?.value,
    code: outcome?.error?.code,
    name: outcome?.error?.name,
    wasStopped: outcome?.wasStopped
  }
}

function describe (outcome: Outcome | undefined): string {
  if (outcome?.error !== undefined) return `${outcome.error.code ?? outcome.error.name}`
  return outcome === undefined || outcome.wasStopped ? 'no end' : JSON.stringify(outcome.value) ?? 'nothing'
}
