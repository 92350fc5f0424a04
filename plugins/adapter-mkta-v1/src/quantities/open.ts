import type { KeyValueStore } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { keptSeconds, readCommand, type Command } from './changes.ts'

/** The next check of a command. */
const Open = Type.Object({ attempt: Type.Integer(), dueAt: Type.String() })
type Open = Static<typeof Open>

const prefix = 'quantity-open/'
const commandPrefix = `${prefix}command/`
const mostListed = 1_000

export async function writeOpen (kv: KeyValueStore, commandId: string, command: Command, open: Open): Promise<void> {
  await kv.set(keyOf(commandId, command), open, { ttlSeconds: keptSeconds })
}

export async function deleteOpen (kv: KeyValueStore, commandId: string, command: Command): Promise<void> {
  await kv.delete(keyOf(commandId, command))
}

/**
 * Whether an older command for many offers may still set the quantity of this offer. A queued
 * command counts: the marketplace may have accepted it and its answer was lost.
 */
export async function hasEarlierCommand (
  kv: KeyValueStore,
  { offerIds: [offerId = ''], createdAt }: Command
): Promise<boolean> {
  for (const { key } of await kv.list({ prefix: commandPrefix, limit: mostListed })) {
    const other = await readCommand(kv, key.slice(commandPrefix.length))
    if (other === undefined) continue
    const isOpen = other.status === 'queued' || other.status === 'accepted'
    if (isOpen && other.createdAt <= createdAt && other.offerIds.includes(offerId)) return true
  }
  return false
}

/** Lists the commands whose check was due before `time`. */
export async function listOverdue (
  kv: KeyValueStore,
  time: Date
): Promise<{ key: string, commandId: string, attempt: number }[]> {
  const rows = await kv.list({ prefix, limit: mostListed })
  return rows.flatMap(({ key, value }) =>
    Value.Check(Open, value) && Date.parse(value.dueAt) < time.getTime()
      ? [{ key, commandId: key.slice(key.lastIndexOf('/') + 1), attempt: value.attempt }]
      : []
  )
}

// Two prefixes: `hasEarlierCommand` must not read the many changes of single offers.
function keyOf (commandId: string, { isOfferWrite }: Command): string {
  return (isOfferWrite ? `${prefix}offer/` : commandPrefix) + commandId
}
