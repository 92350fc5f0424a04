import type { Faults } from '../faults.ts'
import type { Latency } from '../latency.ts'
import type { RequestLog } from '../request-log.ts'
import { createServer } from '../server.ts'
import type { CheckoutForm, PlacedCheckoutForm } from './checkout-form.ts'
import { createCommands, type Command } from './commands.ts'
import { createDelivery, type Delivery } from './delivery.ts'
import type { Problem } from './errors.ts'
import { createJournal, type JournalAccidents, type OrderEvent } from './journal.ts'
import { createLimits, type LimitCounts, type LimitSwitches } from './limits.ts'
import { registerWebHost, type Consent } from './oauth-routes.ts'
import { createOfferEvents, type OfferEvent, type OfferEventSwitches } from './offer-events.ts'
import type { OfferSwitches } from './offer-routes.ts'
import type { Offer, OfferMembers } from './offer.ts'
import { createOffers, type NewOffer, type NewOfferEvent, type Offers } from './offers.ts'
import { createOperations } from './operations.ts'
import { createOrders, type NewOrderEvent, type Orders, type OrderSwitches } from './orders.ts'
import { registerRestHost } from './rest-host.ts'
import { createSchedule } from './schedule.ts'
import { createShipments, type Carrier, type Shipment, type ShipmentSwitches } from './shipments.ts'
import { createTokens, type Account, type Application, type Lifetimes, type TokenPair } from './tokens.ts'

export interface MktAOptions {
  /**
   * The registered application. `scopes` defaults to all that the routes ask for, `name` to Linker.
   */
  application: Omit<Application, 'scopes' | 'name'> & Partial<Pick<Application, 'scopes' | 'name'>>
  /** Default 0: any free port. */
  webPort?: number
  restPort?: number
  now?: () => Date
  /** Decides latencies and faults with a chance. `createRandom(seed)` makes a run repeatable. */
  random?: () => number
}

/** One of the two hosts, with a log and faults of its own. */
export interface MktAHost {
  url: string
  requests: RequestLog
  faults: Faults
  setLatency: (latency: Latency) => void
}

export interface MktASwitches extends OfferSwitches, OfferEventSwitches, OrderSwitches, ShipmentSwitches {
  /** How long commands, operations, fulfilment, and offers that start or end, take. Default 1 s. */
  processingMs: number
}

export interface MktA {
  /** Authorisation and tokens. */
  web: MktAHost
  /** Everything else. */
  rest: MktAHost
  /** Write to it: what the seller answers and who is signed in. */
  consent: Consent
  /** Write to it: how long what is issued from now on lasts. */
  lifetimes: Lifetimes
  /** Write to it. */
  switches: MktASwitches
  /** Write to it: how much is too much, and whether a refusal says how long to wait. */
  limits: LimitSwitches
  limitCounts: () => LimitCounts
  /** Other users of the application send this many requests at this moment. */
  burst: (requests: number) => void
  /** A pair without the way through the browser. */
  issueTokens: () => TokenPair
  /** The seller signs out everywhere: all tokens are dead. */
  revokeTokens: () => void
  addOffer: (offer: NewOffer) => void
  /** The seller changes an offer without the API. */
  updateOffer: (id: string, members: OfferMembers) => Offer
  offer: (id: string) => Offer | undefined
  /** The stock of every offer. */
  quantities: () => ReadonlyMap<string, number>
  /** A buyer takes pieces; with the last one the offer ends. */
  sell: (id: string, quantity?: number) => void
  /** What is wrong with an offer already: every PATCH of it is 422 until this is set to none. */
  setOfferProblems: (id: string, problems: Problem[]) => void
  /**
   * The next asynchronous PATCH of this offer ends without a change, and `validation.errors` tells
   * why.
   */
  failNextOperation: (offerId: string, problems?: Problem[]) => void
  /** The next task for this offer fails, whatever its command changes. */
  failNextTask: (offerId: string, problem?: Problem) => void
  /** The commands of all three kinds, with their tasks. */
  commands: () => Command[]
  addOfferEvent: (event: NewOfferEvent) => void
  /** What is visible in the journal of offers, oldest first. */
  offerEvents: () => OfferEvent[]
  /**
   * A buyer orders: takes the stock of offers that are here and adds the event of the form's
   * status. Answers the id.
   */
  placeOrder: (form: PlacedCheckoutForm) => string
  payOrder: (id: string) => void
  /** Leaves `updatedAt` and `revision` as they were. */
  cancelOrder: (id: string, type?: 'BUYER_CANCELLED' | 'AUTO_CANCELLED') => void
  /** The buyer changes the form, which gets another revision. */
  modifyOrder: (id: string, members: Partial<CheckoutForm>) => void
  /** Pays several purchases as one: a new form with their line items; the old ids are 404. */
  joinOrders: (ids: readonly string[]) => string
  addOrderEvent: (event: NewOrderEvent) => string
  order: (id: string) => CheckoutForm | undefined
  /** What is visible in the journal, in the order of the ids. */
  orderEvents: () => OrderEvent[]
  /** What goes wrong with order events from now on. */
  journalAccidents: (accidents: JournalAccidents) => void
  /** The tracking numbers of an order. */
  shipments: (orderId: string) => Shipment[]
  /** Write to it. */
  carriers: Carrier[]
  /** Write to it. */
  deliveryMethods: Delivery['deliveryMethods']
  /** Write to it: the price lists of the seller. */
  shippingRates: Delivery['shippingRates']
  close: () => Promise<void>
}

