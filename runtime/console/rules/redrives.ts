import type { Schemas } from '@linker/client'

export type Redrive = Schemas['Redrive']
export type RedrivePlan = Schemas['RedrivePlan']
export type SkipReason = RedrivePlan['skipped'][number]['reason']

const skipTexts: Readonly<Record<string, string>> = {
  'not-dead': 'not dead any more, or retried by somebody else since',
  'does-not-match': 'named, but the other members of the filter do not fit',
  'job-not-found': 'the hub has no such job any more',
  'connection-deleted': 'the connection is deleted',
  'connection-disabled': 'the connection is disabled',
  'type-unknown': 'no adapter has a handler for the type',
  'retry-failed': 'the hub failed to run them again; its log shows the reason'
}

/** A hub that is newer than this page may have more reasons. */
export function describeSkip (reason: string): string {
  return skipTexts[reason] ?? reason
}

/**
 * How long so many jobs take at the least, in ms: each sends one request or more. Undefined:
 * neither the marketplace nor the operator sets a pace.
 */
export function leastMs (
  jobs: number,
  { ratePerSecond, perMinute }: { ratePerSecond?: number | undefined, perMinute?: number | undefined }
): number | undefined {
  const perSecond = Math.min(ratePerSecond ?? Number.POSITIVE_INFINITY, (perMinute ?? Number.POSITIVE_INFINITY) / 60)
  return Number.isFinite(perSecond) && perSecond > 0 ? jobs / perSecond * 1_000 : undefined
}

export interface ProgressPart {
  name: string
  count: number
  tone: 'good' | 'bad' | 'idle' | 'warn' | 'busy' | 'wait'
}

/** Counts the jobs of a redrive by their ends, in the order of the bar, without empty parts. */
export function partsOf ({ succeeded, deadAgain, cancelled, skipped, inProgress, remaining }: Redrive): ProgressPart[] {
  const parts: ProgressPart[] = [
    { name: 'succeeded', count: succeeded, tone: 'good' },
    { name: 'dead again', count: deadAgain, tone: 'bad' },
    { name: 'cancelled', count: cancelled, tone: 'idle' },
    { name: 'skipped', count: skipped.reduce((sum, { count }) => sum + count, 0), tone: 'warn' },
    { name: 'in progress', count: inProgress, tone: 'busy' },
    { name: 'not yet run', count: remaining, tone: 'wait' }
  ]
  return parts.filter(({ count }) => count > 0)
}

/** How the first jobs of a redrive ended, which decides whether to go on. */
export type Trial = 'running' | 'well' | 'badly'

export function trialOf ({ first, state, deadAgain, succeeded }: Redrive): Trial | undefined {
  if (first === null) return undefined
  if (state === 'running' && succeeded + deadAgain < first) return 'running'
  if (state !== 'waiting') return undefined
  return deadAgain > 0 ? 'badly' : 'well'
}

export function canStop ({ state }: Redrive): boolean {
  return state === 'running' || state === 'waiting'
}
