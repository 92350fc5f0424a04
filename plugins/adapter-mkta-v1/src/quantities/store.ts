import type { KeyValueStore } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { MarketplaceContext } from '../config.ts'
import { applyEvent, Command, isOpen, type CommandEvent } from './command.ts'

export const keptSeconds = 30 * 24 * 3_600
const mostListed = 1_000
/** The wait before a check counts as lost: the job queue may be long. */
const graceMs = 2 * 60_000

/** The next check of an open command. It is stored until the command ends. */
const NextCheck = Type.Object({ attempt: Type.Integer(), dueAt: Type.String() })
type NextCheck = Static<typeof NextCheck>

const checkPrefix = 'quantity-open/'
const sharedCheckPrefix = `${checkPrefix}command/`

export async function readCommand (kv: KeyValueStore, commandId: string): Promise<Command | undefined> {
  const command = await kv.get(commandKey(commandId))
  return Value.Check(Command, command) ? command : undefined
}

export async function writeCommand (kv: KeyValueStore, commandId: string, command: Command): Promise<void> {
  await kv.set(commandKey(commandId), command, { ttlSeconds: keptSeconds })
}

/** Moves a command by an event and stores it. Returns the command after the event. */
export async function moveCommand (
  { kv, clock }: MarketplaceContext,
  commandId: string,
  command: Command,
  event: CommandEvent
): Promise<Command> {
  const next = applyEvent(command, event, clock.now())
  await writeCommand(kv, commandId, next)
  if (!isOpen(next)) await kv.delete(checkKey(commandId, next))
  return next
}

export async function writeNextCheck (
  kv: KeyValueStore,
  commandId: string,
  command: Command,
  check: NextCheck
): Promise<void> {
  await kv.set(checkKey(commandId, command), check, { ttlSeconds: keptSeconds })
}

/**
 * Finds the checks of older commands for many offers that may still set the quantity of this offer.
 * A queued command counts: the marketplace may have accepted it and its answer was lost.
 */
async function* findEarlierChecks (
  kv: KeyValueStore,
  { offerIds: [offerId = ''], createdAt }: Command
): AsyncGenerator<NextCheck> {
  for (const { key, value } of await kv.list({ prefix: sharedCheckPrefix, limit: mostListed })) {
    const other = await readCommand(kv, key.slice(sharedCheckPrefix.length))
    if (other === undefined || !Value.Check(NextCheck, value)) continue
    if (isOpen(other) && other.createdAt <= createdAt && other.offerIds.includes(offerId)) yield value
  }
}

export async function listEarlierChecks (kv: KeyValueStore, command: Command): Promise<NextCheck[]> {
  const checks: NextCheck[] = []
  for await (const check of findEarlierChecks(kv, command)) checks.push(check)
  return checks
}

export async function hasEarlierCheck (kv: KeyValueStore, command: Command): Promise<boolean> {
  const { done } = await findEarlierChecks(kv, command).next()
  return done !== true
}

/** Whether a check should have run so long ago that its job counts as lost. */
export function isOverdue ({ dueAt }: NextCheck, now: Date): boolean {
  return Date.parse(dueAt) < now.getTime() - graceMs
}

/** Lists the commands whose check counts as lost. */
export async function listOverdue (
  kv: KeyValueStore,
  now: Date
): Promise<{ key: string, commandId: string, attempt: number }[]> {
  const rows = await kv.list({ prefix: checkPrefix, limit: mostListed })
  return rows.flatMap(({ key, value }) =>
    Value.Check(NextCheck, value) && isOverdue(value, now)
      ? [{ key, commandId: key.slice(key.lastIndexOf('/') + 1), attempt: value.attempt }]
      : []
  )
}

function commandKey (commandId: string): string {
  return `quantity-command/${commandId}`
}

// Two prefixes: `findEarlierChecks` must not read the many offer writes.
function checkKey (commandId: string, { isOfferWrite }: Command): string {
  return (isOfferWrite ? `${checkPrefix}offer/` : sharedCheckPrefix) + commandId
}
