import { createClock, createRandom, startMktA, type Clock, type MktA } from '@linker/simulators'
import { eventually, type ApiClient } from './api.ts'
import { authoriseAt, callbackPath, makeApplication, platformOf } from './marketplace-a.ts'

/** Marketplace A beside marketplace B, for a run that starts and kills hubs. */
export interface MarketALine {
  market: MktA
  /** `platforms.mkta` in linker.config.json. */
  platform: Record<string, unknown>
  /** Empty until `connect`. */
  connectionId: string
  /** Lets the seller authorise the hub; a second call renews lost tokens. */
  connect(): Promise<void>
  /** Advances the marketplace's clock. */
  jump(ms: number): void
  /** Converts a time of the marketplace's clock to real time, in milliseconds. */
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

/** The jobs that check commands, and the quantities that wait for the end of one. */
const jobTypes = ['mkta.quantityCommand.check', 'marketplace.offerQuantity.update']

/**
 * Waits until the hub knows the result of every quantity command, and none is left to send. These
 * jobs are due at a later time, and `idle` does not wait for such jobs.
 */
export async function waitForCommands (call: ApiClient, idle: () => Promise<void>): Promise<void> {
  const areWaiting = async (): Promise<boolean> => {
    const answers = await Promise.all(jobTypes.map(type => call('GET', `/jobs?jobType=${type}&status=waiting&limit=1`)))
    return answers.some(({ json }) => (json as unknown[]).length > 0)
  }
  for (;;) {
    await idle()
    if (!await areWaiting()) return
    await eventually('the end of every command', async () => await areWaiting() ? undefined : true)
  }
}
