import { ExternalId, StockLevel } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import type { Adapters } from '../../adapters/adapters.ts'
import { followPage, type PageTrail } from '../../adapters/page-trail.ts'
import { parseAnswer } from '../../adapters/parse-answer.ts'
import type { OpenConnection } from '../../connections/open-connection.ts'
import { refusePaused } from '../../connections/pauses/refuse-paused.ts'
import type { Query } from '../../database/database.ts'
import { byVariant, parseLevels } from '../../stock/record-stock.ts'
import { isSuspicious, publishedQuantity } from '../../stock/rules.ts'
import { countUnseen, findDifferences, listUnseen } from '../../stock/sweeps/store.ts'
import { compareOffers, isDifferent } from '../compare.ts'
import { countLinkable } from '../unlinked/map-unknown.ts'
import { visibleAfterMsOf } from '../written-offer.ts'
import { createShownReader } from './read-shown.ts'
import type { ReconcilePreview } from './schemas.ts'
import { findSettled } from './store.ts'
import { findDrifting } from './unwritten.ts'

export interface PreviewOptions {
  query: Query
  adapters: Pick<Adapters, 'call'>
  opened: OpenConnection
  requestId: string
  signal: AbortSignal
}

const longestMs = 20_000
// A page that starts just before the end of `longestMs` may still take its time.
const longestCallMs = 30_000
const mostListed = 200
const pageSize = 200
const StockPage = Type.Object({ items: Type.Array(StockLevel), nextCursor: Type.Optional(ExternalId) })

/**
 * Returns what a sweep of a master shop, or a comparison of a marketplace's offers, would change.
 * Reads for at most 20 s. Writes nothing, and keeps nothing for the adapter.
 */
export async function previewReconcile (options: PreviewOptions): Promise<ReconcilePreview> {
  const { connection } = options.opened
  const preview: ReconcilePreview = {
    connectionId: connection.id,
    complete: false,
    seen: 0,
    changes: [],
    changed: 0,
    keeps: [],
    kept: 0,
    linked: 0,
    missing: 0,
    missingVariants: [],
    held: false
  }
  return connection.capabilities.includes('InventoryMaster')
    ? previewMaster(options, preview)
    : previewMarketplace(options, preview)
}

function callOf ({ adapters, opened, requestId, signal }: PreviewOptions) {
  const ending = AbortSignal.any([signal, AbortSignal.timeout(longestCallMs)])
  return async (capability: string, method: string, argument: unknown): Promise<unknown> => {
    refusePaused(opened.connection, [capability])
    return adapters.call(opened.adapter, opened.snapshot, { kind: 'capability', capability, method }, [argument], {
      signal: ending,
      requestId,
      keep: () => undefined
    })
  }
}

async function previewMaster (options: PreviewOptions, preview: ReconcilePreview): Promise<ReconcilePreview> {
  const { query, opened: { connection: { id } } } = options
  const startedAt = performance.now()
  const call = callOf(options)
  const seen = new Set<string>()
  let cursor: string | undefined
  let trail: PageTrail | undefined
  do {
    const position = cursor === undefined ? {} : { cursor }
    const answer = await call('InventoryMaster', 'listStock', { limit: pageSize, ...position })
    const page = parseAnswer(StockPage, 'InventoryMaster.listStock', answer)
    const levels = byVariant(id, parseLevels(page.items))
    for (const variantId of levels.keys()) seen.add(variantId)
    for (const { id: variantId, from } of await findDifferences(query, levels, null)) {
      const level = levels.get(variantId)
      if (level === undefined) continue
      const { productExternalId, variantExternalId: externalId, quantity: to } = level
      addChange(preview, { productExternalId, externalId, from, to })
    }
    const { items, nextCursor } = page
    trail = followPage(trail, { method: 'InventoryMaster.listStock', items: items.length, nextCursor })
    cursor = nextCursor
  } while (cursor !== undefined && performance.now() - startedAt < longestMs)
  preview.seen = seen.size
  if (cursor !== undefined) return preview
  const { known, missing } = await countUnseen(query, id, [...seen])
  const missingVariants = missing === 0 ? [] : await listUnseen(query, id, [...seen], mostListed)
  const held = isSuspicious({ known, missing, seen: seen.size })
  return { ...preview, complete: true, missing, missingVariants, held }
}

async function previewMarketplace (options: PreviewOptions, preview: ReconcilePreview): Promise<ReconcilePreview> {
  const startedAt = performance.now()
  const isInTime = (): boolean => performance.now() - startedAt < longestMs
  const { query, opened, signal } = options
  const { id: connectionId } = opened.connection
  const { readPage, isList, listing } = createShownReader(query, opened, callOf(options), signal)
  const seenDifferent = new Set<string>()
  let position: string | undefined
  let trail: PageTrail | undefined
  do {
    const { offers, unreadable, next } = await readPage(position)
    if (isList) trail = followPage(trail, { method: listing, items: offers.length + unreadable, nextCursor: next })
    const externalIds = offers.map(({ externalId }) => externalId)
    const settled = await findSettled(query, connectionId, visibleAfterMsOf(opened), externalIds)
    for (const { offer, upstreamQuantity } of compareOffers(settled, offers).filter(isDifferent)) {
      seenDifferent.add(offer.id)
      addChange(preview, { externalId: offer.externalId, from: upstreamQuantity, to: publishedQuantity(offer, offer) })
    }
    preview.seen += offers.length
    preview.linked += await countLinkable(query, connectionId, offers)
    position = next
  } while (position !== undefined && isInTime())
  const isWhole = await previewUnwritten(options, preview, { seenDifferent, isInTime })
  return { ...preview, complete: position === undefined && isWhole }
}

interface Rest {
  seenDifferent: ReadonlySet<string>
  isInTime: () => boolean
}

/**
 * Adds the offers that a comparison writes whatever the marketplace shows, and the differing offers
 * that it leaves alone. Returns whether the time was enough for all of them.
 */
async function previewUnwritten (options: PreviewOptions, preview: ReconcilePreview, rest: Rest): Promise<boolean> {
  const { query, opened } = options
  const { seenDifferent, isInTime } = rest
  let after: string | undefined
  do {
    const { offers, next } = await findDrifting(query, opened.connection.id, after)
    for (const { id, externalId, sent: from, wanted: to, keptBecause } of offers) {
      if (seenDifferent.has(id)) continue
      if (keptBecause === undefined) addChange(preview, { externalId, from, to })
      else addKept(preview, { externalId, from, to, because: keptBecause })
    }
    after = next
  } while (after !== undefined && isInTime())
  return after === undefined
}

function addChange (preview: ReconcilePreview, change: ReconcilePreview['changes'][number]): void {
  preview.changed += 1
  if (preview.changes.length < mostListed) preview.changes.push(change)
}

function addKept (preview: ReconcilePreview, kept: ReconcilePreview['keeps'][number]): void {
  preview.kept += 1
  if (preview.keeps.length < mostListed) preview.keeps.push(kept)
}
