import { AnswerLimitError } from '../../host/answer-limits.ts'
import type { Check } from './check.ts'
import { anyAnswers } from './evidence.ts'
import type { Finding } from './finding.ts'
import { misfitOf } from './methods.ts'
import { shortened } from './observed.ts'
import type { Subject } from './subject.ts'

export const answerChecks: readonly Check[] = [
  {
    id: 'L2-ANS-01',
    level: 2,
    needs: 'outcomes',
    experiments: 'all',
    evidence: anyAnswers,
    title: 'the answer of a call fits the contract of its method, even if the call sent no request',
    prevents:
      "the hub refused an answer that the adapter's own tests had accepted, and the job was dead at the first try",
    run: subject => findMisfits(subject)
  },
  {
    id: 'L2-ANS-02',
    level: 2,
    needs: 'outcomes',
    experiments: 'all',
    evidence: anyAnswers,
    title: 'the answer of a call has no more items than its limit and no more bytes than the hub accepts',
    prevents: 'one answer with a million items kept the hub busy for minutes',
    run: subject => findOversized(subject)
  }
]

async function findOversized ({ run }: Subject): Promise<Finding[]> {
  const { report, plan } = await run()
  const found = new Map<string, Finding>()
  for (const { id, error } of (report?.results ?? []).flatMap(({ outcomes }) => outcomes)) {
    const target = plan.targets.get(id)
    if (target === undefined || error?.name !== AnswerLimitError.name) continue
    found.set(`${target.name} ${error.message}`, { target: target.name, message: error.message })
  }
  return [...found.values()]
}

async function findMisfits ({ run }: Subject): Promise<Finding[]> {
  const { report, plan } = await run()
  const found = new Map<string, Finding>()
  for (const { id, value, error } of (report?.results ?? []).flatMap(({ outcomes }) => outcomes)) {
    const target = plan.targets.get(id)
    if (target === undefined || error !== undefined) continue
    const misfit = misfitOf(target.answer, value)
    // Report each misfit of a call once: it occurs for every way of answering.
    if (misfit !== undefined) {
      found.set(`${target.name} ${misfit}`, {
        target: target.name,
        message: `it answered ${shortened(value)}, which does not fit: ${misfit}`
      })
    }
  }
  return [...found.values()]
}
