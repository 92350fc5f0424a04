import type { Registry } from '../../adapters/registry.ts'
import type { Connection } from '../../connections/entity.ts'
import { findConnections } from '../../connections/store.ts'
import type { Query } from '../../database/database.ts'
import { OfferNotFoundError } from '../../errors.ts'
import { exclusionKeyOf, jobIdOf } from '../../jobs/identity.ts'
import { listJobs } from '../../jobs/store.ts'
import { syncStock } from '../../stock/jobs.ts'
import { propagationKey } from '../../stock/record-stock.ts'
import { readLastSweeps } from '../../stock/sweeps/store.ts'
import { defaultVisibleAfterMs } from '../compare.ts'
import { quantityCapability } from '../offer-capability.ts'
import { quantityKey } from '../quantity-jobs.ts'
import { replacedIn } from '../replaced.ts'
import type {
  ConnectionFacts,
  Facts,
  JobFacts,
  LastEvent,
  LinkedFacts,
  OfferFacts,
  Reservations,
  ShopFacts
} from './facts.ts'
import { isUnmade } from './quantities.ts'
import { readExplained, readUnlinkedOffer, type ExplainedRow } from './store.ts'

/** Facts that only higher floors know. */
export interface HigherFacts {
  /** The open orders that reserve pieces of a variant. */
  reservationsOf(variantId: string): Promise<Reservations>
  /** The last webhook of a connection. */
  lastEventOf(connectionId: string): Promise<LastEvent | undefined>
  /** The types of the jobs that webhooks about stock start on a connection. */
  stockJobTypesOf(connection: Connection): readonly string[]
  /** How often the schedule of a shop sweeps its stock. Null: it is switched off. */
  sweepEveryMsOf(connection: Connection): Promise<number | null>
}

export interface FactSources extends HigherFacts {
  query: Query
  registry: Pick<Registry, 'find' | 'explain'>
  jobs: {
    /** Returns those of the jobs that the ledger has, by their ids. */
    find(ids: readonly string[]): Promise<ReadonlyMap<string, JobFacts>>
  }
}

/**
 * Reads what explains the quantity of an offer: of a linked one, or of one that is linked to no
 * variant. Throws `LNK_OFFER_NOT_FOUND`. Runs about fifteen statements, however much there is.
 */
export async function readFacts (sources: FactSources, id: string): Promise<Facts> {
  const { query } = sources
  const row = await readExplained(query, id)
  return row === undefined ? readUnlinked(query, id) : readLinked(sources, row)
}

async function readUnlinked (query: Query, id: string): Promise<Facts> {
  const row = await readUnlinkedOffer(query, id)
  const [connection] = row === undefined ? [] : await findConnections(query, [row.offer.connectionId])
  if (row === undefined || connection === undefined) throw new OfferNotFoundError(id)
  return { kind: 'unlinked', ...row, connection: { id: connection.id, name: connection.name } }
}

async function readLinked (sources: FactSources, row: ExplainedRow): Promise<LinkedFacts> {
  const { query, registry } = sources
  const { offer, variant, stock } = row
  const found = await findConnections(query, [offer.connectionId, row.shop.id])
  const market = found.find(({ id }) => id === offer.connectionId)
  // The marketplace was deleted meanwhile, and the offer with it.
  if (market === undefined) throw new OfferNotFoundError(offer.id)
  const shop = found.find(({ id }) => id === row.shop.id)
  const adapter = registry.find(market.adapterKey, market.adapterVersion)
  return {
    kind: 'linked',
    ...row,
    connection: describeConnection(market, quantityCapability(market), registry),
    visibleAfterMs: adapter?.description.offers?.visibleAfterMs ?? defaultVisibleAfterMs,
    shop: { ...row.shop, ...await readShop(sources, shop, row.shop.id) },
    reservations: stock === null || stock.reserved === 0
      ? { orders: [], count: 0, pieces: 0 }
      : await sources.reservationsOf(variant.id),
    ...await readJobs(sources, row, shop)
  }
}

