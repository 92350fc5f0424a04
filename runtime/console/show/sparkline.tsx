import type { JSX } from 'preact'
import { sparkHeight, sparkPath, sparkWidth } from '../rules/sparkline.ts'

interface SparklineProps {
  /** The same in words, for people who do not see the line. */
  label: string
  values: readonly number[]
  /** Drawn in the colour of failures above the first line. */
  failures?: readonly number[]
}

/** A small plot without axes: it shows the shape of a day, not its numbers. */
export function Sparkline ({ label, values, failures = [] }: SparklineProps): JSX.Element {
  const hasFailures = failures.some(count => count > 0)
  const largest = Math.max(...values, ...failures, 0)
  return (
    <svg
      class='spark'
      viewBox={`0 0 ${sparkWidth} ${sparkHeight}`}
      role='img'
      aria-label={label}
      preserveAspectRatio='none'
    >
      <path class='line' d={sparkPath(values, largest)} />
      {hasFailures && <path class='line failures' d={sparkPath(failures, largest)} />}
    </svg>
  )
}
