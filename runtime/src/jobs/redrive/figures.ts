import { countOf } from '../../words.ts'
import type { RedriveState, RedriveView, SkipReason } from './schemas.ts'

/** The outcome of a job of a redrive so far. `left`: the redrive has not reached it. */
export type Fate = 'left' | 'retried' | 'succeeded' | 'dead' | 'cancelled' | 'skipped'

/** Jobs of a redrive with the same fate for the same reason. */
export interface FateCount {
  fate: Fate
  reason: string | null
  count: number
  /** The first of them. */
  sampleJobId: string
}

/** The part of a redrive that counts its jobs. */
export type Figures = Pick<
  RedriveView,
  | 'total'
  | 'retried'
  | 'succeeded'
  | 'deadAgain'
  | 'cancelled'
  | 'inProgress'
  | 'skipped'
  | 'remaining'
  | 'deaths'
>

/** Sums up the fates of the jobs of a redrive. */
export function figuresOf (counts: readonly FateCount[]): Figures {
  const sumOf = (...fates: readonly Fate[]): number =>
    counts.reduce((sum, { fate, count }) => fates.includes(fate) ? sum + count : sum, 0)
  return {
    total: counts.reduce((sum, { count }) => sum + count, 0),
    retried: sumOf('retried', 'succeeded', 'dead', 'cancelled'),
    succeeded: sumOf('succeeded'),
    deadAgain: sumOf('dead'),
    cancelled: sumOf('cancelled'),
    inProgress: sumOf('retried'),
    skipped: counts.filter(({ fate }) => fate === 'skipped')
      .map(({ reason, count }) => ({ reason: reason as SkipReason, count })),
    remaining: sumOf('left'),
    deaths: counts.filter(({ fate }) => fate === 'dead')
      .map(({ reason, count, sampleJobId }) => ({ code: reason, count, sampleJobId }))
  }
}

/** Says in a sentence how far a redrive is. */
export function describeProgress (state: RedriveState, figures: Figures): string {
  const { remaining, deadAgain, inProgress } = figures
  const died = deadAgain === 0 ? '' : `; ${countOf(deadAgain, 'job')} died again`
  switch (state) {
    case 'waiting':
      return `${describeFirst(figures)}; ${countOf(remaining, 'job')} ${remaining === 1 ? 'waits' : 'wait'} until ` +
        'somebody continues or stops it'
    case 'stopped':
      return `it was stopped; it has not run ${countOf(remaining, 'job')}${died}`
    case 'done':
      return describeEnd(figures) + died
    case 'running':
      return remaining === 0
        ? `it waits for the end of ${countOf(inProgress, 'job')}${died}`
        : `${countOf(remaining, 'job')} ${remaining === 1 ? 'has' : 'have'} yet to run again${died}`
  }
}

function describeFirst ({ retried, deadAgain }: Figures): string {
  const first = retried === 1 ? 'the first job' : `the first ${retried} jobs`
  if (deadAgain === 0) return `${first} did not die again`
  return retried === 1 ? `${first} died again` : `${deadAgain} of ${first} died again`
}

function describeEnd ({ total, retried, skipped }: Figures): string {
  if (total === 0) return 'no dead job met the filter'
  const count = skippedIn(skipped)
  const others = count === 0 ? '' : `; ${count} ${count === 1 ? 'was' : 'were'} skipped`
  if (retried === 0) return `no job ran again${others}`
  return `${retried === 1 ? 'the job that ran again has' : `all ${retried} jobs that ran again have`} ended${others}`
}

/** How many jobs were skipped, for whatever reason. */
export function skippedIn (skipped: Figures['skipped']): number {
  return skipped.reduce((sum, { count }) => sum + count, 0)
}
