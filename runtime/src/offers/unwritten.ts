import { AdapterErrorCode } from '@linker/sdk'
import type { Query } from '../database/database.ts'
import { quantityKey } from './quantity-jobs.ts'
import { jobIdOf } from '../jobs/identity.ts'
import type { JobRecord } from '../jobs/job.ts'
import { getJobs } from '../jobs/store.ts'
import { publishedQuantitySql } from '../stock/statements.ts'
import { isUnwritten } from './statements.ts'
import type { OfferVersion } from './store.ts'

/** Selects a page of a connection's offers, or one offer that an operator asks for. */
export type UnwrittenOf = { connectionId: string, after?: string | undefined } | { offerId: string }

const pageSize = 200
const hasEnded: ReadonlySet<string> = new Set(['succeeded', 'dead', 'cancelled'])
/**
 * Errors that end the attempts at a quantity: the marketplace would answer the same again. The hub
 * writes the next version of the stock or of the link as always.
 */
const lastWords: ReadonlySet<string> = new Set([AdapterErrorCode.rejected, AdapterErrorCode.notFound])
/** The marketplace first took a quantity and then refused it. */
const isRefused = 'offers.stock_version is null and offers.last_synced_at is not null'

const lockUnwritten = (condition: string): string => `
  select offers.id, offers.connection_id as "connectionId", stock.version, offers.link_version as "linkVersion"
  from offers
  join stock on stock.variant_id = offers.variant_id
  where ${condition}
    and offers.status not in ('ENDED', 'FAILED')
    and (offers.status <> 'DRAFT' or offers.created_upstream_at is not null)
    and ${isUnwritten}
  order by offers.id
  limit ${pageSize}
  for update of offers`
const lockUnwrittenOffer = lockUnwritten('offers.id = $1')
const lockUnwrittenPage =
  lockUnwritten(`offers.connection_id = $1 and ($2::uuid is null or offers.id > $2) and not (${isRefused})`)

/**
 * Finds offers that lack the last version of their stock or link although no job is about to write
 * it. The job died while the marketplace was away, or ended before the offer existed there. These
 * offers get a new link version, so that a new job can be made. The hub tries a refused quantity
 * again only for an operator. Answers the offers to make jobs for, and where the next page begins.
 * Call it in a transaction.
 */
export async function takeUnwritten (query: Query, of: UnwrittenOf): Promise<{ offerIds: string[], next?: string }> {
  const isAsked = 'offerId' in of
  const rows = isAsked
    ? await query<OfferVersion>(lockUnwrittenOffer, [of.offerId])
    : await query<OfferVersion>(lockUnwrittenPage, [of.connectionId, of.after ?? null])
  const jobs = await getJobs(query, rows.map(row => jobIdOf(quantityKey(row))))
  const ended = rows.filter(row => {
    const job = jobs.get(jobIdOf(quantityKey(row)))
    const kept = keptBy(job)
    return job !== undefined && (kept === undefined || (isAsked && kept === 'refused'))
  })
  await query(
    'update offers set link_version = link_version + 1, updated_at = now() where id = any($1::uuid[])',
    [ended.map(({ id }) => id)]
  )
  // An offer needs no new version when its job was never made, or was removed long ago.
  const missing = rows.filter(row => !jobs.has(jobIdOf(quantityKey(row))))
  const next = rows.length < pageSize ? undefined : rows.at(-1)?.id
  return { offerIds: [...ended, ...missing].map(({ id }) => id), next }
}

/**
 * Why a comparison leaves a drifting offer alone. `wished`: an operator named the first quantity,
 * which holds until the stock changes. `under-way`: a job is about to write the offer.
 */
export type KeptBecause = 'not-created' | 'frozen' | 'refused' | 'wished' | 'under-way'

/**
 * An offer that should show another quantity. A comparison writes it unless `keptBecause` is set.
 */
export interface Drifting {
  id: string
  externalId: string
  sent: number | null
  wanted: number
  keptBecause?: KeptBecause
}

type DriftingRow = OfferVersion & Omit<Drifting, 'keptBecause'> & { keptBecause: KeptBecause | null }

export interface DriftingPage {
  offers: Drifting[]
  /** Where the next page begins. */
  next?: string
}

const selectDrifting = `
  select
    offers.id, offers.connection_id as "connectionId", offers.external_id as "externalId",
    offers.quantity as sent, ${publishedQuantitySql} as wanted,
    stock.version, offers.link_version as "linkVersion",
    case
      when offers.status = 'DRAFT' and offers.created_upstream_at is null then 'not-created'
      when offers.frozen_fields ? 'stock' then 'frozen'
      when ${isRefused} then 'refused'
      when not ${isUnwritten} then 'wished'
    end as "keptBecause"
  from offers
  join stock on stock.variant_id = offers.variant_id
  where offers.connection_id = $1
    and ($2::uuid is null or offers.id > $2)
    and offers.status not in ('ENDED', 'FAILED')
    and offers.quantity is distinct from ${publishedQuantitySql}
  order by offers.id
  limit ${pageSize}`

export async function findDrifting (
  query: Query,
  connectionId: string,
  after: string | undefined
): Promise<DriftingPage> {
  const rows = await query<DriftingRow>(selectDrifting, [connectionId, after ?? null])
  const jobs = await getJobs(query, rows.map(row => jobIdOf(quantityKey(row))))
  const offers = rows.map(row => {
    const keptBecause = row.keptBecause ?? keptBy(jobs.get(jobIdOf(quantityKey(row))))
    const { id, externalId, sent, wanted } = row
    return { id, externalId, sent, wanted, keptBecause }
  })
  const next = rows.length < pageSize ? undefined : rows.at(-1)?.id
  return { offers, next }
}

/** Answers why the job of an unwritten quantity keeps a comparison from writing it, if it does. */
function keptBy (job: Pick<JobRecord, 'status' | 'problem'> | undefined): 'under-way' | 'refused' | undefined {
  if (job === undefined) return undefined
  if (!hasEnded.has(job.status)) return 'under-way'
  return lastWords.has(job.problem?.code ?? '') ? 'refused' : undefined
}
