import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

/** Counts the wrong tokens of each source. Each process counts for itself. */
export interface WrongTokens {
  /**
   * Counts a wrong token. Returns the whole seconds that its source should wait; 0 for the first
   * ten of a minute.
   */
  add(ip: string): number
}

const mostFailures = 10
const windowMs = 60_000
// Strangers choose the sources, so the memory forgets the oldest beyond this limit.
const mostSources = 10_000

export function createWrongTokens (nowMs: () => number): WrongTokens {
  const failures = new LRUCache<string, { count: number, endsAtMs: number }>({ max: mostSources })

  return {
    add (ip) {
      const source = sourceOf(ip)
      const now = nowMs()
      const found = failures.get(source)
      const { count, endsAtMs } = found === undefined || found.endsAtMs <= now
        ? { count: 0, endsAtMs: now + windowMs }
        : found
      failures.set(source, { count: count + 1, endsAtMs })
      return count < mostFailures ? 0 : Math.ceil((endsAtMs - now) / 1_000)
    }
  }
}

/** One host can have all addresses of an IPv6 network of 64 bits, so they count as one source. */
function sourceOf (ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, 4).join(':') : address.toString()
}
