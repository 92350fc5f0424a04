import type { Latency } from '@linker/simulators'
import { setTimeout as wait } from 'node:timers/promises'
import type { MarketALine } from '../support/market-a-line.ts'
import type { StockLine } from '../support/stock-line.ts'

/** The hub renews a minute before the end: a token is good for this less a minute. */
const accessTokenMs = 64_000
const burstEveryMs = 8_000
const refusedMs = 2_000
const minuteMs = 60_000
const lookEveryMs = 500

export interface MarketATroubles {
  /** No more bursts and faults. */
  end(): void
  /**
   * Ends the looks at the connection as well. Answers how often other users of the application used
   * up its limit, and how often the account had to be authorised again.
   */
  stop(): Promise<{ bursts: number, authorised: number }>
}

/**
 * Before it is connected: short lives for its tokens, so that several processes renew them during a
 * run.
 */
export function shortenTokens ({ marketA }: StockLine): void {
  if (marketA !== undefined) marketA.market.lifetimes.accessTokenMs = accessTokenMs
}

/**
 * Answers are lost after what was asked was done, requests are refused before, and other users of
 * the application use its limit up from time to time. Whoever kills a hub between the answer to a
 * refresh and its storing loses the pair: the seller then authorises the hub again, as the
 * connection asks for.
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

/** A refusal lasts a minute of the marketplace, most of which passes at once. */
async function burstUntil (signal: AbortSignal, { market, jump }: MarketALine): Promise<number> {
  for (let bursts = 0;; bursts += 1) {
    if (!await waitUnless(signal, burstEveryMs)) return bursts
    market.burst(market.limits.requestsPerMinute + 1)
    jump(minuteMs - refusedMs)
  }
}

async function authoriseUntil (signal: AbortSignal, { call }: StockLine, marketA: MarketALine): Promise<number> {
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
