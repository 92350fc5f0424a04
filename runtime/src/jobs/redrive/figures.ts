import type { RedriveState, RedriveView, SkipReason } from './schemas.ts'

/** What became of a job of a redrive. `left`: the redrive has not reached it. */
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
  const { retried, remaining, deadAgain } = figures
  const died = deadAgain === 0 ? '' : `; ${deadAgain} of ${retried} jobs died again`
  switch (state) {
    case 'waiting':
      return deadAgain === 0
        ? `the first ${retried} jobs did not die again; ${remaining} jobs wait until somebody continues or stops it`
        : `${deadAgain} of the first ${retried} jobs died again; ${remaining} jobs wait until somebody continues or ` +
          'stops it'
    case 'stopped':
      return `it was stopped; ${remaining} jobs stay dead${died}`
    case 'done':
      return `all ${retried} jobs have ended${died}`
    case 'running':
      return remaining === 0
        ? `it waits for the ends of ${figures.inProgress} jobs${died}`
        : `${remaining} jobs have yet to run again${died}`
  }
}
