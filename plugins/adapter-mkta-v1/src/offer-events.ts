import { AdapterErrorCode, defineJob, isAdapterError, type HttpClient, type JobOutcome } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { MarketplaceClient } from './client.ts'
import type { Config, Credentials, MarketplaceContext } from './config.ts'
import { rememberAccount } from './identity.ts'
import { inParallel } from './in-parallel.ts'
import { readOffers } from './list-offers.ts'
import { isOfferId } from './offer-path.ts'
import { rememberSoldOut } from './offer-quantity.ts'
import { parseAs } from './read-answer.ts'

export const offerEventsJob = 'mkta.offerEvents.poll'
const cursorName = 'offerEvents'
const eventsAtOnce = 1_000
/** What is left then is read in the next slot. */
const mostPages = 10
const notesAtOnce = 16

// No more is asked of all of them: the position has to pass what cannot be read.
const Event = Type.Object({ id: Type.String({ minLength: 1 }) })
type Event = Static<typeof Event>
const OfOffer = Type.Object({ offer: Type.Object({ id: Type.String({ minLength: 1 }) }) })
const OfSoldOut = Type.Object({
  offer: Type.Object({ publication: Type.Object({ endedBy: Type.Literal('EMPTY_STOCK') }) })
})
const Journal = Type.Object({ offerEvents: Type.Array(Event) })

/**
 * `mkta.offerEvents.poll`: tells the hub of offers that changed at the marketplace, as they are
 * now. The ids of the events are opaque: they are passed back, never compared.
 */
export const pollOfferEvents = defineJob<ReturnType<typeof Type.Object>, MarketplaceClient, Config, Credentials>({
  payload: Type.Object({}),
  async run (http, _job, context): Promise<JobOutcome> {
    const events = await readJournal(http, context)
    const ofOffers = events.filter(event => Value.Check(OfOffer, event))
    if (ofOffers.length < events.length) {
      context.log.warn(
        { events: events.length - ofOffers.length },
        'offer events do not say which offer they are about: they are passed over'
      )
    }
    const soldOut = new Set(ofOffers.filter(event => Value.Check(OfSoldOut, event)).map(({ offer }) => offer.id))
    await inParallel([...soldOut], notesAtOnce, offerId => rememberSoldOut(context, offerId))
    const offers = await readOffers(http, context.log, [
      ...new Set(ofOffers.map(({ offer }) => offer.id).filter(isOfferId))
    ])
    await rememberAccount(http, context.kv)
    return { offers, result: { events: events.length, offers: offers.length } }
  }
})

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
  const { offerEvents } = parseAs(
    Journal,
    await http.json({ method: 'GET', path: 'sale/offer-events', query: { from, limit: eventsAtOnce } }),
    'the journal of offers'
  )
  return offerEvents
}

/**
 * An event that the marketplace keeps no longer, which it does for about a day, is unknown to it.
 */
function isLoss (error: unknown): boolean {
  return isAdapterError(error) && (error.code === AdapterErrorCode.rejected || error.code === AdapterErrorCode.notFound)
}

/**
 * Reads what is still kept, and has the hub compare all offers: what changed before is in no event
 * any more.
 */
async function startAgain ({ jobs, log, clock }: MarketplaceContext): Promise<void> {
  log.warn({}, 'the marketplace does not keep the last offer event that was read any more: all offers are compared')
  await jobs.enqueue('marketplace.offers.sync', {}, { key: `offer-events-lost:${clock.now().toISOString()}` })
}
