import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { Sparkline } from './sparkline.tsx'

/** The jobs of a connection in the last 24 hours, as a line. */
export function LastDay ({ succeededPerHour, failedPerHour }: Pick<
  Schemas['ConnectionHealth'],
  'succeededPerHour' | 'failedPerHour'
>): JSX.Element {
  return (
    <Sparkline
      label={`${sum(succeededPerHour)} jobs succeeded and ${sum(failedPerHour)} runs failed in the last 24 hours`}
      values={succeededPerHour}
      failures={failedPerHour}
    />
  )
}

function sum (counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0)
}
