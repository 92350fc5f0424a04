import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { JobEnd } from '../../jobs/store.ts'
import { Replaced } from '../replaced.ts'

const Write = Type.Object({
  quantity: Type.Integer(),
  frozen: Type.Array(Type.String()),
  before: Type.Optional(Type.Integer()),
  replaced: Type.Optional(Replaced)
})

/**
 * Returns the quantities that a marketplace may still show beside the last write: those of the
 * earlier writes within its lag, what was there before the first of them, and what it showed in
 * between. Undefined when the hub does not know all of them.
 *
 * `ends` are the quantity jobs of the offer that ended within the lag, the oldest first. `isNew`:
 * the hub created the offer within the lag, so nothing was there before.
 */
export function olderQuantities (ends: readonly Omit<JobEnd, 'objectKey'>[], isNew: boolean): number[] | undefined {
  // A job that did not end well may have written its quantity all the same.
  if (ends.some(({ outcome }) => outcome !== 'succeeded')) return undefined
  const writes = ends.flatMap(({ result }) =>
    Value.Check(Write, result) && !result.frozen.includes('stock') ? [result] : []
  )
  if (!isNew && writes[0]?.before === undefined) return undefined
  return writes.flatMap(({ quantity, before, replaced }) => [
    quantity,
    ...before === undefined ? [] : [before],
    ...replaced === undefined ? [] : [replaced.shown]
  ])
}
