import { setTimeout as delay } from 'node:timers/promises'

/** How long a request takes at least and at most. */
export interface Latency {
  minMs: number
  maxMs: number
}

/**
 * Delays every request by a random time inside the bounds, which can be changed while the simulator
 * runs.
 */
export function createLatency (random: () => number, closing: AbortSignal) {
  let bounds: Latency = { minMs: 0, maxMs: 0 }

  function set ({ minMs, maxMs }: Latency): void {
    if (!(minMs >= 0 && maxMs >= minMs)) {
      throw new TypeError(`a latency goes from 0 or more to at least the same, not from ${minMs} to ${maxMs}`)
    }
    bounds = { minMs, maxMs }
  }

  async function wait (): Promise<void> {
    const { minMs, maxMs } = bounds
    if (maxMs > 0) await delay(minMs + random() * (maxMs - minMs), undefined, { signal: closing })
  }

  return { set, wait }
}
