import type {
  ConnectionFacts,
  JobFacts,
  LinkedFacts,
  OfferFacts,
  ShopFacts,
  StockFacts
} from '../../../src/offers/explanation/facts.ts'
import type { ReservingOrder } from '../../../src/offers/explanation/schemas.ts'

export const checkedAt = '2026-01-31T12:00:00.000Z'
export const id = (last: number): string => `00000000-0000-4000-8000-${String(last).padStart(12, '0')}`
/** A time on the day of `checkedAt`. */
export const at = (clock: string): string => `2026-01-31T${clock}:00.000Z`

const connection: ConnectionFacts = {
  id: id(1),
  name: 'Market',
  status: 'active',
  statusReason: null,
  adapterProblem: null,
  pause: null
}

export const pauseOf = (
  capability: string | null,
  until: string | null = at('14:00'),
  reason: string | null = null
) => ({
  capability,
  reason,
  until,
  since: at('11:00'),
  by: { kind: 'token' as const, name: 'ada', tokenId: null }
})

export function jobOf (more: Partial<JobFacts> = {}): JobFacts {
  return {
    id: id(50),
    jobType: 'x.y',
    connectionId: id(1),
    status: 'succeeded',
    problem: null,
    result: null,
    waitsFor: null,
    createdAt: at('11:30'),
    finishedAt: at('11:31'),
    coalescedInto: null,
    ...more
  }
}

export const waiting = (waitsFor: NonNullable<JobFacts['waitsFor']>): JobFacts =>
  jobOf({ status: 'waiting', finishedAt: null, waitsFor })

export const dead = (code: string, message = 'the reason'): JobFacts =>
  jobOf({ status: 'dead', problem: { code, message } })

export function orderOf (more: Partial<ReservingOrder> = {}): ReservingOrder {
  return {
    id: id(60),
    externalId: '8812',
    connectionId: id(1),
    status: 'ready',
    quantity: 2,
    readAt: at('10:02'),
    ...more
  }
}

interface Changes {
  offer?: Partial<OfferFacts>
  stock?: Partial<StockFacts> | null
  market?: Partial<ConnectionFacts>
  shop?: Partial<ShopFacts>
  shopConnection?: Partial<ConnectionFacts>
  missingSince?: string
  orders?: readonly ReservingOrder[]
  more?: Partial<LinkedFacts>
}

/** An offer in step: the shop has 5, the hub wrote 5 at 9:00, and it is shown at 10:00. */
export function factsOf ({
  offer = {},
  stock = {},
  market = {},
  shop = {},
  shopConnection = {},
  missingSince,
  orders = [],
  more = {}
}: Changes = {}): LinkedFacts {
  return {
    kind: 'linked',
    checkedAt,
    offer: {
      id: id(10),
      connectionId: id(1),
      externalId: 'offer-1',
      status: 'ACTIVE',
      createJobId: null,
      price: null,
      quantity: 5,
      stockVersion: 3,
      sentLinkVersion: 0,
      linkVersion: 0,
      buffer: 0,
      maxListed: null,
      upstreamQuantity: 5,
      upstreamReadAt: at('10:00'),
      lagQuantity: null,
      lagReadAt: null,
      frozenFields: [],
      problems: [],
      createdUpstreamAt: null,
      lastSyncedAt: at('09:00'),
      seenAt: at('10:00'),
      createdAt: at('08:00'),
      ...offer
    },
    variant: {
      id: id(20),
      name: 'Mug',
      sku: 'SKU-1',
      ean: null,
      price: null,
      regularPrice: null,
      missingSince: missingSince ?? null,
      createdAt: at('01:00'),
      productExternalId: '27'
    },
    connection: { ...connection, ...market },
    visibleAfterMs: 25 * 60_000,
    shop: {
      id: id(2),
      name: 'My shop',
      deletedAt: null,
      connection: { ...connection, id: id(2), name: 'My shop', ...shopConnection },
      lastSweep: null,
      lastCompleteSweep: null,
      sweepEveryMs: null,
      lastEvent: null,
      ...shop
    },
    stock: stock === null
      ? null
      : {
        quantity: 5,
        reserved: 0,
        isCounted: true,
        isSellable: true,
        confirmedQuantity: null,
        jumpedAt: null,
        sharedWith: 0,
        version: 3,
        updatedAt: at('08:59'),
        readAt: at('08:58'),
        ...stock
      },
    reservations: {
      orders,
      count: orders.length,
      pieces: orders.reduce((sum, { quantity }) => sum + quantity, 0)
    },
    readingJob: null,
    writeJob: null,
    writtenJobId: null,
    replaced: null,
    ...more
  }
}
