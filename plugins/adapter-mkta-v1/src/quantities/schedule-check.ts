import type { MarketplaceContext } from '../config.ts'
import type { Command } from './command.ts'
import { writeNextCheck } from './store.ts'

export const checkJob = 'mkta.quantityCommand.check'
const firstWaitMs = 2_000
const longestWaitMs = 30_000

/** Schedules the next check: after 2 s, then after twice as long each time, up to 30 s. */
export async function scheduleCheck (
  { jobs, kv, clock }: MarketplaceContext,
  commandId: string,
  command: Command,
  attempt: number
): Promise<void> {
  const delayMs = Math.min(firstWaitMs * 2 ** (attempt - 1), longestWaitMs)
  const dueAt = new Date(clock.now().getTime() + delayMs).toISOString()
  await writeNextCheck(kv, commandId, command, { attempt, dueAt })
  await jobs.enqueue(checkJob, { commandId, attempt }, { key: `${commandId}:${attempt}`, delayMs })
}
