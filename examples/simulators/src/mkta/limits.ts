import type { FastifyRequest } from 'fastify'
import type { CommandField } from './command-kinds.ts'
import { RestError } from './errors.ts'

/** How many offers the commands of one kind may change. */
export interface ChangeLimit {
  perMinute: number
  perHour: number
}

export interface LimitSwitches {
  /**
   * Requests of one client id, for all its users together. After the next request, the marketplace
   * refuses the client id for a minute. Default 9000.
   */
  requestsPerMinute: number
  /** Requests `GET /sale/product-offers/{id}` of one user. Default 3500. */
  offerReadsPerMinute: number
  /** Requests `PATCH /sale/product-offers/{id}` of one user. Default 2500. */
  offerPatchesPerMinute: number
  /**
   * Offers in the commands of one user, by kind. Default 9000 a minute; 250 000 an hour, and
   * 150 000 for prices.
   */
  offerChanges: Record<CommandField, ChangeLimit>
  /** Offers in the reports about commands that one user reads. Default 270 000. */
  reportedOffersPerMinute: number
  /** Whether a refusal has the header `Retry-After`. Default true. */
  sendsRetryAfter: boolean
}

/** A bucket of one user: it holds `most` and drains within `windowMs`. */
interface Bucket {
  name: string
  most: number
  windowMs: number
}

export interface LimitCounts {
  /** Requests of this client id in the current minute, bursts included. */
  requests: number
  /** The time until which the client id is refused; null if it is not. */
  blockedUntil: string | null
  /** Requests answered with 429 since the start. */
  refused: number
  /** The levels of the buckets, by the id of the user. */
  users: Record<string, Record<string, number>>
}

/** A refusal with 429. */
export class LimitError extends RestError {
  readonly retryAfterSeconds: number

  constructor (retryAfterMs: number) {
    super(429, { code: 'TOO_MANY_REQUESTS', message: 'The limit of requests is exceeded' })
    this.name = 'LimitError'
    this.retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1_000))
  }
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const changeFields = ['quantity', 'price', 'publication'] as const

/** Makes a counter for the client id, and draining buckets for each user. */
export function createLimits ({ now }: { now: () => Date }) {
  const switches: LimitSwitches = {
    requestsPerMinute: 9_000,
    offerReadsPerMinute: 3_500,
    offerPatchesPerMinute: 2_500,
    offerChanges: {
      quantity: { perMinute: 9_000, perHour: 250_000 },
      price: { perMinute: 9_000, perHour: 150_000 },
      publication: { perMinute: 9_000, perHour: 250_000 }
    },
    reportedOffersPerMinute: 270_000,
    sendsRetryAfter: true
  }
  const users = new Map<string, Map<string, { level: number, at: number }>>()
  let minute = { startedAt: -Infinity, requests: 0 }
  let blockedUntil = -Infinity
  let refused = 0

  function current (): typeof minute {
    const time = now().getTime()
    if (time - minute.startedAt >= minuteMs) minute = { startedAt: time, requests: 0 }
    return minute
  }

  /** Counts this many requests of other users of the application, all at this moment. */
  function burst (requests: number): void {
    current().requests += requests
    if (minute.requests > switches.requestsPerMinute) blockedUntil = now().getTime() + minuteMs
  }

  function countRequest ({ method, url }: Pick<FastifyRequest, 'method' | 'url'>, userId: string): void {
    const time = now().getTime()
    if (blockedUntil <= time) burst(1)
    if (blockedUntil > time) throw refusal(blockedUntil - time)
    if (!/^\/sale\/product-offers\/[^/?]+(?:\?|$)/.test(url)) return
    if (method === 'GET') fill(userId, 1, [offerReads()])
    if (method === 'PATCH') fill(userId, 1, [offerPatches()])
  }

  function countOfferChanges (userId: string, field: CommandField, count: number): void {
    fill(userId, count, changesOf(field))
  }

  function countReport (userId: string, offers: number): void {
    fill(userId, offers, [reportedOffers()])
  }

  function offerReads (): Bucket {
    return { name: 'offerReads', most: switches.offerReadsPerMinute, windowMs: minuteMs }
  }

  function offerPatches (): Bucket {
    return { name: 'offerPatches', most: switches.offerPatchesPerMinute, windowMs: minuteMs }
  }

  function reportedOffers (): Bucket {
    return { name: 'reportedOffers', most: switches.reportedOffersPerMinute, windowMs: minuteMs }
  }

  function changesOf (field: CommandField): Bucket[] {
    const { perMinute, perHour } = switches.offerChanges[field]
    return [
      { name: `${field}ChangesOfMinute`, most: perMinute, windowMs: minuteMs },
      { name: `${field}ChangesOfHour`, most: perHour, windowMs: hourMs }
    ]
  }

  /** Adds to all buckets, or to none when one of them would run over. */
  function fill (userId: string, count: number, buckets: readonly Bucket[]): void {
    for (const bucket of buckets) {
      const over = levelOf(userId, bucket) + count - bucket.most
      if (over > 0) throw refusal(over * bucket.windowMs / bucket.most)
    }
    const levels = users.get(userId) ?? new Map<string, { level: number, at: number }>()
    users.set(userId, levels)
    const at = now().getTime()
    for (const bucket of buckets) levels.set(bucket.name, { level: levelOf(userId, bucket) + count, at })
  }

  function levelOf (userId: string, { name, most, windowMs }: Bucket): number {
    const { level, at } = users.get(userId)?.get(name) ?? { level: 0, at: 0 }
    return Math.max(0, level - (now().getTime() - at) * most / windowMs)
  }

  function refusal (retryAfterMs: number): LimitError {
    refused += 1
    return new LimitError(retryAfterMs)
  }

  function counts (): LimitCounts {
    const isBlocked = blockedUntil > now().getTime()
    const buckets = [offerReads(), offerPatches(), ...changeFields.flatMap(changesOf), reportedOffers()]
    const levels = (id: string) => Object.fromEntries(buckets.map(bucket => [bucket.name, levelOf(id, bucket)]))
    return {
      requests: current().requests,
      blockedUntil: isBlocked ? new Date(blockedUntil).toISOString() : null,
      refused,
      users: Object.fromEntries([...users.keys()].map(id => [id, levels(id)]))
    }
  }

  return { switches, burst, counts, countRequest, countOfferChanges, countReport }
}

export type Limits = ReturnType<typeof createLimits>
