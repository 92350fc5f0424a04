import { RestError, type Problem } from './errors.ts'
import { changesBetween, type OfferEvent, type OfferEvents, type OfferEventType } from './offer-events.ts'
import { emptyOffer, merged, type Offer, type OfferMembers } from './offer.ts'
import type { Schedule } from './schedule.ts'

export interface NewOffer extends OfferMembers {
  id: string
  /** Default: the seller of the simulator, who has no access to the offers of others. */
  sellerId?: string
}

/**
 * An offer event that a test adds, for types that no offer of the simulator causes: archived, bid
 * on.
 */
export interface NewOfferEvent {
  offerId: string
  type: OfferEventType
}

export interface OffersOptions {
  now: () => Date
  schedule: Schedule
  events: OfferEvents
  sellerId: string
  processingMs: () => number
}

interface Stored {
  offer: Offer
  owner: string
  /** The problems that every validation finds. */
  problems: Problem[]
  wasActive: boolean
  /** The stock with which the marketplace puts the offer up again. */
  firstStock: number
}

/**
 * Makes the store of all sellers' offers. To end or start an offer takes `processingMs`, and the
 * journal gets every change.
 */
export function createOffers ({ now, schedule, events, sellerId, processingMs }: OffersOptions) {
  const offers = new Map<string, Stored>()
  let lastNumber = 7_680_000_000

  function add ({ id, sellerId: owner = sellerId, ...members }: NewOffer): void {
    if (offers.has(id)) throw new Error(`the marketplace already has offer '${id}'`)
    const offer = merged(emptyOffer(id, now().toISOString()), members)
    const { publication: { status }, stock } = offer
    offers.set(id, { owner, offer, problems: [], wasActive: status === 'ACTIVE', firstStock: stock.available })
  }

  /** Makes a draft without pieces, which has only an id. */
  function draft (owner: string): Offer {
    while (offers.has(String(lastNumber += 1)));
    const id = String(lastNumber)
    add({ id, sellerId: owner, stock: { available: 0 }, publication: { status: 'INACTIVE' } })
    return existing(id).offer
  }

  function stored (id: string): Offer | undefined {
    schedule.catchUp()
    return offers.get(id)?.offer
  }

  function existing (id: string): Stored {
    const found = offers.get(id)
    if (found === undefined) throw new Error(`the marketplace has no offer '${id}'`)
    return found
  }

  function owns (seller: string, id: string): boolean {
    return offers.get(id)?.owner === seller
  }

  function ownedBy (seller: string): Offer[] {
    return [...offers.values()].filter(({ owner }) => owner === seller).map(({ offer }) => offer)
  }

  /** Returns the offer. Throws if it does not exist or belongs to another seller. */
  function getOwned (id: string, seller: string): Offer {
    const found = offers.get(id)
    if (found === undefined) throw new RestError(404, { code: 'NotFound', message: `Offer ${id} not found` })
    if (found.owner !== seller) throw new RestError(403, { code: 'AccessDenied', message: 'Access is denied' })
    return found.offer
  }

  /** Writes members; stock 0 ends an active offer and `ACTIVE` starts one, both after a while. */
  function update (id: string, members: OfferMembers): Offer {
    const found = existing(id)
    const [before, time] = [found.offer.publication, now().toISOString()]
    const { publication: wanted, ...others } = members
    const status = wanted?.status ?? before.status
    const isStarting = status === 'ACTIVE' && before.status !== 'ACTIVE'
    const isEnding = status === 'ENDED' && before.status !== 'ENDED'
    write(id, {
      ...merged(found.offer, others),
      publication: {
        ...before,
        republish: wanted?.republish ?? before.republish,
        status: isStarting ? 'ACTIVATING' : status,
        ...isEnding ? { endedBy: 'USER', endedAt: time } : {}
      },
      validation: { ...found.offer.validation, errors: found.problems, validatedAt: time },
      updatedAt: time
    })
    if (isStarting) later(() => activate(id))
    if (isEnding) republishLater(id)
    if (members.stock?.available === 0 && (status === 'ACTIVE' || status === 'ACTIVATING')) later(() => end(id))
    return found.offer
  }

  function activate (id: string): void {
    const startedAt = now().toISOString()
    publish(id, 'ACTIVATING', { status: 'ACTIVE', startedAt, endedAt: null, endedBy: null })
  }

  /** Changes an offer without the API. */
  function edit (id: string, members: OfferMembers): Offer {
    schedule.catchUp()
    return update(id, members)
  }

  function write (id: string, offer: Offer): void {
    const found = existing(id)
    const before = found.offer
    found.offer = offer
    found.firstStock ||= offer.stock.available
    found.wasActive ||= offer.publication.status === 'ACTIVE'
    if (!found.wasActive) return
    for (const type of changesBetween(before, offer)) events.add(type, offer, found.owner)
  }

  function end (id: string): void {
    if (existing(id).offer.stock.available === 0) endBy(id, 'EMPTY_STOCK')
  }

  /** The time of an offer is over. */
  function expire (id: string): void {
    schedule.catchUp()
    endBy(id, 'EXPIRATION')
  }

  function endBy (id: string, endedBy: string): void {
    publish(id, existing(id).offer.publication.status, { status: 'ENDED', endedBy, endedAt: now().toISOString() })
    republishLater(id)
  }

  function republishLater (id: string): void {
    if (existing(id).offer.publication.republish) later(() => republish(id))
  }

  function republish (id: string): void {
    const { offer, firstStock } = existing(id)
    if (offer.publication.status !== 'ENDED') return
    update(id, { stock: { available: firstStock }, publication: { status: 'ACTIVE' } })
  }

  function publish (id: string, from: string, publication: Partial<Offer['publication']>): void {
    const { offer } = existing(id)
    if (offer.publication.status === from) {
      write(id, { ...offer, publication: { ...offer.publication, ...publication } })
    }
  }

  function later (work: () => void): void {
    schedule.plan(now().getTime() + processingMs(), work)
  }

  function sell (id: string, quantity = 1): void {
    const offer = stored(id)
    if (offer === undefined || offer.stock.available < quantity) {
      throw new Error(`the marketplace does not have ${quantity} of '${id}'`)
    }
    update(id, { stock: { available: offer.stock.available - quantity, sold: offer.stock.sold + quantity } })
  }

  function setProblems (id: string, errors: Problem[]): void {
    existing(id).problems = errors
    showProblems(id, errors)
  }

  /** Shows problems as the result of the last validation, until the next one. */
  function showProblems (id: string, errors: Problem[]): void {
    const found = existing(id)
    found.offer = {
      ...found.offer,
      validation: { ...found.offer.validation, errors, validatedAt: now().toISOString() }
    }
  }

  function addEvent ({ offerId, type }: NewOfferEvent): void {
    const { offer, owner } = existing(offerId)
    events.add(type, offer, owner)
  }

  /** Returns the events that the seller of the simulator can read. */
  function ownEvents (): OfferEvent[] {
    schedule.catchUp()
    return events.list(sellerId)
  }

  function quantities (): ReadonlyMap<string, number> {
    schedule.catchUp()
    return new Map([...offers].map(([id, { offer }]) => [id, offer.stock.available]))
  }

  /** Returns the problems that the offer keeps whatever a write changes. */
  function problemsOf (id: string): readonly Problem[] {
    return existing(id).problems
  }

  return {
    add,
    draft,
    stored,
    owns,
    ownedBy,
    getOwned,
    update,
    edit,
    sell,
    expire,
    setProblems,
    showProblems,
    problemsOf,
    addEvent,
    ownEvents,
    quantities
  }
}

export type Offers = ReturnType<typeof createOffers>
