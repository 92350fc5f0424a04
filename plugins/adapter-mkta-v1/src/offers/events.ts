import {
  AdapterErrorCode,
  defineJob,
  HubJobType,
  isAdapterError,
  readRows,
  type HttpClient,
  type JobOutcome,
  type Offer
} from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import pMap from 'p-map'
import type { MarketplaceClient } from '../client.ts'
import type { Config, Credentials, MarketplaceContext } from '../config.ts'
import { fetchOffer } from './fetch.ts'
import { readOffers } from './list.ts'
import { isOfferId } from './path.ts'
import { mayBeSoldOut, rememberSoldOut } from './quantity.ts'
import { parseOffer, readOffer, republishProblem } from './read.ts'
import { noteRepublish } from './republish.ts'

export const offerEventsJob = 'mkta.offerEvents.poll'
const cursorName = 'offerEvents'
const eventsAtOnce = 1_000
/** The next run of the schedule reads the rest. */
const mostPages = 10
const notesAtOnce = 16

// Require only the id, so that the position moves past an event that cannot be read.
const Event = Type.Object({ id: Type.String({ minLength: 1 }) })
type Event = Static<typeof Event>
const OfOffer = Type.Object({ offer: Type.Object({ id: Type.String({ minLength: 1 }) }) })
const OfSoldOut = Type.Object({
  offer: Type.Object({ publication: Type.Object({ endedBy: Type.Literal('EMPTY_STOCK') }) })
})
const Journal = Type.Object({ offerEvents: Type.Array(Event) })

/**
 * `mkta.offerEvents.poll`: reports the offers that changed at the marketplace, in their present
 * state. The ids of the events are opaque: the adapter passes them back and never compares them.
 */
export const pollOfferEvents = defineJob<ReturnType<typeof Type.Object>, MarketplaceClient, Config, Credentials>({
  payload: Type.Object({}),
  capabilities: ['Marketplace'],
  async run (http, _job, context): Promise<JobOutcome> {
    const events = await readJournal(http, context)
    const ofOffers = events.filter(event => Value.Check(OfOffer, event))
    if (ofOffers.length < events.length) {
      context.log.warn(
        { events: events.length - ofOffers.length },
        'skipped offer events that do not name an offer'
      )
    }
    const soldOut = new Set(ofOffers.filter(event => Value.Check(OfSoldOut, event)).map(({ offer }) => offer.id))
    await pMap(soldOut, offerId => rememberSoldOut(context, offerId), { concurrency: notesAtOnce })
    const offerIds = new Set(ofOffers.map(({ offer }) => offer.id).filter(isOfferId))
    const offers = await readEnds(http, context, await readOffers(http, context, [...offerIds]))
    const overwrittenOffers = await findBack(context, offers)
    return {
      offers,
      overwrittenOffers,
      result: { events: events.length, offers: offers.length, overwritten: overwrittenOffers.length }
    }
  }
})

/**
 * Reads each ended offer of a list alone: only so the marketplace says whether the offer comes back
 * by itself, and the hub takes any other end for final. One that comes back is remembered: its
 * first stock has to be written over.
 */
async function readEnds (http: HttpClient, context: MarketplaceContext, offers: readonly Offer[]): Promise<Offer[]> {
  return pMap(offers, async listed => {
    if (listed.upstreamStatus !== 'ENDED') return listed
    const offer = listed.problems.includes(republishProblem) ? listed : await readEnd(http, context, listed)
    if (offer.problems.includes(republishProblem)) await rememberSoldOut(context, offer.externalId)
    return offer
  }, { concurrency: notesAtOnce })
}

async function readEnd (http: HttpClient, { kv, log }: MarketplaceContext, listed: Offer): Promise<Offer> {
  const found = await fetchOffer(http, listed.externalId).catch((error: unknown) => {
    // The offer is gone since the list was read.
    if (!isLoss(error)) throw error
    return undefined
  })
  const [offer] = found === undefined ? [] : readRows([found], row => readOffer(row), { log, what: 'an offer' })
  if (offer === undefined) return listed
  await noteRepublish(kv, parseOffer(found))
  return offer
}

/**
 * Returns the offers that the hub had written to 0, or that had ended before, and that the
 * marketplace put up again by itself. They sell pieces that may not be there, until the hub writes
 * them again.
 */
async function findBack (context: MarketplaceContext, offers: readonly Offer[]): Promise<string[]> {
  const onSale = offers.filter(({ status, quantity = 0, problems }) =>
    status === 'ACTIVE' && quantity > 0 && problems.includes(republishProblem)
  )
  const found = await pMap(
    onSale,
    async ({ externalId }) => await mayBeSoldOut(context, externalId) ? [externalId] : [],
    { concurrency: notesAtOnce }
  )
  return found.flat()
}

async function readJournal (http: HttpClient, context: MarketplaceContext): Promise<Event[]> {
  const { cursor } = context
  const found: Event[] = []
  let from = await cursor.get(cursorName)
  for (let page = 0; page < mostPages; page++) {
    const events = await readPage(http, from).catch(async (error: unknown) => {
      if (page > 0 || from === undefined || !isLoss(error)) throw error
      await startAgain(context)
      return readPage(http, undefined)
    })
    found.push(...events)
    from = events.at(-1)?.id ?? from
    if (events.length < eventsAtOnce) break
  }
  if (from !== undefined) cursor.set(cursorName, from)
  return found
}

async function readPage (http: HttpClient, from: string | undefined): Promise<Event[]> {
  const query = { from, limit: eventsAtOnce }
  const { offerEvents } = await http.get('sale/offer-events', { query, as: Journal })
  return offerEvents
}

/** Whether the marketplace no longer knows the event or the offer. It keeps events for a day. */
function isLoss (error: unknown): boolean {
  return isAdapterError(error) && (error.code === AdapterErrorCode.rejected || error.code === AdapterErrorCode.notFound)
}

/** Has the hub compare all offers: the journal no longer holds the older changes. */
async function startAgain ({ jobs, log, clock }: MarketplaceContext): Promise<void> {
  log.warn({}, 'the marketplace no longer keeps the last offer event that was read: the hub compares all offers')
  await jobs.enqueue(HubJobType.syncOffers, {}, { key: `offer-events-lost:${clock.now().toISOString()}` })
}
