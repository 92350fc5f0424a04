import type { Chance } from '../chance.ts'

/** The settings of the module. */
export interface SenderConfiguration {
  /** Address of the hub. */
  baseUrl: string
  /** Nothing is enqueued while it is empty. */
  connectionId: string
  secret: string
  /** 1 to 60; default 1. */
  windowMinutes?: number
  /** 1 to 200; default 50. */
  batchSize?: number
  /** 1 to 100; default 25. */
  maxAttempts?: number
  /** At least 1; default 2. */
  multiplier?: number
  /** Categories switched off in the module. */
  disabled?: ReadonlyArray<'product' | 'stock' | 'order'>
}

/**
 * What goes wrong on the way of an event. Can be changed while the shop runs; probabilities are
 * decided by the shop's `random`.
 */
export interface SenderSwitches {
  /** Events are lost before the outbox. */
  drop: Chance
  /** Events are sent twice, one after the other. */
  duplicate: Chance
  /** A run sends in random order. */
  shuffle: boolean
  /**
   * Events become due at a random time within so many seconds, so that later ones overtake them in
   * earlier runs.
   */
  delaySeconds: number
  /**
   * A run ends after a request, before the row is marked: its rows stay in `processing` and are
   * sent again after 15 minutes.
   */
  crash: Chance
  /**
   * How far the database's clock, which decides what is due, is ahead of PHP's, which says when:
   * the retries are early by so much.
   */
  databaseAheadSeconds: number
}

export function createSwitches (): SenderSwitches {
  return { drop: false, duplicate: false, shuffle: false, delaySeconds: 0, crash: false, databaseAheadSeconds: 0 }
}

export function retryPolicy ({ maxAttempts = 25, multiplier = 2 }: SenderConfiguration) {
  return { maxAttempts: clamp(maxAttempts, 1, 100), multiplier: Math.max(1, multiplier) }
}

export function batchSizeOf ({ batchSize = 50 }: SenderConfiguration): number {
  return clamp(batchSize, 1, 200)
}

function clamp (value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
