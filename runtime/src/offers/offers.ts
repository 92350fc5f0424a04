import fp from 'fastify-plugin'
import { randomUUID } from 'node:crypto'
import { Variant } from '../catalog/entity.ts'
import type { Connections } from '../connections/connections.ts'
import type { Database, Transaction } from '../database/database.ts'
import { CapabilityNotSupportedException, OfferAlreadyLinkedError, OfferNotFoundError, VariantNotFoundError } from '../errors.ts'
import { decodeCursor } from '../http/paging.ts'
import type { Enqueued, JobRequest } from '../jobs/job.ts'
import { quantityJobs } from '../jobs/handlers/propagate-stock.ts'
import { remapJobs } from '../orders/ingest-order.ts'
import { Stock } from '../stock/entity.ts'
import { createOfferChecks } from './check-offers.ts'
import { createOfferCommands } from './commands.ts'
import { Offer } from './entity.ts'
import type { OfferLimits, OfferLink, OfferQuery } from './schemas.ts'

declare module 'fastify' {
  interface FastifyInstance { offers: Offers }
}

export type Offers = ReturnType<typeof createOffers> & ReturnType<typeof createOfferCommands>
type EnqueueJobs = (requests: readonly JobRequest[], transaction?: Transaction) => Promise<Enqueued[]>

export interface OffersOptions { database: Database, connections: Connections, enqueueJobs: EnqueueJobs, now: () => Date }

function createOffers ({ database, connections, enqueueJobs, now }: OffersOptions) {
  /** Links an offer that exists at the marketplace to a variant; its stock follows the master from then on. The same pair again answers the first link. */
  async function link (body: OfferLink, requestId: string): Promise<{ offer: Offer, isNew: boolean }> {
    const connection = await connections.getEnabled(body.connectionId)
    if (!connection.capabilities.some(name => name === 'OfferManager' || name === 'Marketplace')) throw new CapabilityNotSupportedException(connection.adapterKey, 'OfferManager')
    const linked = await database.transaction(async transaction => {
      const { em } = transaction
      if (await em.count(Variant, { id: body.variantId }) === 0) throw new VariantNotFoundError(body.variantId)
      const id = randomUUID()
      // Two requests may link at once: the unique (connection, external id) decides, and the loser reads the winner.
      await transaction.query(`
        insert into offers (id, connection_id, variant_id, external_id, status, buffer, max_listed, frozen_fields, problems, created_at, updated_at)
        values ($1, $2, $3, $4, 'ACTIVE', $5, $6, '[]', '[]', $7, $7) on conflict (connection_id, external_id) do nothing`,
      [id, body.connectionId, body.variantId, body.externalId, body.buffer ?? 0, body.maxListed ?? null, now()])
      const offer = await em.findOneOrFail(Offer, { connectionId: body.connectionId, externalId: body.externalId })
      if (offer.variantId !== body.variantId) throw new OfferAlreadyLinkedError(body.externalId, offer.variantId)
      const isNew = offer.id === id
      if (isNew) await enqueueJobs([...await quantityJobs(transaction.query, { offerIds: [id] }, requestId), ...await remapJobs(transaction.query, { connectionId: body.connectionId, offerExternalId: body.externalId }, id, requestId)], transaction)
      return { offer, isNew }
    })
    if (linked.isNew) database.notify('jobs')
    return linked
  }

  /** Changes how much of the stock an offer shows. What changes nothing writes nothing. */
  async function limit (id: string, { buffer, maxListed }: OfferLimits, requestId: string): Promise<Offer> {
    const [offer, isChanged] = await database.transaction(async transaction => {
      const changed = await transaction.query<{ id: string }>(`
        update offers set buffer = coalesce($2, buffer), max_listed = case when $4 then $3 else max_listed end, link_version = link_version + 1, updated_at = $5
        where id = $1 and (buffer <> coalesce($2, buffer) or ($4 and max_listed is distinct from $3)) returning id`,
      [id, buffer ?? null, maxListed ?? null, maxListed !== undefined, now()])
      const offer = await transaction.em.findOne(Offer, { id })
      if (offer === null) throw new OfferNotFoundError(id)
      if (changed.length > 0) await enqueueJobs(await quantityJobs(transaction.query, { offerIds: [id] }, requestId), transaction)
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
    const after = cursor === undefined ? undefined : decodeCursor(cursor)
    return database.orm.em.fork().find(Offer, {
      ...filter,
      ...(after === undefined ? {} : { $or: [{ createdAt: { $gt: new Date(after.createdAt) } }, { createdAt: new Date(after.createdAt), id: { $gt: after.id } }] })
    }, { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], limit })
  }

  /** The stock that offers follow, by variant. */
  async function stockOf (offers: readonly Offer[]): Promise<ReadonlyMap<string, Stock>> {
    const rows = await database.orm.em.fork().find(Stock, { variantId: { $in: offers.map(offer => offer.variantId) } })
    return new Map(rows.map(row => [row.variantId, row]))
  }

  return { link, limit, get, list, stockOf }
}

export default fp<{ now: () => Date }>(async (app, { now }) => {
  const { database, connections } = app
  const { enqueueJobs } = app.jobs
  app.decorate('offers', { ...createOffers({ database, connections, enqueueJobs, now }), ...createOfferCommands({ database, connections, enqueueJobs, checks: createOfferChecks(app.adapters) }) })
}, { name: 'offers', dependencies: ['database', 'connections', 'adapters', 'jobs'] })
