import { syncProduct } from '../catalog/jobs.ts'
import { nameProducts } from '../catalog/store.ts'
import type { Query } from '../database/database.ts'
import { readSamples, type DeadSample } from '../jobs/groups/store.ts'
import { nameOffers } from '../offers/find/store.ts'
import { nameOrders } from '../orders/store.ts'

/** Why the sample of a group died, in words for merchants. */
export interface DeadCause {
  jobId: string
  /** The product or the order, or an id where the hub knows no name. Null: it has no object. */
  subject: string | null
  /** The words of the platform or of the hub. They may hold secrets. */
  message: string | null
  connectionId: string | null
}

/** Reads the causes of dead jobs. */
export async function readDeadCauses (query: Query, ids: readonly string[]): Promise<DeadCause[]> {
  const samples = await readSamples(query, ids)
  const offers = await nameOffers(query, samples.flatMap(({ offerId }) => offerId ?? []))
  const products = await nameProducts(
    query,
    samples.flatMap(({ jobType, connectionId, externalId }) =>
      jobType === syncProduct.type && connectionId !== null && externalId !== null ? [{ connectionId, externalId }] : []
    )
  )
  const orders = await nameOrders(query, samples.flatMap(({ orderId }) => orderId ?? []))
  const nameOf = ({ offerId, orderId, connectionId, externalId }: DeadSample): string | null => {
    if (offerId !== null) return offers.get(offerId) ?? null
    if (orderId !== null) return orders.get(orderId) ?? null
    const product = products.find(other => other.connectionId === connectionId && other.externalId === externalId)
    return product?.name ?? externalId
  }
  return samples.map(sample => ({
    jobId: sample.id,
    subject: nameOf(sample),
    message: sample.message,
    connectionId: sample.connectionId
  }))
}

/** Redacts the message of a cause that has a connection. A cause without a message keeps none. */
export function withoutSecrets (
  cause: DeadCause,
  redactorOf: ((connectionId: string) => (text: string) => unknown) | undefined
): DeadCause {
  const { connectionId, message } = cause
  if (connectionId === null || message === null || redactorOf === undefined) return cause
  return { ...cause, message: String(redactorOf(connectionId)(message)) }
}
