import type { Money } from '@linker/sdk'
import type { Pause } from '../../connections/pauses/schemas.ts'
import type { ShownJob } from '../../jobs/show-jobs.ts'
import type { SaleRule } from '../../stock/rules.ts'
import type { SweepView } from '../../stock/schemas.ts'
import type { OfferStatus } from '../entity.ts'
import type { OfferProblem } from '../problem-codes.ts'
import type { Replaced } from '../replaced.ts'
import type { ReservingOrder } from './schemas.ts'

/** A connection, as far as it decides whether the hub reads stock or writes offers. */
export interface ConnectionFacts {
  id: string
  name: string
  status: 'active' | 'disabled' | 'error'
  statusReason: string | null
  /** Why no adapter serves the connection. Null: one does. */
  adapterProblem: string | null
  /** The pause of the whole connection, or else of the capability that is needed here. */
  pause: Pause | null
}

/** The offer, as its row stands. Times are ISO 8601. */
export interface OfferFacts extends SaleRule {
  id: string
  connectionId: string
  externalId: string
  status: OfferStatus
  createJobId: string | null
  price: Money | null
  /** The quantity of the last write, and the versions of stock and link behind it. */
  quantity: number | null
  stockVersion: number | null
  sentLinkVersion: number | null
  linkVersion: number
  buffer: number
  maxListed: number | null
  /** The quantity that the marketplace showed since the last write. */
  upstreamQuantity: number | null
  upstreamReadAt: string | null
  /** A quantity that was read since the last write, and that may be from before it. */
  lagQuantity: number | null
  lagReadAt: string | null
  frozenFields: readonly string[]
  problems: readonly OfferProblem[]
  createdUpstreamAt: string | null
  lastSyncedAt: string | null
  seenAt: string | null
  createdAt: string
}

export interface VariantFacts {
  id: string
  /** As `GET /offers` tells it. */
  name: string | null
  sku: string | null
  ean: string | null
  /** What a buyer pays in the shop today. */
  price: Money | null
  /** The price without the promotion of today, if there is one. */
  regularPrice: Money | null
  /** Since when the shop does not list it. */
  missingSince: string | null
  createdAt: string
  productExternalId: string
}

export interface StockFacts {
  quantity: number
  /** The pieces that orders reserve of this variant, and of those that share its stock. */
  reserved: number
  isCounted: boolean
  /** Whether the shop sells the variant, whatever its stock. */
  isSellable: boolean
  /** What offers go by while a jump of `quantity` waits for a person. */
  confirmedQuantity: number | null
  jumpedAt: string | null
  /** The number of other variants that sell from the same stock. */
  sharedWith: number
  version: number
  /** The last change of the quantity or of the reserved pieces. */
  updatedAt: string
  /** The start of the reading that brought the quantity, not of a sweep that found no change. */
  readAt: string
}

/** A sweep, as far as it says when the stock was read. */
export type SweepFacts = Pick<SweepView, 'id' | 'status' | 'missing' | 'startedAt' | 'finishedAt'>

export interface ShopFacts {
  id: string
  name: string
  deletedAt: string | null
  /** Null: the shop is deleted. */
  connection: ConnectionFacts | null
  /** The last one that has ended. */
  lastSweep: SweepFacts | null
  lastCompleteSweep: SweepFacts | null
  /** How often its schedule sweeps. Null: no schedule does. */
  sweepEveryMs: number | null
  lastEvent: LastEvent | null
}

/** The last webhook of a connection. */
export interface LastEvent {
  at: string
  event: string
}

/** The open orders that reserve pieces of a variant. */
export interface Reservations {
  /** The first ones. */
  orders: readonly ReservingOrder[]
  /** The number of all. */
  count: number
  /** The pieces that all of them reserve. */
  pieces: number
}

/** A job, without the secrets of its connection. */
export type JobFacts = Pick<
  ShownJob,
  | 'id'
  | 'jobType'
  | 'connectionId'
  | 'status'
  | 'problem'
  | 'result'
  | 'waitsFor'
  | 'createdAt'
  | 'finishedAt'
  | 'coalescedInto'
>

/** An offer that is linked to a variant. */
export interface LinkedFacts {
  kind: 'linked'
  /** By the clock of the database. */
  checkedAt: string
  offer: OfferFacts
  variant: VariantFacts
  /** The marketplace. */
  connection: ConnectionFacts
  /** How long the marketplace may show the state before a write. */
  visibleAfterMs: number
  shop: ShopFacts
  /** Null: the stock was never read. */
  stock: StockFacts | null
  reservations: Reservations
  /** The last job that reads the stock of the product alone. */
  readingJob: JobFacts | null
  /** The job that writes the last version, or that leads to it. Null: the ledger has none. */
  writeJob: JobFacts | null
  /** The job that wrote `offer.quantity`, if the ledger still has it. */
  writtenJobId: string | null
  /** The other quantity that the marketplace showed before that job. */
  replaced: Replaced | null
}

/** An offer that the marketplace shows and that no variant is linked to. */
export interface UnlinkedFacts {
  kind: 'unlinked'
  checkedAt: string
  offer: UnlinkedOfferFacts
  connection: Pick<ConnectionFacts, 'id' | 'name'>
}

export interface UnlinkedOfferFacts {
  id: string
  connectionId: string
  externalId: string
  /** Null: the marketplace does not show it any more. */
  status: 'ACTIVE' | 'INACTIVE' | null
  quantity: number | null
  seenAt: string | null
  /** When an operator unlinked it. */
  releasedAt: string | null
}

export type Facts = LinkedFacts | UnlinkedFacts
