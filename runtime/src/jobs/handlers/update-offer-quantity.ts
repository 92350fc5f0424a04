import { OfferWriteResult, RejectedError } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { CapabilityNotSupportedException } from '../../errors.ts'
import { offerWarnings, publishedQuantity } from '../../stock/rules.ts'
import type { RunningJob } from '../handler.ts'
import { callCapability, type CoreHandler, type HandlerServices } from './handler.ts'
import { Id, parseAnswer, parsePayload } from './payload.ts'

const Payload = Type.Object({ offerId: Id })

interface OfferStock {
  connection_id: string
  external_id: string
  status: string
  sent: number | null
  sent_link: number | null
  sent_quantity: number | null
  link_version: number
  buffer: number
  maxListed: number | null
  upstreamQuantity: number | null
  quantity: number
  reserved: number
  version: number
}

/**
 * `marketplace.offerQuantity.update`: writes the quantity that is current when the job runs, whatever was current when it was made.
 * So late and repeated jobs converge, and a version that was already written is not written again.
 */
export const updateOfferQuantity: CoreHandler = async (job, services) => {
  const { offerId } = parsePayload(Payload, job.jobType, job.payload)
  const [offer] = await services.database.query<OfferStock>(`
    select offers.connection_id, offers.external_id, offers.status, offers.stock_version as sent, offers.sent_link_version as sent_link, offers.quantity as sent_quantity,
      offers.link_version, offers.buffer, offers.max_listed as "maxListed", offers.upstream_quantity as "upstreamQuantity", stock.quantity, stock.reserved, stock.version
    from offers join stock on stock.variant_id = offers.variant_id where offers.id = $1`, [offerId])
  if (offer !== undefined && offer.connection_id !== job.connectionId) throw new RejectedError(`offer ${offerId} belongs to another connection than the job`)
  if (offer === undefined || offer.status === 'ENDED') return { result: { skipped: 'the offer is gone' } }
  if (offer.sent === offer.version && offer.sent_link === offer.link_version) return { result: { skipped: 'this stock version was written before' } }
  const quantity = publishedQuantity(offer, offer)
  const written = await write(services, job, offer, quantity)
  const isFrozen = written.frozen.includes('stock')
  if (isFrozen) warn(services, job, offerId, offer)
  return {
    result: { quantity, stockVersion: offer.version, ...written },
    effects: async transaction => {
      // What was read before this write says nothing about it.
      await transaction.query(`
        update offers set quantity = case when $4 then $2 else quantity end, upstream_quantity = case when $4 then null else upstream_quantity end,
          stock_version = $3, sent_link_version = $5, last_synced_at = now(), updated_at = now(),
          frozen_fields = (select coalesce(jsonb_agg(distinct field), '[]') from (
            select jsonb_array_elements_text(frozen_fields) as field except select 'stock' union select 'stock' where not $4) as fields)
        where id = $1`, [offerId, quantity, offer.version, !isFrozen, offer.link_version])
      return undefined
    }
  }
}

/** The job did what it could; what is left is the operator's to see. */
function warn ({ log }: HandlerServices, job: RunningJob, offerId: string, offer: OfferStock): void {
  const warnings = offerWarnings({ quantity: offer.sent_quantity, upstreamQuantity: offer.upstreamQuantity, frozenFields: ['stock'] }, offer)
  for (const { code, message } of warnings) log.warn({ code, offerId, externalId: offer.external_id, connectionId: job.connectionId, requestId: job.requestId }, message)
}

async function write (services: HandlerServices, job: RunningJob, offer: OfferStock, quantity: number): Promise<OfferWriteResult> {
  const opened = await services.connections.openEnabled(offer.connection_id)
  const { capabilities } = opened.connection
  if (capabilities.includes('OfferManager')) {
    const answer = await callCapability(services, job, opened, 'OfferManager', 'updateStock', offer.external_id, quantity)
    return parseAnswer(OfferWriteResult, 'OfferManager.updateStock', answer)
  }
  if (capabilities.includes('Marketplace')) {
    const answer = await callCapability(services, job, opened, 'Marketplace', 'updateOfferQuantity', { externalId: offer.external_id, quantity, commandId: job.id })
    return parseAnswer(OfferWriteResult, 'Marketplace.updateOfferQuantity', answer)
  }
  throw new CapabilityNotSupportedException(opened.connection.adapterKey, 'OfferManager')
}
