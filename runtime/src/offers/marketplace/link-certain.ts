import { randomUUID } from 'node:crypto'
import { recordChange } from '../../audit/store.ts'
import { requirePresent } from '../../connections/store.ts'
import { repeatOnConflict } from '../../database/conflict.ts'
import type { Database, Query, Transaction } from '../../database/database.ts'
import type { EnqueueJobs } from '../../jobs/enqueue.ts'
import type { WaitingOrderJobs } from '../offers.ts'
import { quantityJobs } from '../quantity-jobs.ts'
import { forgetRelease, storeLinks } from '../unlinked/store.ts'
import { contains, judgeOffers, type JudgedOffer } from './judge-offers.ts'
import type { LinkBody, LinkSummary, SkipReason } from './schemas.ts'
import { findOffered, holdForLinks, listOffered, type OfferedRow } from './store.ts'
import type { Suggestion } from './suggest.ts'

export interface LinkCertainOptions {
  database: Database
  enqueueJobs: EnqueueJobs
  /** The jobs of orders that wait for an offer to be linked. */
  waitingOrderJobs: WaitingOrderJobs
}

export interface LinkOccasion {
  connectionId: string
  requestId: string
}

/** An offer with the variant that is certain to be its own. */
interface CertainOffer {
  offer: OfferedRow
  suggestion: Suggestion
}

const atOnce = 500
const sampleSize = 10
/** Offers that one request looks at, and links. */
const mostScanned = 50_000
const mostLinked = 10_000

/**
 * Links all offers of a marketplace whose variant is certain. Offers are linked in groups: those of
 * a group are linked together, with the jobs that follow from it.
 */
export async function linkCertain (
  options: LinkCertainOptions,
  occasion: LinkOccasion,
  { dryRun, filter, externalIds }: LinkBody
): Promise<LinkSummary> {
  const { query } = options.database
  const { connectionId } = occasion
  const counts = createCounts()
  for await (const rows of readGroups(query, connectionId, externalIds)) {
    if (counts.isFull()) {
      counts.cut()
      break
    }
    const wanted = filter === undefined ? rows : rows.filter(row => contains(row, filter.q))
    const judged = await judgeOffers(query, connectionId, wanted)
    const certain = judged.flatMap(toCertain)
    counts.add(rows.length, judged, certain)
    if (!dryRun && certain.length > 0) counts.addLinked(await linkTogether(options, occasion, certain))
  }
  if (externalIds !== undefined) counts.addUnknown(externalIds.length)
  return { dryRun, ...counts.summary() }
}

/** Reads the named offers, or all unlinked ones, in groups. */
async function* readGroups (
  query: Query,
  connectionId: string,
  externalIds: readonly string[] | undefined
): AsyncGenerator<OfferedRow[]> {
  if (externalIds !== undefined) {
    const rows = await findOffered(query, connectionId, externalIds)
    for (let start = 0; start < rows.length; start += atOnce) yield rows.slice(start, start + atOnce)
    return
  }
  let after: string | undefined = ''
  while (after !== undefined) {
    const rows: OfferedRow[] = await listOffered(query, connectionId, { after, limit: atOnce, only: 'unlinked' })
    if (rows.length > 0) yield rows
    after = rows.length < atOnce ? undefined : rows.at(-1)?.externalId
  }
}

function toCertain ({ offer, suggestions }: JudgedOffer): CertainOffer[] {
  const suggestion = suggestions.find(({ certain }) => certain)
  return suggestion === undefined ? [] : [{ offer, suggestion }]
}

/**
 * Links some offers, or none. Judges them again after all links to their variants have to wait:
 * since they were read, somebody may have linked one of them, or another offer to its variant.
 * Returns the offers that were not linked, each with the reason.
 */
