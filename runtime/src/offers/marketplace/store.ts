import type { Money } from '@linker/sdk'
import type { Query } from '../../database/database.ts'
import { toStorableJson } from '../../database/storable-json.ts'
import { isUuid } from '../../text-patterns.ts'
import { lockForLinks, selectCandidates, selectNamed, selectOffered } from './statements.ts'
import type { Candidate } from './suggest.ts'

/** An offer as its marketplace last showed it. `offerId`, `variantId`: null when it is unlinked. */
export interface OfferedRow {
  externalId: string
  offerId: string | null
  variantId: string | null
  reference: string | null
  sku: string | null
  ean: string | null
  status: 'DRAFT' | 'ACTIVE' | 'INACTIVE'
  upstreamStatus: string | null
  title: string | null
  price: Money | null
  quantity: number | null
  readAt: string | null
  /** Whether an operator unlinked it. */
  isReleased: boolean
}

export interface OfferedPage {
  /** Only ids that come after this one. */
  after: string
  limit: number
  /** Which offers: all by default. */
  only?: 'linked' | 'unlinked' | undefined
}

/** Returns offers that a marketplace shows, ordered by their ids there. */
export async function listOffered (
  query: Query,
  connectionId: string,
  { after, limit, only }: OfferedPage
): Promise<OfferedRow[]> {
  return query<OfferedRow>(selectOffered, [connectionId, after, limit, only !== 'unlinked', only !== 'linked'])
}

/** Returns those of some offers that a marketplace shows. */
export async function findOffered (
  query: Query,
  connectionId: string,
  externalIds: readonly string[]
): Promise<OfferedRow[]> {
  return query<OfferedRow>(selectNamed, [connectionId, externalIds])
}

/** Returns the variants that may be those of unlinked offers, by the ids of the offers. */
export async function findCandidates (
  query: Query,
  connectionId: string,
  offers: readonly Pick<OfferedRow, 'externalId' | 'reference' | 'sku' | 'ean'>[]
): Promise<ReadonlyMap<string, Candidate[]>> {
  if (offers.length === 0) return new Map()
  const shown = offers.map(({ externalId, reference, sku, ean }) => {
    const variantId = reference?.trim().toLowerCase() ?? ''
    return { externalId, reference, sku, ean, variantId: isUuid(variantId) ? variantId : null }
  })
  const rows = await query<Candidate & { externalId: string }>(selectCandidates, [connectionId, toStorableJson(shown)])
  return Map.groupBy(rows, ({ externalId }) => externalId)
}

/** Lets links to these variants wait until the transaction ends. */
export async function holdForLinks (query: Query, variantIds: readonly string[]): Promise<void> {
  await query(lockForLinks, [variantIds])
}