function describeConnection (
  { id, name, status, statusReason, pauses, adapterKey, adapterVersion }: Connection,
  capability: string | undefined,
  registry: FactSources['registry']
): ConnectionFacts {
  const isServed = registry.find(adapterKey, adapterVersion) !== undefined
  return {
    id,
    name,
    status,
    statusReason: statusReason ?? null,
    adapterProblem: isServed ? null : registry.explain(adapterKey, adapterVersion),
    // The pause of the whole connection comes first in the list.
    pause: pauses.find(pause => pause.capability === null || pause.capability === capability) ?? null
  }
}

async function readShop (
  sources: FactSources,
  shop: Connection | undefined,
  id: string
): Promise<Omit<ShopFacts, 'id' | 'name' | 'deletedAt'>> {
  const { last = null, complete = null } = await readLastSweeps(sources.query, id)
  return {
    connection: shop === undefined ? null : describeConnection(shop, 'InventoryMaster', sources.registry),
    lastSweep: last,
    lastCompleteSweep: complete,
    sweepEveryMs: shop === undefined ? null : await sources.sweepEveryMsOf(shop),
    lastEvent: await sources.lastEventOf(id) ?? null
  }
}

/** Finds the jobs by their keys, which the versions of stock and link make. */
async function readJobs (
  sources: FactSources,
  { offer, variant, stock }: ExplainedRow,
  shop: Connection | undefined
): Promise<Pick<LinkedFacts, 'readingJob' | 'writeJob' | 'writtenJobId' | 'replaced'>> {
  const readingId = shop === undefined ? undefined : await findReading(sources, shop, variant.productExternalId)
  const wantedId = stock === null ? undefined : quantityJobId(offer, stock.version, offer.linkVersion)
  const propagationId = stock === null ? undefined : jobIdOf(propagationKey(variant.id, stock.version))
  const writtenId = offer.stockVersion === null || offer.sentLinkVersion === null
    ? undefined
    : quantityJobId(offer, offer.stockVersion, offer.sentLinkVersion)
  const ids = [readingId, wantedId, propagationId, writtenId, offer.createJobId ?? undefined]
  const found = await sources.jobs.find(ids.filter(id => id !== undefined))
  const get = (id: string | null | undefined): JobFacts | null => found.get(id ?? '') ?? null

  const propagation = get(propagationId)
  const isOnItsWay = propagation !== null && propagation.status !== 'succeeded'
  // The creation and its first write are stored in one moment.
  const isFirstWrite = offer.createdUpstreamAt !== null && offer.createdUpstreamAt === offer.lastSyncedAt
  return {
    readingJob: get(readingId),
    writeJob: isUnmade(offer) ? get(offer.createJobId) : get(wantedId) ?? (isOnItsWay ? propagation : null),
    writtenJobId: get(writtenId)?.id ?? (isFirstWrite ? get(offer.createJobId)?.id : undefined) ?? null,
    replaced: replacedIn(get(writtenId)?.result)
  }
}

function quantityJobId ({ id, connectionId }: OfferFacts, version: number, linkVersion: number): string {
  return jobIdOf(quantityKey({ id, connectionId, version, linkVersion }))
}

/** The newest job that reads the stock of a product: after a webhook, an order or a request. */
async function findReading (
  { query, stockJobTypesOf }: FactSources,
  shop: Connection,
  externalId: string
): Promise<string | undefined> {
  const { id: connectionId } = shop
  const objectKeys = [syncStock.type, ...stockJobTypesOf(shop)].map(jobType =>
    exclusionKeyOf(syncStock, { jobType, connectionId, payload: { externalId }, idempotencyKey: '' })
  )
  const [newest] = await listJobs(query, { objectKeys, limit: 1 })
  return newest?.id
}
