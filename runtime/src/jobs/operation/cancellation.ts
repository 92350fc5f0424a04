import type { Cancellation } from '../job.ts'
import { JobProblemCode, type Problem } from '../retry-policy.ts'

/** The problem that a cancelled job shows. */
export function problemOf ({ by, reason }: Pick<Cancellation, 'by' | 'reason'>): Problem {
  const why = reason === null ? '' : `: ${reason}`
  return { code: JobProblemCode.cancelled, message: `cancelled by '${by}'${why}` }
}