async function linkTogether (
  { database, enqueueJobs, waitingOrderJobs }: LinkCertainOptions,
  { connectionId, requestId }: LinkOccasion,
  certain: readonly CertainOffer[]
): Promise<{ linked: number, skipped: SkipReason[] }> {
  async function link (transaction: Transaction): Promise<{ linked: number, skipped: SkipReason[] }> {
    const { query } = transaction
    await requirePresent(query, connectionId)
    await holdForLinks(query, certain.map(({ suggestion }) => suggestion.variantId))
    const rows = await findOffered(query, connectionId, certain.map(({ offer }) => offer.externalId))
    const judged = await judgeOffers(query, connectionId, rows)
    const held = new Set(certain.map(({ suggestion }) => suggestion.variantId))
    const links = judged.flatMap(toCertain).filter(({ suggestion }) => held.has(suggestion.variantId)).map(linkOf)
    const ids = await storeLinks(query, connectionId, links)
    const linked = links.filter(({ id }) => ids.includes(id)).map(({ externalId }) => externalId)
    const [first] = ids
    if (first !== undefined) {
      await forgetRelease(query, connectionId, linked)
      const jobs = [
        ...await quantityJobs(query, { offerIds: ids }, requestId),
        ...await waitingOrderJobs(query, { connectionId }, first, requestId)
      ]
      await enqueueJobs(jobs, transaction)
      await recordChange(query, { action: 'offer.link', connectionId, objectName: `${linked.length} certain offers` })
    }
    const states = new Map(judged.map(offer => [offer.offer.externalId, offer]))
    const skipped = certain
      .filter(({ offer }) => !linked.includes(offer.externalId))
      .map(({ offer }) => reasonNow(states.get(offer.externalId)))
    return { linked: linked.length, skipped }
  }
  const done = await repeatOnConflict(() => database.transaction(link))
  if (done.linked > 0) database.notify('jobs')
  return done
}

function reasonNow (judged: JudgedOffer | undefined): SkipReason {
  return judged === undefined || judged.state === 'linked' ? 'changed-meanwhile' : reasonOf(judged)
}

/** Why an offer is not linked. One that is certain now has another variant than it had before. */
function reasonOf ({ state, suggestions: [best] }: JudgedOffer): SkipReason {
  if (state === 'linked') return 'already-linked'
  if (best === undefined) return 'no-match'
  return best.reason === 'only-match' ? 'changed-meanwhile' : best.reason
}

function linkOf ({ offer, suggestion }: CertainOffer) {
  const { externalId, reference, sku, ean, status, upstreamStatus, title, price, readAt } = offer
  return {
    id: randomUUID(),
    variantId: suggestion.variantId,
    externalId,
    reference,
    sku,
    ean,
    status,
    upstreamStatus,
    title,
    price,
    buffer: 0,
    frozenFields: [],
    problems: [],
    isSeen: false,
    seenAt: readAt,
    // The next comparison says what the marketplace shows after the write that follows.
    upstreamQuantity: undefined
  }
}

function createCounts () {
  const skipped = new Map<SkipReason, number>()
  const sample: LinkSummary['sample'] = []
  let [matched, scanned, eligible, linked] = [0, 0, 0, 0]
  let readAt: string | null = null
  let isCut = false

  function skip (reason: SkipReason, count = 1): void {
    if (count > 0) skipped.set(reason, (skipped.get(reason) ?? 0) + count)
  }

  return {
    add (looked: number, judged: readonly JudgedOffer[], certain: readonly CertainOffer[]) {
      scanned += looked
      matched += judged.length
      eligible += certain.length
      for (const offer of judged) if (offer.state !== 'certain') skip(reasonOf(offer))
      for (const { offer, suggestion } of certain) {
        if (offer.readAt !== null && (readAt === null || offer.readAt < readAt)) readAt = offer.readAt
        if (sample.length < sampleSize) sample.push(sampleOf(offer, suggestion))
      }
    },
    addLinked (done: { linked: number, skipped: readonly SkipReason[] }) {
      linked += done.linked
      for (const reason of done.skipped) skip(reason)
    },
    linked: () => linked,
    /** Counts those of the named offers that were not found. */
    addUnknown (named: number) {
      skip('unknown', named - scanned)
      matched = named
    },
    /** Whether the request has done enough. */
    isFull: () => scanned >= mostScanned || eligible >= mostLinked,
    /** Notes that offers are left over. */
    cut () {
      isCut = true
    },
    summary: () => ({
      matched,
      eligible,
      linked,
      skipped: [...skipped].map(([reason, count]) => ({ reason, count })),
      sample,
      readAt,
      atMost: isCut
    })
  }
}

function sampleOf (
  { externalId, title }: OfferedRow,
  { variantId, name, sku, ean, matchedBy }: Suggestion
): LinkSummary['sample'][number] {
  return { externalId, title, variantId, name, sku, ean, matchedBy }
}
