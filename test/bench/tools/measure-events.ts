import type { Figures } from '../report/figures.ts'
import { cpuMicroseconds } from './measured-process.ts'
import type { OneJobHub } from './one-job-hub.ts'
import { useOfEach, type ServerFigure } from './server-meter.ts'

const warmUpEvents = 2_000

export type EventFigure = 'finished' | 'accepted' | 'cpu' | ServerFigure

/** Sends the first events, so that the code is compiled and all connections are open. */
export async function warmUp (hub: OneJobHub, connectionIds: readonly string[]): Promise<void> {
  const before = await countSucceeded(hub)
  await hub.send(hub.prepare(connectionIds, warmUpEvents))
  await hub.waitForSucceeded(before + warmUpEvents)
}

/**
 * Sends events and waits until their jobs have ended. CPU is that of all processes of the hub, in
 * microseconds for each event. The figures of servers that cannot be measured are absent.
 */
export async function measureEvents (
  hub: OneJobHub,
  connectionIds: readonly string[],
  events: number
): Promise<Figures<EventFigure>> {
  const cpu = (): number => hub.pids.reduce((sum, pid) => sum + cpuMicroseconds(pid), 0)
  const before = await countSucceeded(hub)
  const requests = hub.prepare(connectionIds, events)
  const serversBefore = await hub.readServers()
  const [cpuBefore, startedAt] = [cpu(), performance.now()]
  const accepted = await hub.send(requests)
  await hub.waitForSucceeded(before + events)
  const own = {
    finished: 1_000 * events / (performance.now() - startedAt),
    accepted,
    cpu: (cpu() - cpuBefore) / events
  }
  const figures = { ...own, ...useOfEach(serversBefore, await hub.readServers(), events) }
  return figures as Figures<EventFigure>
}

/** How many jobs of all processes have succeeded. */
export async function countSucceeded (hub: OneJobHub): Promise<number> {
  return (await hub.countSucceeded()).reduce((sum, one) => sum + one, 0)
}
