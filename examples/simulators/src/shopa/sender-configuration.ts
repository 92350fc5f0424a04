import type { Chance } from '../chance.ts'

/** The settings of the module. */
export interface SenderConfiguration {
  /** Address of the hub. */
  baseUrl: string
  /** The sender enqueues no event while this is empty. */
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

/** Accidents on the way of an event. Writable while the shop runs; `random` decides chances. */
export interface SenderSwitches {
  /** Loses events before the outbox. */
  drop: Chance
  /** Sends events twice, one after the other. */
  duplicate: Chance
  /** Whether a run sends in random order. */
  shuffle: boolean
  /**
   * Makes events due at a random time within this many seconds, so that later events overtake them.
   */
  delaySeconds: number
  /**
   * Ends a run after a request, before it marks the row. Its rows stay in `processing` and are sent
   * again after 15 minutes.
   */
  crash: Chance
  /**
   * How far the clock of the database is ahead of PHP's. PHP sets the time of a retry and the
   * database compares it, so retries come early by this much.
   */
  databaseAheadSeconds: number
  /** Sends `order.status_changed`, as a module whose hook somebody mended. */
  announcesStates: boolean
  /** Whether `stock.changed` names the combination: its row was the first to change in a minute. */
  namesCombination: boolean
}

export function createSwitches (): SenderSwitches {
  return {
    drop: false,
    duplicate: false,
    shuffle: false,
    delaySeconds: 0,
    crash: false,
    databaseAheadSeconds: 0,
    announcesStates: false,
    namesCombination: false
  }
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
