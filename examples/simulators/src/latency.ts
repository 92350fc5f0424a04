import { setTimeout as delay } from 'node:timers/promises'

/** The shortest and the longest time that a request takes. */
export interface Latency {
  minMs: number
  maxMs: number
}

/** Delays every request by a random time within bounds that a test may change during the run. */
export function createLatency (random: () => number, closing: AbortSignal) {
  let bounds: Latency = { minMs: 0, maxMs: 0 }

  function set ({ minMs, maxMs }: Latency): void {
    if (!(minMs >= 0 && maxMs >= minMs)) {
      throw new TypeError(`a latency needs 0 <= minMs <= maxMs, not minMs ${minMs} and maxMs ${maxMs}`)
    }
    bounds = { minMs, maxMs }
  }

  async function wait (): Promise<void> {
    const { minMs, maxMs } = bounds
    if (maxMs > 0) await delay(minMs + random() * (maxMs - minMs), undefined, { signal: closing })
  }

  return { set, wait }
}
