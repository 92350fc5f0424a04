import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Nullable } from '../http/schemas.ts'
import type { OfferStock } from './store.ts'

/** A quantity that the marketplace showed although the hub had written another one. */
export const Replaced = Type.Object({
  shown: Type.Integer(),
  /** The quantity that the hub had written before. */
  written: Type.Integer(),
  readAt: Nullable(Type.String())
})
export type Replaced = Static<typeof Replaced>

const WriteResult = Type.Object({ replaced: Replaced })

/**
 * Returns the quantity that a write of this offer replaces, if the last reading differed from the
 * last write. The write makes the hub forget that reading, so its job keeps it.
 */
export function replacedBy ({ upstreamQuantity: shown, upstreamReadAt: readAt, sentQuantity: written }: Pick<
  OfferStock,
  'upstreamQuantity' | 'upstreamReadAt' | 'sentQuantity'
>): Replaced | undefined {
  return shown === null || written === null || shown === written ? undefined : { shown, written, readAt }
}

/**
 * Returns the quantity that the marketplace shows before a write of this offer, as far as the hub
 * knows it. Until the write is visible, a reading may show it again.
 */
export function knownBefore ({ sentQuantity, upstreamQuantity }: Pick<OfferStock, 'sentQuantity' | 'upstreamQuantity'>):
  | number
  | undefined
{
  return sentQuantity ?? upstreamQuantity ?? undefined
}

/** Reads it from the result of the job that wrote the quantity. */
export function replacedIn (result: unknown): Replaced | null {
  return Value.Check(WriteResult, result) ? result.replaced : null
}
