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

export function describeError ({ name, code, message }: ErrorData): string {
  return `${code ?? name} (${message.slice(0, 200)})`
}

export function shortened (value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 120)
}
