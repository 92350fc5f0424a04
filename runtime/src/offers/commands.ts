import type { OfferPatch } from '@linker/sdk'
import type { Static, TSchema } from '@sinclair/typebox'
import { nameObject } from '../audit/actor.ts'
import type { Connections } from '../connections/connections.ts'
import type { Database } from '../database/database.ts'
import { OfferNotFoundError } from '../errors.ts'
import type { RequestIds } from '../http/request-ids.ts'
import type { JobDefinition } from '../jobs/define-job.ts'
import type { EnqueueJobs } from '../jobs/enqueue.ts'
import { jobIdOf } from '../jobs/identity.ts'
import type { OfferChecks } from './check-offers.ts'
import { compareOffers, endOffer, updateOfferFields } from './jobs.ts'
import { requireOfferCapability } from './offer-capability.ts'
import { refuse } from './refuse.ts'
import { findOffer, findReferenced, readConnectionOf, type ReferencedOffer } from './store.ts'
import { checkTypedPrice } from './typed-price.ts'
import { releaseOffer } from './unlinked/store.ts'

export interface OfferCommandsOptions {
  database: Database
  connections: Pick<Connections, 'getEnabled' | 'openEnabled'>
  checks: OfferChecks
  enqueueJobs: EnqueueJobs
}

/** An offer by the hub's id or by the marketplace's. */
export interface OfferReference {
  connectionId: string
  offerId: string
}

const nothingToChange = { pointer: '', code: 'required', message: 'must change a member of the offer' }

/**
 * The operator's commands on one offer. Each becomes a job of the command lane, which runs them in
 * the order of the requests.
 */
export function createOfferCommands ({ database, connections, checks, enqueueJobs }: OfferCommandsOptions) {
  async function resolve ({ connectionId, offerId }: OfferReference): Promise<ReferencedOffer> {
    const offer = await findReferenced(database.query, connectionId, offerId)
    if (offer === undefined) throw new OfferNotFoundError(offerId)
    return offer
  }

  async function enqueue<Payload extends TSchema> (
    job: JobDefinition<Payload>,
    connectionId: string,
    payload: Static<Payload>,
    { operationId, requestId }: RequestIds
  ): Promise<{ jobId: string }> {
    const key = `api:${job.type}:${connectionId}:${operationId}`
    await enqueueJobs([job.request(payload, { connectionId, key, requestId })])
    return { jobId: jobIdOf(key) }
  }

  /** Writes only the given members. `confirm`: also a price that changes much. */
  async function updateFields (
    reference: OfferReference,
    { confirm = false, ...fields }: OfferPatch & { confirm?: boolean },
    request: RequestIds
  ): Promise<{ jobId: string }> {
    const { connectionId } = reference
    await connections.getEnabled(connectionId)
    const { id: offerId, price } = await resolve(reference)
    const opened = await connections.openEnabled(connectionId)
    requireOfferCapability(opened, 'updateOffer')
    refuse([
      ...Object.keys(fields).length > 0 ? [] : [nothingToChange],
      ...await checks.ofPatch(opened, fields, request.requestId)
    ])
    if (fields.price !== undefined) checkTypedPrice(price, fields.price, confirm)
    return enqueue(updateOfferFields, connectionId, { offerId, fields }, request)
  }

  /** Takes the offer off the marketplace. */
  async function end (reference: OfferReference, request: RequestIds): Promise<{ jobId: string }> {
    const { connectionId } = reference
    const { id: offerId } = await resolve(reference)
    requireOfferCapability(await connections.openEnabled(connectionId), 'endOffer')
    return enqueue(endOffer, connectionId, { offerId }, request)
  }

  /** Reads the offer at the marketplace and stores what the marketplace shows. */
  async function refresh (id: string, request: RequestIds): Promise<{ jobId: string }> {
    const connectionId = await readConnectionOf(database.query, id)
    if (connectionId === undefined) throw new OfferNotFoundError(id)
    await connections.getEnabled(connectionId)
    nameObject({ connectionId })
    return enqueue(compareOffers, connectionId, { offerId: id }, request)
  }

  /**
   * Forgets the offer and leaves the marketplace alone. The hub never links it again by its
   * reference; only an operator does.
   */
  async function unlink (id: string): Promise<void> {
    const offer = await findOffer(database, id)
    if (offer === null || !await releaseOffer(database.query, id)) throw new OfferNotFoundError(id)
    nameObject({ connectionId: offer.connectionId, objectName: offer.externalId })
  }

  return { updateFields, end, refresh, unlink }
}
