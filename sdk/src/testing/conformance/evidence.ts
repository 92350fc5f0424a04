import type { AdapterDescription } from '../../host/describe.ts'
import { outcomesOf, type Observed } from './observed.ts'
import type { Subject } from './subject.ts'
import type { Target } from './targets.ts'
import type { Run } from './threads.ts'

/**
 * The part of the adapter's behaviour that a check could judge. A check without findings passes
 * only if there was something to judge: otherwise a run that made no calls would look like proof.
 */
export interface Evidence {
  /** The reason why there was nothing to judge. */
  lack?: string
  /** The calls that the check could not judge, because the suite saw no `missing` of them. */
  missed: string[]
  missing: string
}

export type GatherEvidence = (subject: Subject) => Promise<Evidence>

interface Look {
  isSeen(observed: Observed): boolean
  /** Default: whatever is not seen. */
  isMissed?(observed: Observed): boolean
  /** `request`, as in 'the suite saw no request of test'. */
  missing: string
  /** The lack when no call is seen. */
  lack: string
  /** The lack when there are no calls. */
  none?: string
}

const asks = ({ requests }: Observed): boolean => requests.length > 0
const answers = ({ outcome }: Observed): boolean => outcome.error === undefined

const requests: Look = {
  isSeen: asks,
  // A method may answer without its platform; a connection test may not.
  isMissed: observed => !asks(observed) && (!answers(observed) || observed.target.call.kind === 'test'),
  missing: 'request',
  lack: 'no call sent a request'
}

/**
 * Demands that calls of an experiment sent requests. `concerns` tells the calls that the check
 * judges; `none` is the lack when the adapter has none of them.
 */
export function requestsIn (
  experiment: string,
  { concerns = () => true, none }: { concerns?: (target: Target) => boolean, none?: string } = {}
): GatherEvidence {
  return async subject => {
    const observed = await outcomesOf(subject, experiment)
    return evidenceOf(subject, observed.filter(({ target }) => concerns(target)), { ...requests, none })
  }
}

/** Demands that calls of an experiment answered; `none` is the lack when there are no calls. */
export function answersIn (experiment: string, none: string): GatherEvidence {
  return async subject =>
    evidenceOf(subject, await outcomesOf(subject, experiment), {
      isSeen: answers,
      missing: 'answer',
      lack: 'no call answered',
      none
    })
}

/** Demands that calls of an experiment came to an end, in any way. */
export function endsIn (experiment: string): GatherEvidence {
  return async subject =>
    evidenceOf(subject, await outcomesOf(subject, experiment), {
      isSeen: () => true,
      missing: 'end',
      lack: 'no call was made'
    })
}

/** Demands that calls sent requests, in any experiment. */
export const anyRequests: GatherEvidence = async subject => evidenceOf(subject, await allOutcomesOf(subject), requests)

/** Demands that calls answered, in any experiment. */
export const anyAnswers: GatherEvidence = async subject =>
  evidenceOf(subject, await allOutcomesOf(subject), { isSeen: answers, missing: 'answer', lack: 'no call answered' })

/** Demands that calls sent requests or answered, in any experiment: they did some work. */
export const anyWork: GatherEvidence = async subject =>
  evidenceOf(subject, await allOutcomesOf(subject), {
    isSeen: observed => asks(observed) || answers(observed),
    missing: 'request or answer',
    lack: 'no call sent a request or answered'
  })

/** Demands that calls which wait for their platform were aborted. */
export function abortsIn (experiments: readonly string[]): GatherEvidence {
  return async subject => {
    const observed = (await Promise.all(experiments.map(name => outcomesOf(subject, name)))).flat()
    const evidence = await evidenceOf(subject, observed, requests)
    const isAborted = observed.some(({ outcome }) => outcome.afterAbort !== undefined)
    return isAborted || evidence.lack !== undefined ? evidence : { ...evidence, lack: 'no call waited for its answer' }
  }
}

/** The functions that the hub calls before any connection is used, by the ids of their calls. */
const startFunctions: readonly {
  id: string,
  name: string,
  isDeclared(description: AdapterDescription): boolean
}[] = [
  { id: 'start-init', name: 'init', isDeclared: ({ hasInit }) => hasInit },
  {
    id: 'start-credentials',
    name: 'normalizeCredentials',
    isDeclared: ({ normalizesCredentials }) => normalizesCredentials
  },
  { id: 'start-config', name: 'checkConfig', isDeclared: ({ checksConfig }) => checksConfig }
]

/** Demands that the adapter declares functions of the start, and that their calls ended. */
export const endsAtStart: GatherEvidence = async subject => {
  const declared = await declaredAtStart(subject)
  const open = declared.find(({ outcome }) => outcome === undefined)
  const lack = declared.length === 0 ? 'it has no init, normalizeCredentials or checkConfig' : undefined
  return lacking(open === undefined ? lack : `the suite did not see the end of ${open.name}`)
}

/** Demands that these functions of the start, if the adapter declares them, have answered. */
export function answersAtStart (names: readonly string[]): GatherEvidence {
  return async subject => {
    const declared = await declaredAtStart(subject)
    const silent = declared.find(({ name, outcome }) =>
      names.includes(name) && (outcome === undefined || outcome.error !== undefined)
    )
    return lacking(silent && `its ${silent.name} gave no answer: see L1-RUN-04`)
  }
}

/** Demands that the thread reported the import of the adapter, and the adapter that it exports. */
export const importedAdapter: GatherEvidence = async ({ package: { entry, manifest }, imported }) => {
  const report = entry === undefined || manifest === undefined ? undefined : (await imported()).report
  return lacking(report?.description === undefined ? 'it could not be imported' : undefined)
}

export function lacking (lack: string | undefined): Evidence {
  return { ...lack === undefined ? {} : { lack }, missed: [], missing: '' }
}

async function declaredAtStart ({ imported, started }: Subject) {
  const description = (await imported()).report?.description
  const outcomes = (await started()).report?.results.flatMap(result => result.outcomes) ?? []
  return startFunctions.filter(({ isDeclared }) => description !== undefined && isDeclared(description)).map(
    ({ id, name }) => ({ name, outcome: outcomes.find(outcome => outcome.id === id) })
  )
}

async function allOutcomesOf (subject: Subject): Promise<Observed[]> {
  const { report } = await subject.run()
  const found = (report?.results ?? []).map(({ name }) => outcomesOf(subject, name))
  return (await Promise.all(found)).flat()
}

async function evidenceOf (
  { targets, run }: Subject,
  observed: readonly Observed[],
  { isSeen, isMissed = one => !isSeen(one), missing, lack, none = 'no call was made' }: Look
): Promise<Evidence> {
  const { unknown } = await targets()
  const open = findOpenCall(await run())
  // A call is missed if every experiment missed it.
  const judged = new Set(observed.filter(one => !isMissed(one)).map(({ target }) => target.name))
  const names = [...unknown, ...observed.map(({ target }) => target)].map(({ name }) => name)
  const unseen = observed.length === 0 ? none : lack
  const found = observed.some(isSeen) ? undefined : unseen
  return {
    ...lacking(open === undefined ? found : `the suite did not see the end of ${open}`),
    missed: [...new Set(names)].filter(name => !judged.has(name)),
    missing
  }
}

/** Returns the name of a planned call whose end the thread did not report. */
function findOpenCall ({ plan, report }: Run): string | undefined {
  const ended = new Set(report?.results.flatMap(({ outcomes }) => outcomes).map(({ id }) => id))
  return plan.experiments.flatMap(({ experiment }) => experiment.calls).find(({ id }) => !ended.has(id))?.name
}
