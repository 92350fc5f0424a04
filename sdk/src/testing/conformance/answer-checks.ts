import { AnswerLimitError } from '../../host/answer-limits.ts'
import type { Check } from './check.ts'
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
    title: 'what a call answers fits the contract of its method, also when it has asked nobody',
    prevents:
      "the hub refused what the adapter's own tests had taken for an answer, and its job was dead at the first try",
    run: subject => findMisfits(subject)
  },
  {
    id: 'L2-ANS-02',
    level: 2,
    needs: 'outcomes',
    experiments: 'all',
    title:
      'what a call answers is within the bounds of the hub: no more items than its limit, no more bytes than are taken',
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
    // One for each misfit of each call: it comes once per way of answering.
    if (misfit !== undefined) {
      found.set(`${target.name} ${misfit}`, {
        target: target.name,
        message: `it answered ${shortened(value)}, which does not fit: ${misfit}`
      })
    }
  }
  return [...found.values()]
}
