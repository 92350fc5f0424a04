import { ExternalId, StockLevel } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import type { Adapters } from '../adapters/adapters.ts'
import type { OpenConnection } from '../connections/open-connection.ts'
import type { Query } from '../database/database.ts'
import { parseAnswer } from '../jobs/handlers/payload.ts'
import { compareOffers, findSettled, isDifferent } from '../offers/compare.ts'
import { createShownReader } from '../offers/read-shown.ts'
import { visibleAfterMsOf } from '../offers/written-offer.ts'
import { byVariant, parseLevels } from './record-stock.ts'
import { isSuspicious } from './rules.ts'
import type { ReconcilePreview } from './schemas.ts'
import { countUnseen, findDifferences } from './sweeps.ts'

export interface PreviewOptions { query: Query, adapters: Pick<Adapters, 'call'>, opened: OpenConnection, requestId: string, signal: AbortSignal }

const longestMs = 20_000
// The last page may take longer than what is left.
const longestCallMs = 30_000
const mostListed = 200
const pageSize = 200
const StockPage = Type.Object({ items: Type.Array(StockLevel), nextCursor: Type.Optional(ExternalId) })

/** What a sweep of a master shop, or a comparison of a marketplace's offers, would change. Reads for 20 s at most and writes nothing, also nothing that the adapter asks for. */
export async function previewReconcile (options: PreviewOptions): Promise<ReconcilePreview> {
  const { connection } = options.opened
  const preview = { connectionId: connection.id, complete: false, seen: 0, changes: [], changed: 0, missing: 0, held: false }
  return connection.capabilities.includes('InventoryMaster') ? previewMaster(options, preview) : previewMarketplace(options, preview)
}

function callOf ({ adapters, opened, requestId, signal }: PreviewOptions) {
  const ending = AbortSignal.any([signal, AbortSignal.timeout(longestCallMs)])
  return (capability: string, method: string, argument: unknown): Promise<unknown> => {
    return adapters.call(opened.adapter, opened.snapshot, { kind: 'capability', capability, method }, [argument], { signal: ending, requestId, keep: () => undefined })
  }
}

async function previewMaster (options: PreviewOptions, preview: ReconcilePreview): Promise<ReconcilePreview> {
  const { query, opened: { connection: { id } } } = options
  const startedAt = performance.now()
  const call = callOf(options)
  const seen = new Set<string>()
  let cursor: string | undefined
  do {
    const page = parseAnswer(StockPage, 'InventoryMaster.listStock', await call('InventoryMaster', 'listStock', { limit: pageSize, ...(cursor === undefined ? {} : { cursor }) }))
    const levels = byVariant(id, parseLevels(page.items))
    for (const variantId of levels.keys()) seen.add(variantId)
    for (const { id: variantId, from } of await findDifferences(query, levels, null)) {
      const level = levels.get(variantId)
      preview.changed += 1
      if (level !== undefined && preview.changes.length < mostListed) preview.changes.push({ productExternalId: level.productExternalId, externalId: level.variantExternalId, from, to: level.quantity })
    }
    cursor = page.nextCursor
  } while (cursor !== undefined && performance.now() - startedAt < longestMs)
  preview.seen = seen.size
  if (cursor !== undefined) return preview
  const { known, missing } = await countUnseen(query, id, [...seen])
  return { ...preview, complete: true, missing, held: isSuspicious({ known, missing, seen: seen.size }) }
}

async function previewMarketplace (options: PreviewOptions, preview: ReconcilePreview): Promise<ReconcilePreview> {
  const startedAt = performance.now()
  const { query, opened, signal } = options
  const { readPage } = createShownReader(query, opened, callOf(options), signal)
  let position: string | undefined
  do {
    const { offers, next } = await readPage(position)
    const comparisons = compareOffers(await findSettled(query, opened.connection.id, visibleAfterMsOf(opened), offers.map(({ externalId }) => externalId)), offers)
    const different = comparisons.filter(isDifferent)
    preview.seen += comparisons.length
    preview.changed += different.length
    preview.changes.push(...different.slice(0, mostListed - preview.changes.length).map(({ offer, upstreamQuantity }) => ({ externalId: offer.externalId, from: upstreamQuantity, to: offer.sent ?? 0 })))
    position = next
  } while (position !== undefined && performance.now() - startedAt < longestMs)
  return { ...preview, complete: position === undefined }
}
