import type { Faults } from '../faults.ts'
import type { Latency } from '../latency.ts'
import type { RequestLog } from '../request-log.ts'
import { createServer } from '../server.ts'
import type { CheckoutForm, PlacedCheckoutForm } from './checkout-form.ts'
import { createCommands, type Command, type CommandSwitches } from './commands.ts'
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
import { registerRestHost, type RestSwitches } from './rest-host.ts'
import { createSchedule } from './schedule.ts'
import { createShipments, type Carrier, type Shipment, type ShipmentSwitches } from './shipments.ts'
import {
  createTokens,
  type Account,
  type Application,
  type Lifetimes,
  type TokenPair,
  type TokenRequest
} from './tokens.ts'

export interface MktAOptions {
  /** The registered application. Defaults: every scope that a route needs, and the name Linker. */
  application: Omit<Application, 'scopes' | 'name'> & Partial<Pick<Application, 'scopes' | 'name'>>
  /** Default 0: any free port. */
  webPort?: number
  restPort?: number
  now?: () => Date
  /** Decides whatever has a chance. `createRandom(seed)` makes a run repeatable. */
  random?: () => number
}

/** One of the two hosts, with its own log and faults. */
export interface MktAHost {
  url: string
  requests: RequestLog
  faults: Faults
  setLatency: (latency: Latency) => void
}

export interface MktASwitches
  extends CommandSwitches, OfferSwitches, OfferEventSwitches, OrderSwitches, RestSwitches, ShipmentSwitches
{
  /** How long commands, operations, fulfilment, and starting or ending offers take. Default 1 s. */
  processingMs: number
}

export interface MktA {
  /** The host for authorisation and tokens. */
  web: MktAHost
  /** The host for everything else. */
  rest: MktAHost
  /** Writable: the decision of the seller and the account that is signed in. */
  consent: Consent
  /** Writable: the lifetimes of codes and tokens issued from now on. */
  lifetimes: Lifetimes
  /** Writable. */
  switches: MktASwitches
  /** Writable: the limits, and whether a refusal says how long to wait. */
  limits: LimitSwitches
  limitCounts: () => LimitCounts
  /** Counts this many requests of other users of the application, all at this moment. */
  burst: (requests: number) => void
  /** Issues a pair of tokens without a browser. */
  issueTokens: () => TokenPair
  /** Signs the seller out everywhere, which ends all tokens. */
  revokeTokens: () => void
  /** The requests for tokens so far, oldest first. */
  tokenRequests: readonly TokenRequest[]
  addOffer: (offer: NewOffer) => void
  /** Changes an offer as the seller, without the API. */
  updateOffer: (id: string, members: OfferMembers) => Offer
  offer: (id: string) => Offer | undefined
  /** Returns the stock of every offer. */
  quantities: () => ReadonlyMap<string, number>
  /** Takes pieces as a buyer does; the offer ends with its last piece. */
  sell: (id: string, quantity?: number) => void
  /** Ends an offer because its time is over. */
  expire: (id: string) => void
  /** Sets the problems of an offer. Every PATCH of it answers 422 until the list is empty. */
  setOfferProblems: (id: string, problems: Problem[]) => void
  /** Makes the next asynchronous PATCH end without a change, as `switches.failedOperation` says. */
  failNextOperation: (offerId: string, problems?: Problem[]) => void
  /** Makes the next task for this offer fail, in a command of any kind. */
  failNextTask: (offerId: string, problem?: Problem) => void
  /** Returns the commands of all three kinds, with their tasks. */
  commands: () => Command[]
  addOfferEvent: (event: NewOfferEvent) => void
  /** Returns the visible events in the journal of offers, oldest first. */
  offerEvents: () => OfferEvent[]
  /**
   * Places an order as a buyer, takes the stock of the offers that exist and adds the event of the
   * form's status. Returns the id.
   */
  placeOrder: (form: PlacedCheckoutForm) => string
  payOrder: (id: string) => void
  /** Cancels an order without a change of `updatedAt` and `revision`. */
  cancelOrder: (id: string, type?: 'BUYER_CANCELLED' | 'AUTO_CANCELLED') => void
  /** Changes any member of a form as the buyer, which gives it a new revision. */
  modifyOrder: (id: string, members: Partial<CheckoutForm>) => void
  /**
   * Changes the delivery address as the buyer, with `modifiedAt` and a new revision. Throws three
   * days after the purchase, and when the seller has begun to process the order.
   */
  changeAddress: (id: string, members: Record<string, unknown>) => void
  /** Makes the id of a live order answer 404 for this long. */
  hideOrder: (id: string, ms: number) => void
  /** Pays several orders as one: a new form has their line items, and the old ids are 404. */
  joinOrders: (ids: readonly string[]) => string
  addOrderEvent: (event: NewOrderEvent) => string
  order: (id: string) => CheckoutForm | undefined
  /** Returns the visible events in the journal of orders, sorted by id. */
  orderEvents: () => OrderEvent[]
  /** Sets the accidents of order events from now on. */
  journalAccidents: (accidents: JournalAccidents) => void
  /** Returns the tracking numbers of an order. */
  shipments: (orderId: string) => Shipment[]
  /** Writable. */
  carriers: Carrier[]
  /** Writable. */
  deliveryMethods: Delivery['deliveryMethods']
  /** Writable: the price lists of the seller. */
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
 * Starts a marketplace with one application and one seller. The marketplace is one environment:
 * another environment refuses its tokens.
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
    overtaking: 0.5,
    patch: 'immediate',
    failedOperation: 'refused',
    emptyMembers: 'absent',
    unpublishedMembers: 'refused',
    offerEventMergeMs: 0,
    expiredOfferEvent: 'oldest',
    operationsPerOrder: Infinity,
    ordersPerWaybill: Infinity
  }
  const processingMs = () => switches.processingMs
  const [sellerId, schedule] = [consent.account.id, createSchedule(now)]
  const tokens = createTokens({ now, lifetimes })
  const limits = createLimits({ now })
  const delivery = createDelivery(now().toISOString())
  const offerEvents = createOfferEvents({ now, switches })
  const offers = createOffers({ now, schedule, events: offerEvents, sellerId, processingMs })
  const operations = createOperations({ now, schedule, offers, processingMs, switches })
  const commands = createCommands({ now, schedule, offers, processingMs, random, switches })
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
    delivery,
    restSwitches: switches
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
    tokenRequests: tokens.requests,
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

function offerDesk ({ add, edit, stored, quantities, sell, expire, setProblems, addEvent, ownEvents }: Offers) {
  return {
    addOffer: add,
    updateOffer: edit,
    offer: stored,
    quantities,
    sell,
    expire,
    setOfferProblems: setProblems,
    addOfferEvent: addEvent,
    offerEvents: ownEvents
  }
}

function orderDesk ({ place, pay, cancel, modify, changeAddress, hide, join, addEvent, stored, events }: Orders) {
  return {
    placeOrder: place,
    payOrder: pay,
    cancelOrder: cancel,
    modifyOrder: modify,
    changeAddress,
    hideOrder: hide,
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
