import { createHash } from 'node:crypto'

// A schedule cuts time into slots of one length, and each slot has one job. The process that looks
// first makes the job; the job's key tells that to all other processes.
//
//     every 10 min    │·····▼·········│·····▼·········│·····▼
//
// ▼ is where a slot of this connection begins: its phase comes from its id.
//
// A process fires only the slot that began last, even when it has just started or was away for
// hours: this one job stands for all missed slots.

/** When a schedule of one connection fires: `phaseMs` is where in a slot of `everyMs` it begins. */
export interface Timing {
  connectionId: string
  name: string
  everyMs: number
  phaseMs: number
}

const unitMs: ReadonlyMap<string, number> = new Map([['s', 1_000], ['m', 60_000], ['h', 3_600_000], ['d', 86_400_000]])

/** Milliseconds of a length such as `30s`, `2m`, `6h` or `1d`. */
export function parseEvery (every: string): number {
  return Number(every.slice(0, -1)) * (unitMs.get(every.slice(-1)) ?? Number.NaN)
}

/**
 * The phase is the same in every process, and the phases are spread over the slot: a thousand
 * connections of one platform must not call it in the same second.
 */
export function timingOf (connectionId: string, name: string, everyMs: number): Timing {
  const hash = createHash('sha1').update(`${name}:${connectionId}`).digest()
  return { connectionId, name, everyMs, phaseMs: hash.readUIntBE(0, 6) % everyMs }
}

/** The slot of this time. */
export function slotAt ({ everyMs, phaseMs }: Timing, nowMs: number): number {
  return Math.floor((nowMs - phaseMs) / everyMs)
}

/** When a slot begins, in milliseconds since 1970. */
export function startOfSlot ({ everyMs, phaseMs }: Timing, slot: number): number {
  return slot * everyMs + phaseMs
}

/** The idempotency key of the job of a slot. */
export function slotKey ({ connectionId, name }: Timing, slot: number): string {
  return `schedule:${name}:${connectionId}:${slot}`
}
