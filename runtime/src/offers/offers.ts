import fp from 'fastify-plugin'
import type { EntityManager } from '@mikro-orm/postgresql'
import { randomUUID } from 'node:crypto'
import { Variant } from '../catalog/entity.ts'
import type { Connections } from '../connections/connections.ts'
import type { Database, Query, Transaction } from '../database/database.ts'
import {
  CapabilityNotSupportedException,
  OfferAlreadyLinkedError,
  OfferNotFoundError,
  VariantNotFoundError
} from '../errors.ts'
import { decodeCursor } from '../http/paging.ts'
import type { Enqueued, JobRequest } from '../jobs/job.ts'
import { quantityJobs } from './quantity-jobs.ts'
import { Stock } from '../stock/entity.ts'
import { createOfferChecks } from './check-offers.ts'
import { createOfferCommands } from './commands.ts'
import { Offer } from './entity.ts'
import { insertLinked } from './insert-linked.ts'
import { lookUpOffer, type LookUpOptions } from './look-up-offer.ts'
import { notLookedUpProblem } from './own-problems.ts'
import type { OfferLimits, OfferLink, OfferQuery, UnlinkedOfferQuery, UnlinkedOfferView } from './schemas.ts'
import { forgetRelease, listUnlinked } from './unlinked-offers.ts'
import { compareOffers } from './jobs.ts'

declare module 'fastify' {
  interface FastifyInstance {
    offers: Offers
  }
}

export type Offers = ReturnType<typeof createOffers> & ReturnType<typeof createOfferCommands>
type EnqueueJobs = (requests: readonly JobRequest[], transaction?: Transaction) => Promise<Enqueued[]>

export interface OffersOptions extends LookUpOptions {
  database: Database
  connections: Connections
  enqueueJobs: EnqueueJobs
  /** The jobs of orders that wait for an offer to be linked. `link` makes their keys unique. */
  waitingOrderJobs: WaitingOrderJobs
  now: () => Date
}

export type WaitingOrderJobs = (
  query: Query,
  of: { connectionId: string, offerExternalId?: string },
  link: string,
  requestId?: string
) => Promise<JobRequest[]>

const updateLimits = `
  update offers set
    buffer = coalesce($2, buffer),
    max_listed = case when $4 then $3 else max_listed end,
    link_version = link_version + 1,
    updated_at = $5
  where id = $1
    and (buffer <> coalesce($2, buffer) or ($4 and max_listed is distinct from $3))
  returning id`

function createOffers (options: OffersOptions) {
  const { database, connections, adapters, log, enqueueJobs, waitingOrderJobs, now } = options

  /**
   * Links an offer that exists at the marketplace to a variant; its stock follows the master from
   * then on. The same pair again answers the first link. The hub first looks at the offer. When it
   * cannot look, it links the offer all the same, notes a problem on it, and makes a job that looks
   * again.
   */
  async function link (body: OfferLink, requestId: string): Promise<{ offer: Offer, isNew: boolean }> {
    const { connectionId, externalId } = body
    const connection = await connections.getEnabled(connectionId)
    if (!connection.capabilities.some(name => name === 'OfferManager' || name === 'Marketplace')) {
      throw new CapabilityNotSupportedException(connection.adapterKey, 'OfferManager')
    }
    const existing = await findLinked(database.orm.em.fork(), body)
    if (existing !== null) return { offer: existing, isNew: false }

    const services = { adapters, connections, log }
    const { shown, unknownBecause } = await lookUpOffer(services, { connectionId, externalId, requestId })
    const problems = unknownBecause === undefined ? [] : [notLookedUpProblem(unknownBecause)]
    const linked = await database.transaction(async transaction => {
      const { em, query } = transaction
      const [id] = await insertLinked(query, connectionId, [{ ...body, id: randomUUID(), shown, problems }])
      await forgetRelease(query, connectionId, externalId)
      const offer = await findLinked(em, body)
      if (offer === null) throw new OfferNotFoundError(externalId)
      if (id === undefined) return { offer, isNew: false }
      const lookUp = unknownBecause === undefined ? [] : [lookUpJob(offer, requestId)]
      await enqueueJobs([...await linkJobs(query, offer, requestId), ...lookUp], transaction)
      return { offer, isNew: true }
    })
    if (linked.isNew) database.notify('jobs')
    return linked
  }

  /**
   * Answers the link of an offer, or null. Throws when the offer follows another variant, or when
   * the variant does not exist.
   */
  async function findLinked (em: EntityManager, link: OfferLink): Promise<Offer | null> {
    const { connectionId, externalId, variantId } = link
    if (await em.count(Variant, { id: variantId }) === 0) throw new VariantNotFoundError(variantId)
    const offer = await em.findOne(Offer, { connectionId, externalId })
    if (offer !== null && offer.variantId !== variantId) throw new OfferAlreadyLinkedError(externalId, offer.variantId)
    return offer
  }

  /** Changes how much of the stock an offer shows. Skips the write when nothing changed. */
  async function limit (id: string, { buffer, maxListed }: OfferLimits, requestId: string): Promise<Offer> {
    const [offer, isChanged] = await database.transaction(async transaction => {
      const changed = await transaction.query<{ id: string }>(
        updateLimits,
        [id, buffer ?? null, maxListed ?? null, maxListed !== undefined, now()]
      )
      const offer = await transaction.em.findOne(Offer, { id })
      if (offer === null) throw new OfferNotFoundError(id)
      if (changed.length > 0) {
        await enqueueJobs(await quantityJobs(transaction.query, { offerIds: [id] }, requestId), transaction)
      }
      return [offer, changed.length > 0]
    })
    if (isChanged) database.notify('jobs')
    return offer
  }

  async function get (id: string): Promise<Offer> {
    const offer = await database.orm.em.fork().findOne(Offer, { id })
    if (offer === null) throw new OfferNotFoundError(id)
    return offer
  }

  async function list (query: OfferQuery): Promise<Offer[]> {
    const { limit, cursor, ...filter } = query
    const position = cursor === undefined ? {} : isAfter(decodeCursor(cursor))
    return database.orm.em.fork().find(
      Offer,
      { ...filter, ...position },
      { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], limit }
    )
  }

  /** Answers offers that a marketplace shows and that follow no variant. */
  function unlinked (query: UnlinkedOfferQuery): Promise<UnlinkedOfferView[]> {
    return listUnlinked(database.query, query)
  }

  /** Answers the stock that offers follow, by variant. */
  async function stockOf (offers: readonly Offer[]): Promise<ReadonlyMap<string, Stock>> {
    const rows = await database.orm.em.fork().find(Stock, { variantId: { $in: offers.map(offer => offer.variantId) } })
    return new Map(rows.map(row => [row.variantId, row]))
  }

  /**
   * Answers the jobs that follow from a link: write the offer, and resume orders that waited for
   * it.
   */
  async function linkJobs (query: Query, offer: Offer, requestId: string): Promise<JobRequest[]> {
    const { id, connectionId, externalId } = offer
    return [
      ...await quantityJobs(query, { offerIds: [id] }, requestId),
      ...await waitingOrderJobs(query, { connectionId, offerExternalId: externalId }, id, requestId)
    ]
  }

  return { link, limit, get, list, unlinked, stockOf }
}

function isAfter ({ createdAt, id }: ReturnType<typeof decodeCursor>) {
  const time = new Date(createdAt)
  return { $or: [{ createdAt: { $gt: time } }, { createdAt: time, id: { $gt: id } }] }
}

function lookUpJob ({ id, connectionId }: Offer, requestId: string): JobRequest {
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
