import { searchVariants, type FoundVariant } from '../catalog/store.ts'
import { searchConnections, type ConnectionSummary } from '../connections/store.ts'
import type { Query } from '../database/database.ts'
import type { JobRecord } from '../jobs/job.ts'
import { getJob, listJobs } from '../jobs/store.ts'
import { searchOffers, type FoundOffer } from '../offers/find/store.ts'
import { searchOrders, type FoundOrder } from '../orders/store.ts'
import { isUuid } from '../text-patterns.ts'
import { statusOf, type Delivery } from '../webhooks/deliveries/delivery.ts'
import { findDelivery } from '../webhooks/deliveries/find-deliveries.ts'
import { mostResults, rankResults, type Found } from './rank-results.ts'
import type { SearchResult } from './schemas.ts'

/** Finds what a person may mean by a text without blanks around it, the best results first. */
export async function searchHub (query: Query, text: string): Promise<SearchResult[]> {
  const id = isUuid(text) ? text.toLowerCase() : undefined
  const [connections, variants, offers, orders, ofRequest, job, delivery] = await Promise.all([
    searchConnections(query, text, mostResults),
    searchVariants(query, text, mostResults),
    searchOffers(query, text, mostResults),
    searchOrders(query, text, mostResults),
    listJobs(query, { requestId: text, limit: mostResults }),
    id === undefined ? undefined : getJob(query, id),
    id === undefined ? undefined : findDelivery(query, id)
  ])
  return rankResults([
    ...connections.map(connection => ofConnection(connection, text)),
    ...variants.map(ofVariant),
    ...offers.map(ofOffer),
    ...orders.map(ofOrder),
    ...ofRequest.map(found => ofJob(found, 'requestId')),
    ...job === undefined ? [] : [ofJob(job, 'id')],
    ...delivery === undefined ? [] : [ofDelivery(delivery)]
  ])
}

function ofConnection ({ id, name, platformType, status }: ConnectionSummary, text: string): Found {
  const isId = id === text.toLowerCase()
  return {
    kind: 'connection',
    id,
    title: name,
    subtitle: together(platformType, status),
    connectionId: id,
    matchedBy: isId ? 'id' : 'name',
    isExact: isId || name.trim().toLowerCase() === text.toLowerCase()
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

function ofOffer ({ id, variantId, title, externalId, status, connectionId, matchedBy }: FoundOffer): Found {
  return {
    kind: variantId === null ? 'unlinked-offer' : 'offer',
    id,
    title: title ?? externalId,
    subtitle: together(externalId, status),
    connectionId,
    matchedBy,
    isExact: true
  }
}

function ofOrder ({ id, externalId, destinationExternalId, status, connectionId, matchedBy }: FoundOrder): Found {
  return {
    kind: 'order',
    id,
    title: externalId,
    subtitle: together(status, destinationExternalId === null ? null : `in the shop ${destinationExternalId}`),
    connectionId,
    matchedBy,
    isExact: true
  }
}

function ofJob ({ id, jobType, status, createdAt, connectionId }: JobRecord, matchedBy: 'id' | 'requestId'): Found {
  return {
    kind: 'job',
    id,
    title: jobType,
    subtitle: together(status, createdAt),
    ...connectionId === null ? {} : { connectionId },
    matchedBy,
    isExact: true
  }
}

function ofDelivery (delivery: Delivery): Found {
  const { id, event, eventId, connectionId } = delivery
  return {
    kind: 'delivery',
    id,
    title: event?.eventType ?? eventId,
    subtitle: together(event?.externalId ?? null, statusOf(delivery)),
    connectionId,
    matchedBy: 'id',
    isExact: true
  }
}

function together (...parts: readonly (string | null)[]): string {
  return parts.filter(part => part !== null && part !== '').join(' · ')
}
