import { AdapterErrorCode } from '../../errors.ts'
import type { Check } from './check.ts'
import { endsIn, requestsIn } from './evidence.ts'
import { longestAfterAbortMs } from './experimenter.ts'
import type { Finding } from './finding.ts'
import { misfitOf } from './methods.ts'
import { describeError, outcomesOf, shortened, type Observed } from './observed.ts'
import { missingOrderExperiment } from './plan.ts'
import { retryAfterSeconds, scenarios, type Scenario } from './scenarios.ts'

const checks: readonly Check[] = [
  {
    id: 'L2-ERR-01',
    level: 2,
    needs: 'outcomes',
    experiments: ['404'],
    evidence: endsIn('404'),
    title: "every method reaches the platform with the suite's arguments, or answers without it",
    prevents: 'a method refused everything, or a connection test tested nothing, and nobody noticed',
    async run (subject) {
      const { unknown } = await subject.targets()
      return [
        ...unknown.map(({ name, message }) => ({ target: name, message })),
        ...(await outcomesOf(subject, '404')).flatMap(reachProblem)
      ]
    }
  },
  ...scenarios.map((scenario): Check => ({
    id: `L2-ERR-${String(scenario.number).padStart(2, '0')}`,
    level: 2,
    needs: 'outcomes',
    experiments: [scenario.name],
    evidence: requestsIn(scenario.name),
    title: scenario.title,
    prevents: scenario.prevents,
    run: async subject =>
      (await outcomesOf(subject, scenario.name)).filter(({ requests }) => requests.length > 0).flatMap(observed =>
        judge(scenario, observed)
      )
  })),
  {
    id: 'L2-ERR-20',
    level: 2,
    needs: 'outcomes',
    experiments: ['404'],
    evidence: requestsIn('404', {
      concerns: ({ isOne }) => isOne === true,
      none: 'it has no method that reads one product, its stock or an offer'
    }),
    title: 'a 404 for one product, its stock or an offer becomes a NotFoundError, ' +
      'or a ConfigurationError when the base URL is wrong',
    prevents: 'an offer that does not exist was linked, and one that was deleted went on selling',
    async run (subject) {
      const observed = await outcomesOf(subject, '404')
      return observed.filter(({ target, requests }) => target.isOne === true && requests.length > 0)
        .flatMap(judgeMissing)
    }
  },
  {
    id: 'L2-ERR-21',
    level: 2,
    needs: 'outcomes',
    experiments: [missingOrderExperiment],
    evidence: requestsIn(missingOrderExperiment, { none: 'it has no getOrder of a marketplace' }),
    title: 'an order that a marketplace does not have is a NotFoundError of getOrder',
    prevents: 'a deleted order reserved its pieces for ever, so that nobody could buy them',
    async run (subject) {
      const observed = await outcomesOf(subject, missingOrderExperiment)
      return observed.filter(({ requests }) => requests.length > 0).flatMap(judgeMissingOrder)
    }
  }
]

export const errorChecks: readonly Check[] = checks.toSorted((a, b) => a.id < b.id ? -1 : 1)

function judgeMissing ({ target, outcome: { error, value } }: Observed): Finding[] {
  const { notFound, configuration } = AdapterErrorCode
  if (error?.code === notFound || error?.code === configuration) return []
  const end = error === undefined ? shortened(value) : describeError(error)
  return [{ target: target.name, message: `it ended with ${end}; expected ${notFound} or ${configuration}` }]
}

function judgeMissingOrder ({ target: { name: target }, outcome: { wasStopped, error, value } }: Observed): Finding[] {
  if (error?.code === AdapterErrorCode.notFound) return []
  const answered = error === undefined ? `it answered ${shortened(value)}` : `it ended with ${describeError(error)}`
  return [{ target, message: `${wasStopped ? 'it does not end' : answered}; expected ${AdapterErrorCode.notFound}` }]
}

function reachProblem ({ target, outcome, requests }: Observed): Finding[] {
  if (requests.length > 0) return []
  if (outcome.error !== undefined) {
    return [{ target: target.name, message: `it sent no request and ended with ${describeError(outcome.error)}` }]
  }
  return target.call.kind === 'test'
    ? [{
      target: target.name,
      message: 'the connection test sends no request: it proves neither address nor credentials'
    }]
    : []
}

function judge (scenario: Scenario, { target, outcome }: Observed): Finding[] {
  const problem = problemOf(scenario, { target, outcome })
  return problem === undefined ? [] : [{ target: target.name, message: `on ${scenario.name}: ${problem}` }]
}

function problemOf (scenario: Scenario, { target, outcome }: Pick<Observed, 'target' | 'outcome'>): string | undefined {
  if (outcome.wasStopped) return 'it does not end'
  return scenario.isAborted === true ? judgeAborted(scenario, outcome) : judgeEnd(scenario, { target, outcome })
}

function judgeAborted (scenario: Scenario, { afterAbort }: Observed['outcome']): string | undefined {
  if (afterAbort?.isSettled !== true) {
    return afterAbort === undefined
      ? 'it did not wait for the answer'
      : `it goes on ${longestAfterAbortMs} ms after it was aborted`
  }
  return afterAbort.error === undefined ? 'it answered all the same' : errorProblem(scenario, afterAbort.error)
}

function judgeEnd (scenario: Scenario, { target, outcome }: Pick<Observed, 'target' | 'outcome'>): string | undefined {
  const { error, value } = outcome
  if (error !== undefined) {
    const isRateLimit = scenario.name === '429' && scenario.codes.length === 1 && error.code === scenario.codes[0]
    if (isRateLimit && error.retryAfterMs !== retryAfterSeconds * 1_000) {
      return `retryAfterMs is ${error.retryAfterMs ?? 'missing'}, Retry-After said ${retryAfterSeconds} s`
    }
    return errorProblem(scenario, error)
  }
  if (!mayResolve(scenario, target)) return `it answered ${shortened(value)}`
  const misfit = misfitOf(target.answer, value)
  return misfit === undefined ? undefined : `it answered ${shortened(value)}, which does not fit: ${misfit}`
}

function mayResolve ({ mayResolve }: Scenario, target: Observed['target']): boolean {
  switch (mayResolve) {
    case 'never':
      return false
    case 'mayBeDone':
      return target.mayBeDone === true
    case 'mayBeNone':
      return target.mayBeNone === true
    case 'fitting':
      return true
    case 'writes':
      return !target.isRead
  }
}

function errorProblem ({ codes }: Scenario, error: NonNullable<Observed['outcome']['error']>): string | undefined {
  return codes.some(code => code === error.code)
    ? undefined
    : `it ended with ${describeError(error)}; expected ${codes.length > 3 ? 'an error of the SDK' : codes.join(' or ')}`
}
