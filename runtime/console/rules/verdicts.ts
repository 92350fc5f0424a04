import type { Tone } from './tones.ts'

const verdicts: Readonly<Record<string, Tone>> = {
  'in-step': 'good',
  'switched-off': 'info',
  'reserved': 'info',
  'limited': 'info',
  'within-lag': 'wait',
  'shown-not-read': 'wait',
  'write-waiting': 'wait',
  'master-not-read': 'warn',
  'sweep-held': 'warn',
  'frozen-by-seller': 'warn',
  'waits-for-confirmation': 'warn',
  'connection-paused': 'warn',
  'not-linked': 'warn',
  'changed-there': 'bad',
  'connection-error': 'bad',
  'write-dead': 'bad',
  'write-refused': 'bad'
}

/** How a verdict of an explanation looks. */
export function toneOfVerdict (verdict: string): Tone {
  return verdicts[verdict] ?? 'info'
}

/** A step of the way of a quantity, as the hub tells it. */
export interface ChainStep {
  step: string
  quantity: number | null
}

const names: Readonly<Record<string, string>> = {
  'master': 'Shop has',
  'after-reservations': 'After reservations',
  'after-limits': 'After limits',
  'wanted': 'Wanted',
  'written': 'Written',
  'shown': 'Shown'
}

export function nameOfStep (step: string): string {
  return names[step] ?? step
}

/**
 * How a step stands to the one before: `less` holds pieces back on purpose, `differs` is a quantity
 * that should be the one before and is not, and `unknown` has none.
 */
export type StepMark = 'same' | 'less' | 'differs' | 'unknown'

/** Marks each step of a chain by comparing it with the last known quantity before it. */
export function markChain<Step extends ChainStep> (chain: readonly Step[]): (Step & { mark: StepMark })[] {
  let before: number | null = null
  return chain.map(step => {
    const mark = markOf(step, before)
    before = step.quantity ?? before
    return { ...step, mark }
  })
}

function markOf ({ step, quantity }: ChainStep, before: number | null): StepMark {
  if (quantity === null) return 'unknown'
  if (before === null || quantity === before) return 'same'
  return step === 'written' || step === 'shown' ? 'differs' : 'less'
}
