import { setTimeout as wait } from 'node:timers/promises'
import type { HubProcess } from '../support/hub-process.ts'
import type { StockLine } from '../support/stock-line.ts'

/** The longest wait for a moment: after this time it will not come any more. */
const patienceMs = 300_000
const longestUpMs = 2_500
/**
 * Writing many quantities to marketplace A takes seconds, and the hub gives a job up after four
 * processes died with it. Kills must leave such a job the time to finish.
 */
const longestUpWithAMs = 10_000

/**
 * Runs the processes of the hub: one with every role and, where processes can share the state, a
 * second one that is only a worker.
 */
export function createHubs (line: Pick<StockLine, 'mode' | 'marketA' | 'startHub'>) {
  const roles = line.mode === 'embedded' ? ['all' as const] : ['all' as const, 'worker' as const]
  const running = new Map<(typeof roles)[number], HubProcess>()
  const log: (readonly string[])[] = []
  let killed = 0

  async function startOne (role: (typeof roles)[number]): Promise<void> {
    const hub = await line.startHub(role)
    log.push(hub.log)
    running.set(role, hub)
  }

  return {
    log: () => log.flat(),
    killed: () => killed,
    async start () {
      for (const role of roles) await startOne(role)
    },
    /** Kills random processes one at a time, starts each again and then calls `between`. */
    async killAtRandom (
      kills: number,
      random: () => number,
      between: (killed: number) => Promise<unknown> = async () => undefined
    ) {
      while (killed < kills) {
        await wait(50 + random() * (line.marketA === undefined ? longestUpMs : longestUpWithAMs))
        const role = roles[Math.floor(random() * roles.length)] ?? 'all'
        await running.get(role)?.kill()
        await startOne(role)
        await between(killed)
        killed += 1
      }
    },
    /** Kills the process with every role once `isNow` says so; restarts it after `whileAway`. */
    async killWhen (moment: string, isNow: () => boolean, whileAway: () => Promise<unknown>) {
      const end = performance.now() + patienceMs
      while (!isNow()) {
        if (performance.now() > end) throw new Error(`${moment} did not come within ${patienceMs} ms`)
        await wait(1)
      }
      await running.get('all')?.kill()
      await whileAway()
      await startOne('all')
      killed += 1
    },
    /** Lets all processes stop by themselves. Returns their exit codes. */
    async stop () {
      const codes: (number | null)[] = []
      for (const hub of running.values()) codes.push(await hub.stop())
      running.clear()
      return codes
    },
    /** Kills all processes. */
    async end () {
      for (const hub of running.values()) await hub.kill()
      running.clear()
    }
  }
}
