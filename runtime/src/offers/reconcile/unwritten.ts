import { AdapterErrorCode } from '@linker/sdk'
import type { Query } from '../../database/database.ts'
import { readTime } from '../../database/read-time.ts'
import { jobIdOf } from '../../jobs/identity.ts'
import type { JobRecord } from '../../jobs/job.ts'
import { endOutdated } from '../../jobs/operation/store.ts'
import { getJobs } from '../../jobs/store.ts'
import { objectKeyOf, quantityKey } from '../quantity-jobs.ts'
import { listDrifting, lockUnwritten, lockUnwrittenOf, raiseVersions } from './store.ts'

/** Selects a page of a connection's offers, or one offer that an operator asks for. */
export type UnwrittenOf = { connectionId: string, after?: string | undefined } | { offerId: string }

const hasEnded: ReadonlySet<string> = new Set(['succeeded', 'dead', 'cancelled'])
/**
 * Errors that end the attempts at a quantity: the marketplace would answer the same again soon. The
 * hub writes the next version of the stock or of the link as always.
 */
const lastWords: ReadonlySet<string> = new Set([AdapterErrorCode.rejected, AdapterErrorCode.notFound])

/**
 * A comparison tries a refused quantity again after this time. It is far less than the hour between
 * two comparisons: the marketplace may refuse a quantity half an hour after the comparison that
 * wrote it.
 */
const refusedMs = 20 * 60_000

/** Whether this code of a dead job says that the marketplace refused the quantity. */
export function isLastWord (code: string | undefined): boolean {
  return code !== undefined && lastWords.has(code)
}

/**
 * Finds offers that lack the last version of their stock or link although no job is about to write
 * it. The job died while the marketplace was away, or ended before the offer existed there. These
 * offers get a new link version, so that a new job can be made, and their dead jobs are outdated.
 * The hub tries a refused quantity again in the next hourly comparison, or for an operator. Returns
 * the offers to make jobs for, and where the next page begins. Call it in a transaction.
 */
export async function takeUnwritten (query: Query, of: UnwrittenOf): Promise<{ offerIds: string[], next?: string }> {
  const isAsked = 'offerId' in of
  const { offers, next } = isAsked
    ? { offers: await lockUnwritten(query, of.offerId), next: undefined }
    : await lockUnwrittenOf(query, of.connectionId, of.after)
  const jobs = await getJobs(query, offers.map(offer => jobIdOf(quantityKey(offer))))
  const nowMs = Date.parse(await readTime(query))
  const ended = offers.filter(offer => {
    const job = jobs.get(jobIdOf(quantityKey(offer)))
    const kept = keptBy(job, nowMs)
    return job !== undefined && (kept === undefined || (isAsked && kept === 'refused'))
  })
  await raiseVersions(query, ended.map(({ id }) => id))
  await endOutdated(query, ended.map(objectKeyOf), 'the hub writes the quantity again')
  // An offer needs no new version when its job was never made, or was removed long ago.
  const missing = offers.filter(offer => !jobs.has(jobIdOf(quantityKey(offer))))
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

/** A page of drifting offers. */
export interface DriftingPage {
  offers: Drifting[]
  /** Where the next page begins. */
  next?: string
}

/** Returns offers of a connection that should show another quantity, ordered by id. */
export async function findDrifting (
  query: Query,
  connectionId: string,
  after: string | undefined
): Promise<DriftingPage> {
  const { offers, next } = await listDrifting(query, connectionId, after)
  const jobs = await getJobs(query, offers.map(offer => jobIdOf(quantityKey(offer))))
  const nowMs = Date.parse(await readTime(query))
  return {
    offers: offers.map(offer => {
      const { id, externalId, sent, wanted } = offer
      const keptBecause = offer.keptBecause ?? keptBy(jobs.get(jobIdOf(quantityKey(offer))), nowMs)
      return { id, externalId, sent, wanted, keptBecause }
    }),
    next
  }
}

/** Returns why the job of an unwritten quantity keeps a comparison from writing it, if it does. */
function keptBy (
  job: Pick<JobRecord, 'status' | 'problem' | 'finishedAt'> | undefined,
  nowMs: number
): 'under-way' | 'refused' | undefined {
  if (job === undefined) return undefined
  if (!hasEnded.has(job.status)) return 'under-way'
  const isFresh = Date.parse(job.finishedAt ?? '') > nowMs - refusedMs
  return isFresh && isLastWord(job.problem?.code) ? 'refused' : undefined
}
