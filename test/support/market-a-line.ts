import { createClock, createRandom, startMktA, type Clock, type MktA } from '@linker/simulators'
import { eventually, type ApiClient } from './api.ts'
import { authoriseAt, callbackPath, makeApplication, platformOf } from './marketplace-a.ts'

/** Marketplace A beside marketplace B, for hubs that come and go. */
export interface MarketALine {
  market: MktA
  /** Its member of `platforms` in linker.config.json. */
  platform: Record<string, unknown>
  /** Empty until `connect`. */
  connectionId: string
  /** The seller authorises the hub; again when it lost its tokens. */
  connect(): Promise<void>
  /** Moves the marketplace's clock on. */
  jump(ms: number): void
  /** When something was by the clock of everybody else, in milliseconds. */
  realTime(at: string): number
}

export async function openMarketALine (hub: { call: ApiClient, url: string }, seed: number): Promise<MarketALine> {
  const clock = createClock()
  const application = makeApplication(`http://localhost${callbackPath}`)
  const market = await startMktA({ application, now: clock.now, random: createRandom(seed) })
  const { authorise } = authoriseAt(hub, application)
  const jumps = createJumps(clock)
  const line: MarketALine = {
    market,
    platform: platformOf(market, application).mkta,
    connectionId: '',
    async connect () {
      line.connectionId = await authorise(line.connectionId === '' ? {} : { connectionId: line.connectionId })
    },
    ...jumps
  }
  return line
}

function createJumps ({ now, advance }: Clock): Pick<MarketALine, 'jump' | 'realTime'> {
  const jumps: { landedAt: number, ms: number }[] = []
  return {
    jump (ms) {
      advance(ms)
      jumps.push({ landedAt: now().getTime(), ms })
    },
    realTime (at) {
      const time = Date.parse(at)
      return time - jumps.filter(({ landedAt }) => landedAt <= time).reduce((sum, { ms }) => sum + ms, 0)
    }
  }
}

const checkJob = 'mkta.quantityCommand.check'

/**
 * Waits until the hub knows what became of every quantity that marketplace A took: jobs for a later
 * time, which `idle` does not wait for, look at them.
 */
export async function waitForCommands (call: ApiClient, idle: () => Promise<void>): Promise<void> {
  for (;;) {
    await idle()
    const waiting = async (): Promise<unknown[]> =>
      (await call('GET', `/jobs?jobType=${checkJob}&status=waiting&limit=1`)).json as unknown[]
    if ((await waiting()).length === 0) return
    await eventually('the end of every command', async () => (await waiting()).length === 0 ? true : undefined)
  }
}
