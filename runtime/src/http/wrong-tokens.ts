import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

/** Slows the sources of wrong tokens. Each process counts for itself. */
export interface WrongTokens {
  /**
   * Whole seconds until a source may try this token; 0: now. A token that was right before from the
   * same source never waits, because other clients may stand behind the same proxy.
   */
  waitSeconds(ip: string, hash: string): number
  addWrong(ip: string): void
  addRight(ip: string, hash: string): void
}

interface Failures {
  count: number
  endsAtMs: number
}

const mostFailures = 10
const windowMs = 60_000
// Strangers choose the sources, so both memories forget the oldest beyond a limit.
const mostSources = 10_000
const mostRight = 1_000

export function createWrongTokens (nowMs: () => number): WrongTokens {
  const failures = new LRUCache<string, Failures>({ max: mostSources })
  const right = new LRUCache<string, true>({ max: mostRight })

  function failuresOf (source: string): Failures | undefined {
    const found = failures.get(source)
    return found !== undefined && found.endsAtMs > nowMs() ? found : undefined
  }

  return {
    waitSeconds (ip, hash) {
      const source = sourceOf(ip)
      const found = failuresOf(source)
      if (found === undefined || found.count < mostFailures || right.has(keyOf(source, hash))) return 0
      return Math.ceil((found.endsAtMs - nowMs()) / 1_000)
    },
    addWrong (ip) {
      const source = sourceOf(ip)
      const found = failuresOf(source)
      failures.set(source, { count: (found?.count ?? 0) + 1, endsAtMs: found?.endsAtMs ?? nowMs() + windowMs })
    },
    addRight (ip, hash) {
      right.set(keyOf(sourceOf(ip), hash), true)
    }
  }
}

/** One host can have all addresses of an IPv6 network of 64 bits, so they count as one source. */
function sourceOf (ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, 4).join(':') : address.toString()
}

function keyOf (source: string, hash: string): string {
  return `${source} ${hash}`
}
