import type { FastifyInstance } from 'fastify'
import { randomInt } from 'node:crypto'
import type { Query } from '../request-log.ts'
import type { Authorise } from './authorise.ts'
import type { Offer } from './offer.ts'
import { acceptsAny, pageOf, refusal } from './query.ts'

export type OfferEventType =
  | 'OFFER_ACTIVATED'
  | 'OFFER_CHANGED'
  | 'OFFER_ENDED'
  | 'OFFER_STOCK_CHANGED'
  | 'OFFER_PRICE_CHANGED'
  | 'OFFER_ARCHIVED'
  | 'OFFER_BID_PLACED'
  | 'OFFER_BID_CANCELED'
  | 'OFFER_TRANSLATION_UPDATED'
  | 'OFFER_VISIBILITY_CHANGED'
  | 'OFFER_DELIVERY_COUNTRIES_BLOCKED'

export interface OfferEvent {
  /** Opaque: clients may only pass it back. */
  id: string
  occurredAt: string
  type: OfferEventType
  offer: { id: string, external: { id: string } | null, publication: { status: string, endedBy: string | null } }
}

interface Entry {
  event: OfferEvent
  owner: string
  visibleAt: number
}

const retentionMs = 24 * 60 * 60_000

export interface OfferEventSwitches {
  /**
   * Changes of one kind to one offer become one event if they come within this time. The event
   * becomes visible when the time is over. Default 0.
   */
  offerEventMergeMs: number
  /**
   * The answer when the event `from` is too old to be kept: the events from the oldest on, or 400.
   * Default `oldest`.
   */
  expiredOfferEvent: 'oldest' | 'refused'
}

/**
 * Makes the journal of offers that were active at least once.
 *
 *     change ──▶ waits offerEventMergeMs, merges more of its kind ──▶ visible for a day
 */
export function createOfferEvents ({ now, switches }: { now: () => Date, switches: OfferEventSwitches }) {
  const entries: Entry[] = []
  let lastNumber = randomInt(100_000_000, 200_000_000)

  function add (
    type: OfferEventType,
    { id: offerId, external, publication: { status, endedBy } }: Offer,
    owner: string
  ): void {
    const time = now()
    const told = {
      occurredAt: time.toISOString(),
      type,
      offer: { id: offerId, external, publication: { status, endedBy } }
    }
    const waiting = entries.findLast(({ event, visibleAt }) =>
      visibleAt > time.getTime() && event.type === type && event.offer.id === offerId
    )
    if (waiting !== undefined) {
      Object.assign(waiting.event, told)
      return
    }
    const visibleAt = time.getTime() + switches.offerEventMergeMs
    const id = Buffer.from(String(lastNumber += 1)).toString('base64')
    // Sort entries by the time they become visible, so that a reader's `from` never skips one.
    entries.splice(entries.findLastIndex(entry => entry.visibleAt <= visibleAt) + 1, 0, {
      event: { id, ...told },
      owner,
      visibleAt
    })
  }

  /** Returns the visible events of one owner after the event `from`, as far as they are kept. */
  function list (owner: string, from?: string): OfferEvent[] {
    const time = now().getTime()
    const isKept = ({ event }: Entry) => Date.parse(event.occurredAt) >= time - retentionMs
    return entries.slice(from === undefined ? 0 : startAfter(from, isKept))
      .filter(entry => entry.owner === owner && entry.visibleAt <= time && isKept(entry))
      .map(({ event }) => event)
  }

  function startAfter (from: string, isKept: (entry: Entry) => boolean): number {
    const at = entries.findIndex(({ event }) => event.id === from)
    const entry = entries[at]
    if (entry === undefined || (switches.expiredOfferEvent === 'refused' && !isKept(entry))) {
      throw refusal('from', `from must be the id of an offer event, not ${from}`)
    }
    return at + 1
  }

  return { add, list }
}

export type OfferEvents = ReturnType<typeof createOfferEvents>

/** Returns the types of events that turn one state of an offer into another. */
export function changesBetween (before: Offer, after: Offer): OfferEventType[] {
  const isOther = (name: keyof Offer) =>
    before[name] !== after[name] && JSON.stringify(before[name]) !== JSON.stringify(after[name])
  const isNow = (status: Offer['publication']['status']) =>
    after.publication.status === status && before.publication.status !== status
  const types: OfferEventType[] = []
  if (contents.some(isOther)) types.push('OFFER_CHANGED')
  if (before.stock.available !== after.stock.available) types.push('OFFER_STOCK_CHANGED')
  if (isOther('sellingMode')) types.push('OFFER_PRICE_CHANGED')
  if (isNow('ACTIVE')) types.push('OFFER_ACTIVATED')
  if (isNow('ENDED')) types.push('OFFER_ENDED')
  return types
}

const contents = [
  'name',
  'category',
  'external',
  'description',
  'images',
  'parameters',
  'productSet',
  'delivery'
] as const

export function registerOfferEvents (app: FastifyInstance, events: OfferEvents, authorise: Authorise): void {
  app.get<{ Querystring: Query }>('/sale/offer-events', async request => {
    const { from, limit } = request.query
    const seller = authorise(request, 'mkta:api:sale:offers:read')
    const behind = events.list(seller, from === undefined ? undefined : String(from))
    const found = behind.filter(({ type }) => acceptsAny(request.query, 'type', [type]))
    return { offerEvents: pageOf(limit === undefined ? {} : { limit }, found, { defaultLimit: 100, maxLimit: 1_000 }) }
  })
}
