import { OfferWriteResult, RejectedError } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { CapabilityNotSupportedException } from '../../errors.ts'
import type { RunningJob } from '../handler.ts'
import { callCapability, type CoreHandler, type HandlerServices } from './handler.ts'
import { Id, parseAnswer, parsePayload } from './payload.ts'

const Payload = Type.Object({ offerId: Id })

interface OfferStock { connection_id: string, external_id: string, status: string, sent: number | null, quantity: number, version: number }

/**
 * `marketplace.offerQuantity.update`: writes the quantity that is current when the job runs, whatever was current when it was made.
 * So late and repeated jobs converge, and a version that was already written is not written again.
 */
export const updateOfferQuantity: CoreHandler = async (job, services) => {
  const { offerId } = parsePayload(Payload, job.jobType, job.payload)
  const [offer] = await services.database.query<OfferStock>(`
    select offers.connection_id, offers.external_id, offers.status, offers.stock_version as sent, stock.quantity, stock.version
    from offers join stock on stock.variant_id = offers.variant_id where offers.id = $1`, [offerId])
  if (offer !== undefined && offer.connection_id !== job.connectionId) throw new RejectedError(`offer ${offerId} belongs to another connection than the job`)
  if (offer === undefined || offer.status === 'ENDED') return { result: { skipped: 'the offer is gone' } }
  if (offer.sent === offer.version) return { result: { skipped: 'this stock version was written before' } }
  const quantity = Math.max(0, offer.quantity)
  const written = await write(services, job, offer, quantity)
  return {
    result: { quantity, stockVersion: offer.version, ...written },
    effects: async transaction => {
      await transaction.query(`
        update offers set quantity = case when $4 then $2 else quantity end, stock_version = $3, last_synced_at = now(), updated_at = now(),
          frozen_fields = (select coalesce(jsonb_agg(distinct field), '[]') from (
            select jsonb_array_elements_text(frozen_fields) as field except select 'stock' union select 'stock' where not $4) as fields)
        where id = $1`, [offerId, quantity, offer.version, !written.frozen.includes('stock')])
      return undefined
    }
  }
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
