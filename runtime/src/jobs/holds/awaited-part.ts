import type { GroupPart } from './store.ts'

/** A part of a group for which a job waits. */
export interface AwaitedPart extends GroupPart {
  /**
   * The job is due after this time, or when somebody releases the part. Absent: the part is paused,
   * and the job is due at the end of the pause.
   */
  delayMs?: number
  /** The platform itself made the job wait, so the job keeps the error of the run. */
  keepsError?: boolean
  /** The run itself found that the platform still fails. Such a job waits for a day at most. */
  foundFault?: boolean
}

const parts = new WeakMap<object, AwaitedPart>()

/** Notes that a run cannot go on before this part of a group is free. Returns the error. */
export function noteAwaited<Thrown extends Error> (error: Thrown, part: AwaitedPart): Thrown {
  parts.set(error, part)
  return error
}

/** The part of a group that an error is about; undefined for any other error. */
export function awaitedPartOf (error: unknown): AwaitedPart | undefined {
  return typeof error === 'object' && error !== null ? parts.get(error) : undefined
}
