import type { KeyValueStore } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { createHash } from 'node:crypto'

/**
 * The states of a quantity change:
 *
 *     queued ──the marketplace accepts it──▶ accepted ──its task succeeds──▶ succeeded
 *        │                                      ├──its task fails──▶ rejected
 *        │                                      └──the hub stops waiting──▶ failed
 *        ├──the marketplace refuses it──▶ rejected
 *        └──the answer is lost and the marketplace has no such command──▶ failed
 */
export const QuantityChangeStatus = Type.Union([
  Type.Literal('queued'),
  Type.Literal('accepted'),
  Type.Literal('succeeded'),
  Type.Literal('rejected'),
  Type.Literal('failed')
])
export type QuantityChangeStatus = Static<typeof QuantityChangeStatus>

/** One quantity on its way to one offer. */
export const QuantityChangeRecord = Type.Object({
  id: Type.String(),
  /** The marketplace's id of the command that this change is a part of. */
  commandId: Type.String(),
  offerId: Type.String(),
  quantity: Type.Integer(),
  status: QuantityChangeStatus,
  /** Why it was rejected or has failed. */
  error: Type.Union([Type.String(), Type.Null()]),
  createdAt: Type.String(),
  updatedAt: Type.String()
}, { additionalProperties: false })
export type QuantityChangeRecord = Static<typeof QuantityChangeRecord>

const Ending = {
  status: QuantityChangeStatus,
  error: Type.Union([Type.String(), Type.Null()]),
  updatedAt: Type.String()
}

/**
 * A command, with the values that hold for all of its offers. They are stored once and not with
 * each change, as a thousand offers may change together.
 */
const Command = Type.Object({
  quantity: Type.Integer(),
  offerIds: Type.Array(Type.String()),
  createdAt: Type.String(),
  ...Ending,
  /** Whether the quantity is written to the one offer itself, and not by a command for many. */
  isOfferWrite: Type.Boolean(),
  /** The marketplace's id of its work, for a quantity that is written to the offer itself. */
  operationId: Type.Optional(Type.String()),
  /** The job that found the end of the command. */
  endedBy: Type.Optional(Type.String())
})
export type Command = Static<typeof Command>

/** A change, with the values that hold for it alone. */
const Change = Type.Object({
  commandId: Type.String(),
  offerId: Type.String(),
  quantity: Type.Integer(),
  createdAt: Type.String(),
  ending: Type.Optional(Type.Object(Ending))
})
type Change = Static<typeof Change>

export const keptSeconds = 30 * 24 * 3_600
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
  { status, limit, cursor }: { status?: QuantityChangeStatus | undefined, limit: number, cursor?: string | undefined }
): Promise<{ changes: QuantityChangeRecord[], nextCursor?: string }> {
  const changes: QuantityChangeRecord[] = []
  let last = cursor
  for (let page = 0; page < mostPages; page++) {
    const rows = await kv.list({
      prefix: changePrefix,
      order: 'descending',
      limit: listedAtOnce,
      ...(last === undefined ? {} : { after: changePrefix + last })
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
  return { changes, ...(last === undefined ? {} : { nextCursor: last }) }
}

async function readRecords (
  kv: KeyValueStore,
  rows: readonly { key: string, value: unknown }[]
): Promise<QuantityChangeRecord[]> {
  const commands = new Map<string, Command | undefined>()
  const records: QuantityChangeRecord[] = []
  for (const { key, value } of rows) {
    if (!Value.Check(Change, value)) continue
    if (!commands.has(value.commandId)) commands.set(value.commandId, await readCommand(kv, value.commandId))
    records.push(recordOf(key.slice(changePrefix.length), value, commands.get(value.commandId)))
  }
  return records
}

function recordOf (id: string, { ending, ...change }: Change, command: Command | undefined): QuantityChangeRecord {
  const forgotten = {
    status: 'failed' as const,
    error: 'the result of the change is not known any more',
    updatedAt: change.createdAt
  }
  const { status, error, updatedAt } = ending ?? command ?? forgotten
  return { id, ...change, status, error, updatedAt }
}

export async function readCommand (kv: KeyValueStore, commandId: string): Promise<Command | undefined> {
  const command = await kv.get(commandKey(commandId))
  return Value.Check(Command, command) ? command : undefined
}

export async function writeCommand (kv: KeyValueStore, commandId: string, command: Command): Promise<void> {
  await kv.set(commandKey(commandId), command, { ttlSeconds: keptSeconds })
}

function commandKey (commandId: string): string {
  return `quantity-command/${commandId}`
}

export interface ChangeName {
  commandId: string
  offerId: string
  quantity: number
  createdAt: string
}

/** Stores a change. `ending` is given when the change ended differently from its command. */
export async function writeChange (kv: KeyValueStore, change: ChangeName, ending?: Change['ending']): Promise<void> {
  const stored = { ...change, ...(ending === undefined ? {} : { ending }) }
  await kv.set(changeKey(change), stored, { ttlSeconds: keptSeconds })
}

/** Answers the ending of a change that ended differently from its command. */
export async function readEnding (kv: KeyValueStore, change: ChangeName): Promise<Change['ending']> {
  const stored = await kv.get(changeKey(change))
  return Value.Check(Change, stored) ? stored.ending : undefined
}

/** Whether another quantity was asked for the offer after this one. */
export async function isOvertaken (
  kv: KeyValueStore,
  { offerId, createdAt }: Pick<ChangeName, 'offerId' | 'createdAt'>
): Promise<boolean> {
  return (await findOvertaken(kv, createdAt, [offerId])).size > 0
}

/** Answers the offers for which another quantity was asked after `createdAt`. */
export async function findOvertaken (
  kv: KeyValueStore,
  createdAt: string,
  offerIds: readonly string[]
): Promise<Set<string>> {
  const sought = new Set(offerIds)
  const found = new Set<string>()
  for (let after = `${changePrefix}${timeOf(createdAt)}`; found.size < sought.size;) {
    const rows = await kv.list({ prefix: changePrefix, after, limit: 1_000 })
    for (const { value } of rows) {
      // Changes of the same millisecond are in no order.
      if (Value.Check(Change, value) && sought.has(value.offerId) && value.createdAt > createdAt) {
        found.add(value.offerId)
      }
    }
    const last = rows.at(-1)
    if (rows.length < 1_000 || last === undefined) break
    after = last.key
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
