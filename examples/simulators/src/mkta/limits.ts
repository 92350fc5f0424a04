import type { FastifyRequest } from 'fastify'
import { RestError } from './errors.ts'

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
  /** Offers in the quantity and price commands of one user. Default 270 000. */
  offerChangesPerMinute: number
  /** Whether a refusal has the header `Retry-After`. Default true. */
  sendsRetryAfter: boolean
}

type UserLimit = 'offerReads' | 'offerPatches' | 'offerChanges'

export interface LimitCounts {
  /** Requests of this client id in the current minute, bursts included. */
  requests: number
  /** The time until which the client id is refused; null if it is not. */
  blockedUntil: string | null
  /** Requests answered with 429 since the start. */
  refused: number
  /** The levels of the buckets, by the id of the user. */
  users: Record<string, Record<UserLimit, number>>
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

/** Makes a counter for the client id, and buckets for each user that drain within a minute. */
export function createLimits ({ now }: { now: () => Date }) {
  const switches: LimitSwitches = {
    requestsPerMinute: 9_000,
    offerReadsPerMinute: 3_500,
    offerPatchesPerMinute: 2_500,
    offerChangesPerMinute: 270_000,
    sendsRetryAfter: true
  }
  const users = new Map<string, Partial<Record<UserLimit, { level: number, at: number }>>>()
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
    if (method === 'GET') fill(userId, 'offerReads', 1)
    if (method === 'PATCH') fill(userId, 'offerPatches', 1)
  }

  function countOfferChanges (userId: string, count: number): void {
    fill(userId, 'offerChanges', count)
  }

  function fill (userId: string, limit: UserLimit, count: number): void {
    const [level, perMinute] = [levelOf(userId, limit) + count, switches[`${limit}PerMinute`]]
    if (level > perMinute) throw refusal((level - perMinute) * minuteMs / perMinute)
    users.set(userId, { ...users.get(userId), [limit]: { level, at: now().getTime() } })
  }

  function levelOf (userId: string, limit: UserLimit): number {
    const { level, at } = users.get(userId)?.[limit] ?? { level: 0, at: 0 }
    return Math.max(0, level - (now().getTime() - at) * switches[`${limit}PerMinute`] / minuteMs)
  }

  function refusal (retryAfterMs: number): LimitError {
    refused += 1
    return new LimitError(retryAfterMs)
  }

  function counts (): LimitCounts {
    const isBlocked = blockedUntil > now().getTime()
    const levels = (id: string) => ({
      offerReads: levelOf(id, 'offerReads'),
      offerPatches: levelOf(id, 'offerPatches'),
      offerChanges: levelOf(id, 'offerChanges')
    })
    return {
      requests: current().requests,
      blockedUntil: isBlocked ? new Date(blockedUntil).toISOString() : null,
      refused,
      users: Object.fromEntries([...users.keys()].map(id => [id, levels(id)]))
    }
  }

  return { switches, burst, counts, countRequest, countOfferChanges }
}

export type Limits = ReturnType<typeof createLimits>
