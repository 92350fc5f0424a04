import fp from 'fastify-plugin'
import { randomUUID } from 'node:crypto'
import { nameObject } from '../audit/actor.ts'
import { listChanges } from '../audit/list-changes.ts'
import { recordChange } from '../audit/store.ts'
import { findVariant, readNames, requireVariants, type VariantName } from '../catalog/store.ts'
import type { Connections } from '../connections/connections.ts'
import { findSellingInactive, requirePresent } from '../connections/store.ts'
import type { Database, Query, Transaction } from '../database/database.ts'
import {
  CapabilityNotSupportedException,
  OfferAlreadyLinkedError,
  OfferNotFoundError,
  VariantNotFoundError
} from '../errors.ts'
import { decodeCursor } from '../http/paging.ts'
import type { Enqueued, JobRequest } from '../jobs/job.ts'
import { listStockOf, type VariantStock } from '../stock/store.ts'
import { createOfferChecks } from './check-offers.ts'
import { createOfferCommands } from './commands.ts'
import type { Offer } from './entity.ts'
import { listOffers, type OfferPage } from './find/store.ts'
import { compareOffers } from './jobs.ts'
import { lookUpOffer, type LookUpOptions } from './look-up-offer.ts'
import { notLookedUpProblem } from './own-problems.ts'
import { quantityJobs } from './quantity-jobs.ts'
import type { OfferLimits, OfferLink, OfferQuery, UnlinkedOfferQuery, UnlinkedOfferView } from './schemas.ts'
import { findOffer, findOfferAt, storeLimits } from './store.ts'
import { insertLinked } from './unlinked/insert-linked.ts'
import { forgetRelease, listUnlinked } from './unlinked/store.ts'

declare module 'fastify' {
  interface FastifyInstance {
    offers: Offers
  }
}

export type Offers = ReturnType<typeof createOffers> & ReturnType<typeof createOfferCommands>
type EnqueueJobs = (requests: readonly JobRequest[], transaction?: Transaction) => Promise<Enqueued[]>

export interface OffersOptions extends LookUpOptions {
  database: Database
  connections: Pick<Connections, 'getEnabled' | 'openEnabled'>
  enqueueJobs: EnqueueJobs
  /** The jobs of orders that wait for an offer to be linked. `link` makes their keys unique. */
  waitingOrderJobs: WaitingOrderJobs
  now: () => Date
}

export type WaitingOrderJobs = (
  query: Query,
  of: { connectionId: string, offerExternalIds?: readonly string[] },
  link: string,
  requestId?: string
) => Promise<JobRequest[]>

type LinkedOffer = Pick<Offer, 'id' | 'connectionId' | 'externalId'>

