import { sendLoad } from './load.ts'
import { cpuMicroseconds } from './measured-process.ts'
import { receiverOf, wholeLimitOf, withHub, withLimit, type Receiver, type ReceiverOptions } from './receivers.ts'

/** Processor time that a server uses to accept an event, in microseconds. */
export interface AcceptCost {
  hub: number
  /** That of a server which only does what accepting cannot do without. */
  limit: number
}

export interface AcceptCostOptions extends ReceiverOptions {
  /** Whether further rounds are needless. */
  isEnough(costs: AcceptCost): boolean
}

const warmUpEvents = 10_000
const events = 5_000
const mostRounds = 3
const sockets = 50
const longestSeconds = 120

/**
 * Measures both servers in turns and returns the least of each, because other processes only add
 * to it. Each run has a fixed number of events: a busy machine would serve few in a fixed time, and
 * the figures would be those of code that is not compiled yet.
 */
export async function measureAcceptCost ({ isEnough, ...options }: AcceptCostOptions): Promise<AcceptCost> {
  return withLimit(
    wholeLimitOf(options.mode),
    options,
    async limit =>
      withHub({ ...options, role: 'http' }, async (hub, connectionIds) => {
        const receivers = { limit, hub: receiverOf(hub, connectionIds) }
        const costs = { limit: Number.POSITIVE_INFINITY, hub: Number.POSITIVE_INFINITY }
        for (const name of ['limit', 'hub'] as const) await send(receivers[name], warmUpEvents)
        for (let round = 0; round < mostRounds && !isEnough(costs); round += 1) {
          for (const name of ['limit', 'hub'] as const) {
            costs[name] = Math.min(costs[name], await measureOnce(receivers[name]))
          }
        }
        return costs
      })
  )
}

async function measureOnce (receiver: Receiver): Promise<number> {
  const before = cpuMicroseconds(receiver.pid)
  await send(receiver, events)
  return (cpuMicroseconds(receiver.pid) - before) / events
}

async function send ({ url, prepare }: Receiver, count: number): Promise<void> {
  const load = { url, requests: prepare(count), sockets, pipelining: 1, seconds: longestSeconds }
  const { accepted } = await sendLoad(load)
  if (accepted !== count) throw new Error(`only ${accepted} of ${count} events were accepted`)
}
