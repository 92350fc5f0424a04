import type { KeyValueStore } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { createHash } from 'node:crypto'
import { CommandStatus, Standing, type Command } from './command.ts'
import { keptSeconds, readCommand } from './store.ts'

/** One quantity on its way to one offer, as the hub shows it. */
export const ChangeRecord = Type.Object({
  id: Type.String(),
  /** The marketplace's id of the command that this change is a part of. */
  commandId: Type.String(),
  offerId: Type.String(),
  quantity: Type.Integer(),
  status: CommandStatus,
  /** Why it was rejected or has failed. */
  error: Type.Union([Type.String(), Type.Null()]),
  createdAt: Type.String(),
  updatedAt: Type.String()
}, { additionalProperties: false })
export type ChangeRecord = Static<typeof ChangeRecord>

/** A change is the quantity of one offer of a command, with the values that hold for it alone. */
const Change = Type.Object({
  commandId: Type.String(),
  offerId: Type.String(),
  quantity: Type.Integer(),
  createdAt: Type.String(),
  ending: Type.Optional(Standing)
})
export type Change = Static<typeof Change>

const changePrefix = 'quantity-change/'
const listedAtOnce = 200
/** Limits the rows that a filter may skip in one reading. */
const mostPages = 20

/**
 * Lists the changes of a connection, newest first. `cursor`: the `nextCursor` of the page before,
 * or the `id` of its last change.
 */
export async function listChanges (
  kv: KeyValueStore,
  { status, limit, cursor }: { status?: CommandStatus | undefined, limit: number, cursor?: string | undefined }
): Promise<{ changes: ChangeRecord[], nextCursor?: string }> {
  const changes: ChangeRecord[] = []
  let last = cursor
  for (let page = 0; page < mostPages; page++) {
    const rows = await kv.list({
      prefix: changePrefix,
      order: 'descending',
      limit: listedAtOnce,
      after: last === undefined ? undefined : changePrefix + last
    })
    for (const record of await readRecords(kv, rows)) {
      last = record.id
      if (status !== undefined && record.status !== status) continue
      changes.push(record)
      if (changes.length === limit) return { changes, nextCursor: last }
    }
    if (rows.length < listedAtOnce) return { changes }
    last = rows.at(-1)?.key.slice(changePrefix.length)
  }
  return { changes, nextCursor: last }
}

async function readRecords (
  kv: KeyValueStore,
  rows: readonly { key: string, value: unknown }[]
): Promise<ChangeRecord[]> {
  const commands = new Map<string, Command | undefined>()
  const records: ChangeRecord[] = []
  for (const { key, value } of rows) {
    if (!Value.Check(Change, value)) continue
    if (!commands.has(value.commandId)) commands.set(value.commandId, await readCommand(kv, value.commandId))
    records.push(recordOf(key.slice(changePrefix.length), value, commands.get(value.commandId)))
  }
  return records
}

function recordOf (id: string, { ending, ...change }: Change, command: Command | undefined): ChangeRecord {
  const forgotten = {
    status: 'failed' as const,
    error: 'the result of the change is not known any more',
    updatedAt: change.createdAt
  }
  const { status, error, updatedAt } = ending ?? command ?? forgotten
  return { id, ...change, status, error, updatedAt }
}

export interface ChangeName {
  commandId: string
  offerId: string
  quantity: number
  createdAt: string
}

/** Stores a change. `ending` is given when the change ended differently from its command. */
export async function writeChange (kv: KeyValueStore, change: ChangeName, ending?: Standing): Promise<void> {
  await kv.set(changeKey(change), { ...change, ending }, { ttlSeconds: keptSeconds })
}

/** Returns the ending of a change that ended differently from its command. */
export async function readEnding (kv: KeyValueStore, change: ChangeName): Promise<Standing | undefined> {
  const stored = await kv.get(changeKey(change))
  return Value.Check(Change, stored) ? stored.ending : undefined
}

/** Whether another quantity was asked for the offer after this one. */
export async function isOvertaken (
  kv: KeyValueStore,
  { offerId, createdAt }: Pick<ChangeName, 'offerId' | 'createdAt'>
): Promise<boolean> {
  return (await findNewer(kv, createdAt, [offerId])).size > 0
}

/** Returns the offers for which another quantity was asked after `createdAt`, with the last one. */
export async function findNewer (
  kv: KeyValueStore,
  createdAt: string,
  offerIds: readonly string[]
): Promise<ReadonlyMap<string, Change>> {
  const sought = new Set(offerIds)
  const found = new Map<string, Change>()
  let after: string | undefined = `${changePrefix}${timeOf(createdAt)}`
  while (sought.size > 0 && after !== undefined) {
    const rows: { key: string, value: unknown }[] = await kv.list({ prefix: changePrefix, after, limit: 1_000 })
    for (const { value } of rows) {
      // Changes of the same millisecond are in no order.
      if (Value.Check(Change, value) && sought.has(value.offerId) && value.createdAt > createdAt) {
        found.set(value.offerId, value)
      }
    }
    after = rows.length < 1_000 ? undefined : rows.at(-1)?.key
  }
  return found
}

// The key begins with the time, which puts a list in order, and ends with a hash of the change, so
// that a repeat finds its record.
function changeKey ({ commandId, offerId, createdAt }: ChangeName): string {
  const name = createHash('sha256').update(`${commandId}\n${offerId}`).digest('hex').slice(0, 24)
  return `${changePrefix}${timeOf(createdAt)}-${name}`
}

function timeOf (createdAt: string): string {
  return String(Date.parse(createdAt)).padStart(15, '0')
}
