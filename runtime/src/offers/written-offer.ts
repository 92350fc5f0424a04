import { AdapterErrorCode, isAdapterError } from '@linker/sdk'
import type { OpenConnection } from '../connections/open-connection.ts'
import { OfferNotVisibleError } from '../errors.ts'
import { defaultVisibleAfterMs } from './compare.ts'
import type { WrittenOffer } from './store.ts'

export function visibleAfterMsOf ({ adapter }: OpenConnection): number {
  return adapter.description.offers?.visibleAfterMs ?? defaultVisibleAfterMs
}

const longestWaitMs = 120_000

/**
 * Explains that a marketplace does not know an offer. Right after the creation the marketplace does
 * not show it yet: the job waits and loses no attempt. Later the offer is gone.
 */
export function explainMissing (
  error: unknown,
  { createdUpstreamAt, externalId }: Pick<WrittenOffer, 'createdUpstreamAt' | 'externalId'>,
  visibleAfterMs: number,
  now: Date
): unknown {
  if (!isAdapterError(error) || error.code !== AdapterErrorCode.notFound || createdUpstreamAt === null) return error
  const leftMs = new Date(createdUpstreamAt).getTime() + visibleAfterMs - now.getTime()
  if (leftMs <= 0) return error
  const retryAfterMs = Math.min(longestWaitMs, leftMs)
  return Object.assign(new OfferNotVisibleError(externalId), { cause: error, retryAfterMs })
}
