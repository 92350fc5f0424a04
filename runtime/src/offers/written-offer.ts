import { AdapterErrorCode, isAdapterError } from '@linker/sdk'
import type { OpenConnection } from '../connections/open-connection.ts'
import type { Query } from '../database/database.ts'
import { OfferNotVisibleError } from '../errors.ts'
import { defaultVisibleAfterMs } from './compare.ts'

/** An offer and its stock, as a command on the offer needs them. */
export interface WrittenOffer {
  id: string
  connectionId: string
  externalId: string
  status: string
  createdUpstreamAt: Date | null
  buffer: number
  maxListed: number | null
  frozenFields: string[]
  linkVersion: number
  quantity: number | null
  reserved: number | null
  stockVersion: number | null
}

const selectWritten = `
  select
    offers.id, offers.connection_id as "connectionId", offers.external_id as "externalId", offers.status,
    offers.created_upstream_at as "createdUpstreamAt", offers.buffer, offers.max_listed as "maxListed",
    offers.frozen_fields as "frozenFields", offers.link_version as "linkVersion",
    stock.quantity, stock.reserved, stock.version as "stockVersion"
  from offers
  left join stock on stock.variant_id = offers.variant_id
  where offers.id = $1`

export async function readWritten (query: Query, id: string): Promise<WrittenOffer | undefined> {
  const [offer] = await query<WrittenOffer>(selectWritten, [id])
  return offer
}

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
