import type { GroupPart } from './store.ts'

const parts = new WeakMap<object, GroupPart>()

/** Notes that a run cannot go on because this part of a group is paused. Returns the error. */
export function notePaused<Thrown extends Error> (error: Thrown, part: GroupPart): Thrown {
  parts.set(error, part)
  return error
}

/** The paused part of a group that an error is about; undefined for any other error. */
export function pausedPartOf (error: unknown): GroupPart | undefined {
  return typeof error === 'object' && error !== null ? parts.get(error) : undefined
}
