import type { ErrorData } from '../../host/errors.ts'
import type { Outcome } from './protocol.ts'
import type { Subject } from './subject.ts'
import type { Target } from './targets.ts'
import type { Arrival } from './upstream.ts'

/** One call of an experiment: its target, its end, and the requests that it sent. */
export interface Observed {
  target: Target
  outcome: Outcome
  requests: readonly Arrival[]
}

/** The calls of one experiment. */
export async function outcomesOf ({ run }: Subject, experiment: string): Promise<Observed[]> {
  const { report, plan, arrivals } = await run()
  const found = report?.results.find(({ name }) => name === experiment)
  return (found?.outcomes ?? []).flatMap(outcome => {
    const target = plan.targets.get(outcome.id)
    return target === undefined
      ? []
      : [{ target, outcome, requests: (arrivals.get(experiment) ?? []).filter(({ callId }) => callId === outcome.id) }]
  })
}

/**
 * Whether calls of an experiment reached the platform, and the calls that should have reached it
 * but did not: the check cannot judge those.
 */
export async function reachOf (
  subject: Subject,
  experiment: string
): Promise<{ isReached: boolean, missed: string[] }> {
  const observed = await outcomesOf(subject, experiment)
  const missed = observed.filter(({ target, outcome, requests }) =>
    requests.length === 0 && (outcome.error !== undefined || target.call.kind === 'test')
  )
  const { unknown } = await subject.targets()
  return {
    isReached: observed.some(({ requests }) => requests.length > 0),
    missed: [...unknown, ...missed.map(({ target }) => target)].map(({ name }) => name)
  }
}

export function describeError ({ name, code, message }: ErrorData): string {
  return `${code ?? name} (${message.slice(0, 200)})`
}

export function shortened (value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 120)
}
