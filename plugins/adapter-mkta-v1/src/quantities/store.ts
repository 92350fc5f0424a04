import type { KeyValueStore } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import pMap from 'p-map'
import type { MarketplaceContext } from '../config.ts'
import { applyEvent, Command, isOpen, type CommandEvent } from './command.ts'

export const keptSeconds = 30 * 24 * 3_600
const mostListed = 1_000
const readAtOnce = 16
/** The wait before a check counts as lost: the job queue may be long. */
const graceMs = 2 * 60_000

/** The next check of an open command. It is stored until the command ends. */
const NextCheck = Type.Object({
  attempt: Type.Integer(),
  /** When the marketplace is asked next. A queued command has the time of its sending here. */
  dueAt: Type.String(),
  /** The marketplace answered a queued command, so it does not come to know it later. */
  isAnswered: Type.Optional(Type.Boolean())
})
type NextCheck = Static<typeof NextCheck>

/** A command for many offers that may still set its quantity. */
export interface OpenCommand {
  commandId: string
  command: Command
  check: NextCheck
}

const checkPrefix = 'quantity-open/'
const latePrefix = 'quantity-late/'
const lateSeconds = 2 * 3_600
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
 * Lists the commands for many offers that may still set their quantity. A queued command counts:
 * the marketplace may have accepted it and its answer was lost.
 */
export async function listOpenCommands (kv: KeyValueStore): Promise<OpenCommand[]> {
  const rows: { key: string, value: unknown }[] = []
  let after: string | undefined = sharedCheckPrefix
  while (after !== undefined) {
    const page: typeof rows = await kv.list({ prefix: sharedCheckPrefix, after, limit: mostListed })
    rows.push(...page)
    after = page.length < mostListed ? undefined : page.at(-1)?.key
  }
  const found = await pMap(rows, async ({ key, value: check }): Promise<OpenCommand[]> => {
    const commandId = key.slice(sharedCheckPrefix.length)
    const command = await readCommand(kv, commandId)
    const isThere = command !== undefined && isOpen(command) && Value.Check(NextCheck, check)
    return isThere ? [{ commandId, command, check }] : []
  }, { concurrency: readAtOnce })
  return found.flat()
}

/** Lists the checks of older commands for many offers that may still change this offer. */
export async function listEarlierChecks (
  kv: KeyValueStore,
  { offerIds: [offerId = ''], createdAt }: Command
): Promise<NextCheck[]> {
  const open = await listOpenCommands(kv)
  return open.flatMap(({ command, check }) =>
    command.createdAt <= createdAt && command.offerIds.includes(offerId) ? [check] : []
  )
}

/** Whether a check should have run so long ago that its job counts as lost. */
export function isOverdue ({ dueAt }: NextCheck, now: Date): boolean {
  return Date.parse(dueAt) < now.getTime() - graceMs
}

/** A check that counts as lost. */
export interface OverdueCheck {
  key: string
  commandId: string
  attempt: number
}

/** Lists the commands whose check counts as lost. */
export async function listOverdue (kv: KeyValueStore, now: Date): Promise<OverdueCheck[]> {
  const rows = await kv.list({ prefix: checkPrefix, limit: mostListed })
  return rows.flatMap(({ key, value }) =>
    Value.Check(NextCheck, value) && isOverdue(value, now)
      ? [{ key, commandId: key.slice(key.lastIndexOf('/') + 1), attempt: value.attempt }]
      : []
  )
}

/** Remembers a command that the hub gave up although the marketplace may still carry it out. */
export async function rememberLate (kv: KeyValueStore, commandId: string): Promise<void> {
  await kv.set(latePrefix + commandId, true, { ttlSeconds: lateSeconds })
}

export async function forgetLate (kv: KeyValueStore, commandId: string): Promise<void> {
  await kv.delete(latePrefix + commandId)
}

export async function listLate (kv: KeyValueStore): Promise<string[]> {
  const rows = await kv.list({ prefix: latePrefix, limit: mostListed })
  return rows.map(({ key }) => key.slice(latePrefix.length))
}

function commandKey (commandId: string): string {
  return `quantity-command/${commandId}`
}

// Two prefixes: `listOpenCommands` must not read the many offer writes.
function checkKey (commandId: string, { isOfferWrite }: Command): string {
  return (isOfferWrite ? `${checkPrefix}offer/` : sharedCheckPrefix) + commandId
}