const hourMs = 60 * 60_000
const allScopes = [
  'mkta:api:profile:read',
  'mkta:api:sale:offers:read',
  'mkta:api:sale:offers:write',
  'mkta:api:orders:read',
  'mkta:api:orders:write'
]

/**
 * Starts a marketplace with one application and one seller: one environment, whose tokens another
 * one refuses.
 */
export async function startMktA ({
  application: registered,
  webPort = 0,
  restPort = 0,
  now = () => new Date(),
  random = Math.random
}: MktAOptions): Promise<MktA> {
  const application = { scopes: allScopes, name: 'Linker', ...registered }
  const consent: Consent = { decision: 'grant', account: sampleAccount() }
  const lifetimes: Lifetimes = {
    codeMs: 10_000,
    accessTokenMs: 12 * hourMs,
    refreshTokenMs: 90 * 24 * hourMs,
    sessions: 20
  }
  const switches: MktASwitches = {
    processingMs: 1_000,
    patch: 'immediate',
    endedOperation: 'redirect',
    offerEventMergeMs: 0,
    expiredOfferEvent: 'oldest',
    operationsPerOrder: Infinity,
    repeatedWaybill: 'second-row'
  }
  const processingMs = () => switches.processingMs
  const [sellerId, schedule] = [consent.account.id, createSchedule(now)]
  const tokens = createTokens({ now, lifetimes })
  const limits = createLimits({ now })
  const delivery = createDelivery(now().toISOString())
  const offerEvents = createOfferEvents({ now, switches })
  const offers = createOffers({ now, schedule, events: offerEvents, sellerId, processingMs })
  const operations = createOperations({ now, schedule, offers, processingMs })
  const commands = createCommands({ now, schedule, offers, processingMs })
  const journal = createJournal({ now, random })
  const orders = createOrders({ now, schedule, offers, journal, sellerId, processingMs, switches })
  const shipments = createShipments({ now, orders, switches })
  const [web, rest] = [createServer({ now, random }), createServer({ now, random })]
  let [webUrl, restUrl] = ['', '']

  registerWebHost(web.app, { application, tokens, consent, issuer: () => webUrl })
  registerRestHost(rest.app, {
    tokens,
    limits,
    schedule,
    offers,
    operations,
    switches,
    baseUrl: () => restUrl,
    commands,
    offerEvents,
    orders,
    shipments,
    delivery
  })
  webUrl = await web.listen(webPort)
  restUrl = await rest.listen(restPort)

  return {
    web: hostOf(webUrl, web),
    rest: hostOf(restUrl, rest),
    consent,
    lifetimes,
    switches,
    limits: limits.switches,
    limitCounts: limits.counts,
    burst: limits.burst,
    issueTokens: () => tokens.open(consent.account, application.scopes),
    revokeTokens: tokens.revokeAll,
    ...offerDesk(offers),
    failNextOperation: operations.failNext,
    failNextTask: commands.failNext,
    commands: commands.all,
    ...orderDesk(orders),
    journalAccidents: journal.setAccidents,
    shipments: shipments.of,
    carriers: shipments.carriers,
    ...delivery,
    async close () {
      await Promise.all([web.close(), rest.close()])
    }
  }
}

function offerDesk ({ add, edit, stored, quantities, sell, setProblems, addEvent, ownEvents }: Offers) {
  return {
    addOffer: add,
    updateOffer: edit,
    offer: stored,
    quantities,
    sell,
    setOfferProblems: setProblems,
    addOfferEvent: addEvent,
    offerEvents: ownEvents
  }
}

function orderDesk ({ place, pay, cancel, modify, join, addEvent, stored, events }: Orders) {
  return {
    placeOrder: place,
    payOrder: pay,
    cancelOrder: cancel,
    modifyOrder: modify,
    joinOrders: join,
    addOrderEvent: addEvent,
    order: stored,
    orderEvents: events
  }
}

function hostOf (url: string, { requests, faults, setLatency }: ReturnType<typeof createServer>): MktAHost {
  return { url, requests, faults, setLatency }
}

function sampleAccount (): Account {
  return {
    id: '44300001',
    login: 'seller_login',
    firstName: 'Jan',
    lastName: 'Kowalski',
    email: 'jan@example.com',
    company: { name: 'ACME', taxId: '1234567890' },
    baseMarketplace: { id: 'mkta-pl' },
    features: []
  }
}
