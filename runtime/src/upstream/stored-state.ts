import type { RequestBudget } from '@linker/sdk'
import type { Actor } from '../audit/actor.ts'
import type { Breaker } from './breaker.ts'
import type { FailureCount } from './failure-count.ts'
import type { Learnt } from './learnt-rate.ts'
import type { Rest } from './rest.ts'

/** The budget that an operator set, with who set it and why. */
export interface OwnBudget extends RequestBudget {
  reason?: string
  /** Absent: an earlier version of the hub stored the budget. */
  by?: Pick<Actor, 'kind' | 'name' | 'tokenId'>
  since?: number
}

/**
 * The traffic to a platform, or to an area of it. Times are milliseconds since 1970 by the clock of
 * the database.
 */
export interface TrafficState {
  /** The rate to which answers 429 have slowed the hub down. */
  learnt?: Learnt
  /** The theoretical arrival time of the next request (GCRA): the later, the less burst is left. */
  nextSlotAt?: number
  /** The time between two requests at the pace at which `nextSlotAt` was set. */
  slotMs?: number
  /** The next turn in the plan: when the next refused request is told to come again. */
  plannedUntil?: number
  /** The end of the rest. */
  throttledUntil?: number
  /** Absent without a rest, and for one that an earlier version of the hub stored. */
  rest?: Rest
  breaker?: Breaker
  /** Failures of the platform in the last minute. */
  failures?: FailureCount
}

/**
 * The traffic to the platform of one connection, as the hub stores it for all processes: that of
 * the whole connection, and that of each area by itself.
 */
export interface UpstreamState extends TrafficState {
  own?: OwnBudget
  /** Absent: nothing is known of any, or an earlier version of the hub stored the state. */
  areas?: Readonly<Record<string, TrafficState>>
}