export function createOffers (options: OffersOptions) {
  const { database, connections, adapters, log, enqueueJobs, waitingOrderJobs, now } = options

  /**
   * Links an offer that exists at the marketplace to a variant; its stock follows the master from
   * then on. For a pair that is already linked, returns the existing link. The hub first looks at
   * the offer. When it cannot look, it links the offer all the same, notes a problem on it, and
   * makes a job that looks again.
   */
  async function link (body: OfferLink, requestId: string): Promise<{ offer: Offer, isNew: boolean }> {
    const { connectionId, externalId } = body
    const connection = await connections.getEnabled(connectionId)
    if (!connection.capabilities.some(name => name === 'OfferManager' || name === 'Marketplace')) {
      throw new CapabilityNotSupportedException(connection.adapterKey, 'OfferManager')
    }
    const existing = await findLinked(body)
    if (existing !== null) {
      await recordLink(database.query, existing, {})
      return { offer: existing, isNew: false }
    }

    const services = { adapters, connections, log }
    const { shown, unknownBecause } = await lookUpOffer(services, { connectionId, externalId, requestId })
    const problems = unknownBecause === undefined ? [] : [notLookedUpProblem(unknownBecause)]
    const isNew = await database.transaction(async transaction => {
      const { query } = transaction
      await requirePresent(query, connectionId)
      await requireVariants(query, [body.variantId])
      const [id] = await insertLinked(query, connectionId, [{ ...body, id: randomUUID(), shown, problems }])
      if (id === undefined) return false
      await forgetRelease(query, connectionId, [externalId])
      const made = { id, connectionId, externalId }
      const lookUp = unknownBecause === undefined ? [] : [lookUpJob(made, requestId)]
      await enqueueJobs([...await linkJobs(query, made, requestId), ...lookUp], transaction)
      const { variantId, buffer, maxListed } = body
      await recordLink(query, made, { variantId, buffer, maxListed })
      return true
    })
    // Read before the jobs start: the answer shows the offer as it was linked.
    const offer = await findLinked(body)
    if (isNew) database.notify('jobs')
    if (offer === null) throw new OfferNotFoundError(externalId)
    return { offer, isNew }
  }

  /**
   * Returns the link of an offer, or null. Throws when the offer follows another variant, or when
   * the variant does not exist.
   */
  async function findLinked ({ connectionId, externalId, variantId }: OfferLink): Promise<Offer | null> {
    if (await findVariant(database, variantId) === null) throw new VariantNotFoundError(variantId)
    const offer = await findOfferAt(database, connectionId, externalId)
    if (offer !== null && offer.variantId !== variantId) throw new OfferAlreadyLinkedError(externalId, offer.variantId)
    return offer
  }

  /** Changes how much of the stock an offer shows. Skips the write when nothing changed. */
  async function limit (id: string, limits: OfferLimits, requestId: string): Promise<Offer> {
    const isChanged = await database.transaction(async transaction => {
      const { query } = transaction
      if (!await storeLimits(query, id, limits, now())) return false
      await enqueueJobs(await quantityJobs(query, { offerIds: [id] }, requestId), transaction)
      return true
    })
    // Read before the jobs start: the answer shows the offer as it was changed.
    const offer = await get(id)
    nameObject({ connectionId: offer.connectionId, objectName: offer.externalId })
    if (isChanged) database.notify('jobs')
    return offer
  }

  async function get (id: string): Promise<Offer> {
    const offer = await findOffer(database, id)
    if (offer === null) throw new OfferNotFoundError(id)
    return offer
  }

  async function list ({ limit, cursor, ...filter }: OfferQuery): Promise<OfferPage> {
    return listOffers(database, filter, { limit, after: cursor === undefined ? undefined : decodeCursor(cursor) })
  }

  /** Returns offers that a marketplace shows and that follow no variant. */
  async function unlinked ({ cursor, ...filter }: UnlinkedOfferQuery): Promise<UnlinkedOfferView[]> {
    const after = cursor === undefined ? undefined : decodeCursor(cursor)
    return listUnlinked(database.query, { ...filter, after })
  }

  /** Returns the stock that offers follow, by variant. */
  async function stockOf (offers: readonly Offer[]): Promise<ReadonlyMap<string, VariantStock>> {
    const rows = await listStockOf(database.query, offers.map(offer => offer.variantId))
    return new Map(rows.map(row => [row.variantId, row]))
  }

  /** Returns the names of the variants that offers sell, by variant. */
  async function namesOf (offers: readonly Offer[]): Promise<ReadonlyMap<string, VariantName>> {
    return readNames(database.query, offers.map(offer => offer.variantId))
  }

  /**
   * Returns the jobs that follow from a link: write the offer, and resume orders that waited for
   * it.
   */
  async function linkJobs (query: Query, offer: LinkedOffer, requestId: string): Promise<JobRequest[]> {
    const { id, connectionId, externalId } = offer
    return [
      ...await quantityJobs(query, { offerIds: [id] }, requestId),
      ...await waitingOrderJobs(query, { connectionId, offerExternalIds: [externalId] }, id, requestId)
    ]
  }

  /** Returns the connections of offers that go on selling what the shop switched off. */
  async function sellingInactive (offers: readonly Offer[]): Promise<ReadonlySet<string>> {
    return findSellingInactive(database.query, offers.map(offer => offer.connectionId))
  }

  return { link, limit, get, list, unlinked, stockOf, namesOf, sellingInactive }
}

/** Records a link of one offer. Without values nothing was linked, and there is no entry. */
async function recordLink (
  query: Query,
  { id, connectionId, externalId }: LinkedOffer,
  values: Partial<OfferLink>
): Promise<void> {
  await recordChange(query, {
    action: 'offer.link',
    connectionId,
    objectId: id,
    objectName: externalId,
    changes: listChanges({}, values, () => false)
  })
}

function lookUpJob ({ id, connectionId }: LinkedOffer, requestId: string): JobRequest {
  return compareOffers.request({ offerId: id }, { connectionId, key: `offer-look-up:${id}`, requestId })
}

export default fp<Pick<OffersOptions, 'now' | 'waitingOrderJobs'>>(async (app, { now, waitingOrderJobs }) => {
  const { adapters, connections, database, log } = app
  const { enqueueJobs } = app.jobs
  app.decorate('offers', {
    ...createOffers({ database, connections, adapters, log, enqueueJobs, waitingOrderJobs, now }),
    ...createOfferCommands({ database, connections, enqueueJobs, checks: createOfferChecks(adapters) })
  })
}, { name: 'offers', dependencies: ['database', 'connections', 'adapters', 'jobs'] })
