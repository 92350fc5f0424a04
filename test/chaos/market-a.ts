import type { Latency } from '@linker/simulators'
import { setTimeout as wait } from 'node:timers/promises'
import type { MarketALine } from '../support/market-a-line.ts'
import type { StockLine } from '../support/stock-line.ts'

/** The hub renews a token a minute before its end, so each token serves for four seconds. */
const accessTokenMs = 64_000
const burstEveryMs = 8_000
const refusedMs = 2_000
const minuteMs = 60_000
const lookEveryMs = 500

export interface MarketATroubles {
  /** Stops the bursts and the faults. */
  end(): void
  /**
   * Also stops watching the connection. Returns how often other users of the application used up
   * its limit, and how often the seller had to authorise the hub again.
   */
  stop(): Promise<{ bursts: number, authorised: number }>
}

/** Shortens the life of tokens, so that several processes renew them. Call it before `connect`. */
export function shortenTokens ({ marketA }: StockLine): void {
  if (marketA !== undefined) marketA.market.lifetimes.accessTokenMs = accessTokenMs
}

/**
 * Makes marketplace A lose answers after it did the work, refuse requests with 503, and reach the
 * limit of the application because other users call too. A hub that is killed between the answer to
 * a refresh and the storing of its tokens loses them; the seller then authorises the hub again.
 */
export function troubleMarketA (line: StockLine, marketA: MarketALine, latency: Latency): MarketATroubles {
  const { rest } = marketA.market
  const ending = new AbortController()
  const stopping = new AbortController()
  rest.setLatency(latency)
  const often = { times: Number.POSITIVE_INFINITY, chance: 0.05 }
  rest.faults.add({ ...often, path: /change-commands|product-offers/, reset: true, when: 'after' })
  rest.faults.add({ ...often, answer: { status: 503 } })
  const bursting = burstUntil(ending.signal, marketA)
  const authorising = authoriseUntil(stopping.signal, line, marketA)
  return {
    end () {
      ending.abort()
      rest.faults.clear()
    },
    async stop () {
      ending.abort()
      stopping.abort()
      return { bursts: await bursting, authorised: await authorising }
    }
  }
}

/** The marketplace refuses for a minute of its own time; the clock jump leaves two seconds. */
async function burstUntil (signal: AbortSignal, { market, jump }: MarketALine): Promise<number> {
  for (let bursts = 0;; bursts += 1) {
    if (!await waitUnless(signal, burstEveryMs)) return bursts
    market.burst(market.limits.requestsPerMinute + 1)
    jump(minuteMs - refusedMs)
  }
}

/**
 * Lets the seller authorise the hub again whenever its connection says so, until the signal.
 * Returns how often that was.
 */
export async function authoriseUntil (signal: AbortSignal, { call }: StockLine, marketA: MarketALine): Promise<number> {
  for (let authorised = 0;;) {
    if (!await waitUnless(signal, lookEveryMs)) return authorised
    try {
      const { status, statusReason } = (await call('GET', `/connections/${marketA.connectionId}`)).json as {
        status: string,
        statusReason: string | null
      }
      if (status !== 'error' || statusReason?.includes('re-authorise') !== true) continue
      await marketA.connect()
      authorised += 1
    } catch {
      // The hub is away.
    }
  }
}

async function waitUnless (signal: AbortSignal, ms: number): Promise<boolean> {
  return wait(ms, true, { signal }).catch(() => false)
}
