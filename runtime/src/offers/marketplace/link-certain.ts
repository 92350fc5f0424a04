import { randomUUID } from 'node:crypto'
import { listChanges } from '../../audit/list-changes.ts'
import { recordChange } from '../../audit/store.ts'
import { requirePresent } from '../../connections/store.ts'
import { repeatOnConflict } from '../../database/conflict.ts'
import type { Database, Query, Transaction } from '../../database/database.ts'
import { HubStoppingError } from '../../errors.ts'
import type { EnqueueJobs } from '../../jobs/enqueue.ts'
import { countOf } from '../../words.ts'
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
  /** Aborts when the hub stops. */
  stopping: AbortSignal
  /** Offers that one request looks at, and links. Default: 50 000 and 10 000. */
  most?: { scanned: number, linked: number }
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
const mostOfRequest = { scanned: 50_000, linked: 10_000 }

/**
 * Links all offers of a marketplace whose variant is certain. Offers are linked in groups: those of
 * a group are linked together, with the jobs that follow from it. Throws `LNK_HUB_STOPPING` between
 * two groups: a repetition of the request links the rest.
 */
export async function linkCertain (
  options: LinkCertainOptions,
  occasion: LinkOccasion,
  { dryRun, filter, externalIds, after = '' }: LinkBody
): Promise<LinkSummary> {
  const { database: { query }, stopping, most = mostOfRequest } = options
  const { connectionId } = occasion
  const counts = createCounts()
  for await (const rows of readGroups(query, connectionId, { externalIds, after })) {
    if (stopping.aborted) throw new HubStoppingError()
    const rest = most.linked - counts.eligible()
    if (rest <= 0 || counts.scanned() >= most.scanned) {
      counts.cut()
      break
    }
    const wanted = filter === undefined ? rows : rows.filter(row => contains(row, filter.q))
    const group = upToCertain(rows, await judgeOffers(query, connectionId, wanted), rest)
    try {
      const done = dryRun || group.certain.length === 0
        ? nothingLinked
        : await linkTogether(options, { ...occasion, filter, externalIds }, group.certain)
      counts.add(group, done)
    } catch (error) {
      // An error of the request, such as that its connection is deleted now, would say that nothing
      // was done.
      if (counts.linked() === 0 || !isRefusal(error)) throw error
      counts.cut()
      break
    }
    if (group.rows.length < rows.length) {
      counts.cut()
      break
    }
  }
  if (externalIds !== undefined) counts.addUnknown(externalIds.length)
  return { dryRun, ...counts.summary() }
}

/** Offers that are looked at and linked together. */
interface Group {
  rows: readonly OfferedRow[]
  judged: readonly JudgedOffer[]
  certain: readonly CertainOffer[]
}

interface Done {
  linked: number
  /** Why certain offers were not linked. */
  skipped: readonly SkipReason[]
}

const nothingLinked: Done = { linked: 0, skipped: [] }

/** Returns the group up to the last of so many certain offers. */
function upToCertain (rows: readonly OfferedRow[], judged: readonly JudgedOffer[], most: number): Group {
  const certain = judged.flatMap(toCertain)
  if (certain.length <= most) return { rows, judged, certain }
  const taken = certain.slice(0, most)
  const last = taken.at(-1)?.offer
  return {
    rows: rows.slice(0, rows.findIndex(row => row === last) + 1),
    judged: judged.slice(0, judged.findIndex(({ offer }) => offer === last) + 1),
    certain: taken
  }
}

/** Whether the request itself is refused, and not only this attempt. */
function isRefusal (error: unknown): boolean {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' &&
    error.statusCode < 500
}

/** Reads the named offers, or all unlinked ones after an id, in groups. */
async function* readGroups (
  query: Query,
  connectionId: string,
  { externalIds, after: first }: { externalIds: readonly string[] | undefined, after: string }
): AsyncGenerator<OfferedRow[]> {
  if (externalIds !== undefined) {
    yield await findOffered(query, connectionId, externalIds)
    return
  }
  let after: string | undefined = first
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
  { connectionId, requestId, filter, externalIds }: LinkOccasion & Pick<LinkBody, 'filter' | 'externalIds'>,
  certain: readonly CertainOffer[]
): Promise<Done> {
  async function link (transaction: Transaction): Promise<Done> {
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
        ...await waitingOrderJobs(query, { connectionId, offerExternalIds: linked }, first, requestId)
      ]
      await enqueueJobs(jobs, transaction)
      const pairs = links
        .filter(({ id }) => ids.includes(id))
        .map(({ externalId, variantId }) => ({ externalId, variantId }))
      await recordChange(query, {
        action: 'offer.link',
        connectionId,
        objectName: countOf(linked.length, 'offer'),
        changes: listChanges({}, { filter, externalIds, links: pairs }, () => false)
      })
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

/** Why an offer is not linked. An offer that is certain again has changed its variant. */
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
  let reached: string | null = null
  let isCut = false

  function skip (reason: SkipReason, count = 1): void {
    if (count > 0) skipped.set(reason, (skipped.get(reason) ?? 0) + count)
  }

  return {
    add ({ rows, judged, certain }: Group, done: Done) {
      scanned += rows.length
      matched += judged.length
      eligible += certain.length
      linked += done.linked
      reached = rows.at(-1)?.externalId ?? reached
      for (const offer of judged) if (offer.state !== 'certain') skip(reasonOf(offer))
      for (const reason of done.skipped) skip(reason)
      for (const { offer, suggestion } of certain) {
        if (offer.readAt !== null && (readAt === null || offer.readAt < readAt)) readAt = offer.readAt
        if (sample.length < sampleSize) sample.push(sampleOf(offer, suggestion))
      }
    },
    scanned: () => scanned,
    eligible: () => eligible,
    linked: () => linked,
    /** Counts those of the named offers that were not found. */
    addUnknown (named: number) {
      skip('unknown', named - scanned)
      matched = named
    },
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
      next: isCut ? reached : null,
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
