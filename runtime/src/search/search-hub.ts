import { searchVariants, type FoundVariant } from '../catalog/store.ts'
import { searchConnections, type ConnectionSummary } from '../connections/store.ts'
import type { Query } from '../database/database.ts'
import { listIgnored } from '../events/store.ts'
import type { JobRecord } from '../jobs/job.ts'
import { listJobs, listJobsBetween } from '../jobs/store.ts'
import { searchOffers, type FoundOffer } from '../offers/find/store.ts'
import { searchOrders, type FoundOrder } from '../orders/store.ts'
import { idsBeginningWith } from '../text-patterns.ts'
import { deliveryOfIgnored, deliveryOfJob, statusOf, type Delivery } from '../webhooks/deliveries/delivery.ts'
import { findByEventId } from './find-by-event-id.ts'
import { mostResults, rankResults, type Found } from './rank-results.ts'
import type { SearchResult } from './schemas.ts'

/** Finds what a person may mean by a text without blanks around it, the best results first. */
export async function searchHub (query: Query, text: string): Promise<SearchResult[]> {
  const ids = idsBeginningWith(text)
  const isWhole = ids !== null && ids.first === ids.last
  const [connections, variants, offers, orders, ofRequest, ofEvent, withId, ignored] = await Promise.all([
    searchConnections(query, text, mostResults),
    searchVariants(query, text, mostResults),
    searchOffers(query, text, mostResults),
    searchOrders(query, text, mostResults),
    listJobs(query, { requestId: text, limit: mostResults }),
    findByEventId(query, text, mostResults),
    ids === null ? [] : listJobsBetween(query, ids, mostResults),
    ids === null ? [] : listIgnored(query, { between: ids, limit: mostResults })
  ])
  // An event may be in both places. Its job comes first, because it tells more.
  const delivered = [...withId.flatMap(job => deliveryOfJob(job) ?? []), ...ignored.map(deliveryOfIgnored)]
  return rankResults([
    ...connections.map(connection => ofConnection(connection, text, ids !== null)),
    ...variants.map(ofVariant),
    ...offers.map(offer => ofOffer(offer, isWhole)),
    ...orders.map(order => ofOrder(order, isWhole)),
    ...ofRequest.map(job => ofJob(job, 'requestId', true)),
    ...ofEvent.jobs.map(job => ofJob(job, 'eventId', true)),
    ...ofEvent.deliveries.map(delivery => ofDelivery(delivery, 'eventId', true)),
    ...withId.map(job => ofJob(job, 'id', isWhole)),
    ...delivered.map(delivery => ofDelivery(delivery, 'id', isWhole))
  ])
}

function ofConnection (connection: ConnectionSummary, text: string, mayBeId: boolean): Found {
  const { id, name, platformType, status } = connection
  const isId = mayBeId && id.startsWith(text.toLowerCase())
  return {
    kind: 'connection',
    id,
    title: name,
    subtitle: together(platformType, status),
    connectionId: id,
    matchedBy: isId ? 'id' : 'name',
    isExact: id === text.toLowerCase() || name.trim().toLowerCase() === text.toLowerCase()
  }
}

function ofVariant ({ id, name, sku, ean, connectionId, matchedBy, isExact }: FoundVariant): Found {
  return {
    kind: 'variant',
    id,
    title: name ?? id,
    subtitle: together(sku, ean),
    connectionId,
    matchedBy,
    isExact
  }
}

function ofOffer (offer: FoundOffer, isWhole: boolean): Found {
  const { id, variantId, title, externalId, status, connectionId, matchedBy } = offer
  return {
    kind: variantId === null ? 'unlinked-offer' : 'offer',
    id,
    title: title ?? externalId,
    subtitle: together(externalId, status),
    connectionId,
    matchedBy,
    isExact: isWhole || matchedBy !== 'id'
  }
}

function ofOrder (order: FoundOrder, isWhole: boolean): Found {
  const { id, externalId, destinationExternalId, status, connectionId, matchedBy } = order
  return {
    kind: 'order',
    id,
    title: externalId,
    subtitle: together(status, destinationExternalId === null ? null : `in the shop ${destinationExternalId}`),
    connectionId,
    matchedBy,
    isExact: isWhole || matchedBy !== 'id'
  }
}

function ofJob (job: JobRecord, matchedBy: 'id' | 'requestId' | 'eventId', isExact: boolean): Found {
  const { id, jobType, status, createdAt, connectionId } = job
  return {
    kind: 'job',
    id,
    title: jobType,
    subtitle: together(status, createdAt),
    ...connectionId === null ? {} : { connectionId },
    matchedBy,
    isExact
  }
}

function ofDelivery (delivery: Delivery, matchedBy: 'id' | 'eventId', isExact: boolean): Found {
  const { id, event, eventId, connectionId } = delivery
  return {
    kind: 'delivery',
    id,
    title: event?.eventType ?? eventId,
    subtitle: together(event?.externalId ?? null, statusOf(delivery)),
    connectionId,
    matchedBy,
    isExact
  }
}

function together (...parts: readonly (string | null)[]): string {
  return parts.filter(part => part !== null && part !== '').join(' · ')
}
