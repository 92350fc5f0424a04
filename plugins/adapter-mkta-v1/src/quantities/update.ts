import {
  AdapterErrorCode,
  isAdapterError,
  type AdapterError,
  type HttpClient,
  type QuantityChange,
  type StockWriteResult
} from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { createHash } from 'node:crypto'
import type { MarketplaceContext } from '../config.ts'
import { inParallel } from '../in-parallel.ts'
import { isOfferId } from '../offers/path.ts'
import { mayBeSoldOut } from '../offers/quantity.ts'
import {
  findOvertaken,
  keptSeconds,
  readCommand,
  readEnding,
  writeChange,
  writeCommand,
  type Command
} from './changes.ts'
import { deriveCommandId } from './command-id.ts'
import { writeOpen } from './open.ts'
import { sendCommand } from './send.ts'

const largestQuantity = 2_000_000_000
const offersInOneCommand = 1_000
const storedAtOnce = 16
const commandsAtOnce = 4

/** The command of a change. `sequence` counts how often its quantity changed between retries. */
const Membership = Type.Object({ commandId: Type.String(), quantity: Type.Integer(), sequence: Type.Integer() })
type Membership = Static<typeof Membership>

/**
 * Sets quantities. Up to a thousand offers that get the same quantity share one command. The
 * quantity 0, and any quantity of an offer that may be sold out, is written to the offer itself. A
 * retry repeats the same command as long as the wanted quantity is the same: the marketplace takes
 * each command id once.
 */
export async function updateQuantities (
  http: HttpClient,
  context: MarketplaceContext,
  changes: readonly QuantityChange[]
): Promise<StockWriteResult[]> {
  const refused = changes.flatMap(change => {
    const problem = problemOf(change)
    return problem === undefined ? [] : [failed(change.externalId, AdapterErrorCode.rejected, problem)]
  })
  const valid = changes.filter(change => problemOf(change) === undefined)
  const planned = await inParallel(valid, storedAtOnce, change => plan(context, change))
  const former = await findRepeatable(context, planned)
  const repeated = new Set(former.flatMap(({ changes }) => changes))
  const commands = [...former, ...await begin(context, planned.filter(change => !repeated.has(change)))]
  const ends = await inParallel(commands, commandsAtOnce, async ({ commandId, command, changes }) => ({
    offerIds: offersOf(changes),
    error: await attempt(http, context, commandId, command)
  }))

  const errors = ends.flatMap(({ error }) => error === undefined ? [] : [error])
  // Throw a rate limit first: only a thrown error carries the length of the pause.
  const [first] = errors.toSorted((a, b) =>
    Number(b.code === AdapterErrorCode.rateLimited) - Number(a.code === AdapterErrorCode.rateLimited)
  )
  if (first !== undefined && errors.length === ends.length && refused.length === 0) throw first
  return [
    ...refused,
    ...ends.flatMap(({ offerIds, error }) =>
      offerIds.map(offerId =>
        error === undefined
          ? { externalId: offerId, applied: ['stock'], frozen: [] }
          : failed(offerId, error.code, error.message)
      )
    )
  ]
}

/**
 * `known`: the command into which an earlier attempt put the change. `sequence`: makes the next
 * command id when the known command is no longer usable.
 */
interface Planned extends QuantityChange {
  known: string | undefined
  sequence: number
  isOfferWrite: boolean
}

/** A command, with the changes of this call that it carries. */
interface Named {
  commandId: string
  command: Command
  changes: readonly Planned[]
}

async function plan (context: MarketplaceContext, change: QuantityChange): Promise<Planned> {
  const { kv } = context
  const { externalId: offerId, quantity } = change
  const isOfferWrite = quantity === 0 || await mayBeSoldOut(context, offerId)
  const stored = await kv.get(membershipKey(change))
  if (!Value.Check(Membership, stored)) return { ...change, known: undefined, sequence: 0, isOfferWrite }
  const command = stored.quantity === quantity ? await readCommand(kv, stored.commandId) : undefined
  const name = { commandId: stored.commandId, offerId, quantity }
  const ending = command && (await readEnding(kv, { ...name, createdAt: command.createdAt }) ?? command)
  // A change that the marketplace refused or never finished needs a command with another id.
  const isAlive = ending !== undefined && ending.status !== 'rejected' && ending.status !== 'failed'
  return { ...change, known: isAlive ? stored.commandId : undefined, sequence: stored.sequence + 1, isOfferWrite }
}

/**
 * Finds the commands of an earlier attempt that still carry the wanted quantities. A queued command
 * is sent again as a whole, so this call must contain each of its offers: an offer that was retried
 * alone may have another quantity by now.
 */
async function findRepeatable ({ kv }: MarketplaceContext, planned: readonly Planned[]): Promise<Named[]> {
  const found = await inParallel(
    [...Map.groupBy(planned, ({ known }) => known)],
    storedAtOnce,
    async ([commandId, all]): Promise<Named[]> => {
      const command = commandId === undefined ? undefined : await readCommand(kv, commandId)
      if (commandId === undefined || command === undefined) return []
      const overtaken = await findOvertaken(kv, command.createdAt, offersOf(all))
      const changes = all.filter(({ externalId }) => !overtaken.has(externalId))
      const offerIds = new Set(offersOf(changes))
      const isRepeatable = command.status === 'queued'
        ? command.offerIds.every(offerId => offerIds.has(offerId))
        : changes.length > 0
      return isRepeatable ? [{ commandId, command, changes }] : []
    }
  )
  return found.flat()
}

function offersOf (changes: readonly QuantityChange[]): string[] {
  return [...new Set(changes.map(({ externalId }) => externalId))]
}

/** Makes the commands for new changes and stores them before anything is sent. */
async function begin ({ kv, clock }: MarketplaceContext, planned: readonly Planned[]): Promise<Named[]> {
  const createdAt = clock.now().toISOString()
  const commands = groupsOf(planned).map(changes => {
    const [{ quantity, isOfferWrite } = { quantity: 0, isOfferWrite: true }] = changes
    const names = changes.map(({ commandId, sequence }) => sequence === 0 ? commandId : `${commandId}/${sequence}`)
    const command: Command = {
      quantity,
      isOfferWrite,
      offerIds: offersOf(changes),
      createdAt,
      status: 'queued',
      error: null,
      updatedAt: createdAt
    }
    return { commandId: deriveCommandId([...names.toSorted(), quantity].join('\n')), command, changes }
  })
  await inParallel(
    commands.flatMap(({ commandId, changes }) => changes.map(change => ({ ...change, into: commandId }))),
    storedAtOnce,
    async change => {
      const { into: commandId, externalId: offerId, quantity, sequence } = change
      await writeChange(kv, { commandId, offerId, quantity, createdAt })
      await kv.set(membershipKey(change), { commandId, quantity, sequence } satisfies Membership, {
        ttlSeconds: keptSeconds
      })
    }
  )
  await inParallel(commands, storedAtOnce, async ({ commandId, command }) => {
    await writeCommand(kv, commandId, command)
    // Store the check before sending: if the answer is lost, the marketplace may have accepted the
    // command. The job repeats a write to the offer itself.
    if (!command.isOfferWrite) await writeOpen(kv, commandId, command, { attempt: 1, dueAt: createdAt })
  })
  return commands
}

function groupsOf (planned: readonly Planned[]): Planned[][] {
  const ofOne = planned.filter(({ isOfferWrite }) => isOfferWrite).map(change => [change])
  const byQuantity = Map.groupBy(planned.filter(({ isOfferWrite }) => !isOfferWrite), ({ quantity }) => quantity)
  return [...ofOne, ...[...byQuantity.values()].flatMap(changes => chunksOf(changes, offersInOneCommand))]
}

function chunksOf<Item> (items: readonly Item[], size: number): Item[][] {
  return Array.from(
    { length: Math.ceil(items.length / size) },
    (_, index) => items.slice(index * size, (index + 1) * size)
  )
}

async function attempt (
  http: HttpClient,
  context: MarketplaceContext,
  commandId: string,
  command: Command
): Promise<AdapterError | undefined> {
  try {
    await sendCommand(http, context, commandId, command)
    return undefined
  } catch (error) {
    if (isAdapterError(error)) return error
    throw error
  }
}

function membershipKey ({ commandId }: QuantityChange): string {
  return `quantity-change-of/${createHash('sha256').update(commandId).digest('base64url')}`
}

function problemOf ({ externalId, quantity }: QuantityChange): string | undefined {
  if (!isOfferId(externalId)) return `'${externalId.toWellFormed().slice(0, 64)}' cannot be the id of an offer`
  if (Number.isInteger(quantity) && quantity >= 0 && quantity <= largestQuantity) return undefined
  return `${quantity} is not a quantity: it must be a whole number from 0 to ${largestQuantity}`
}

function failed (externalId: string, code: AdapterErrorCode, message: string): StockWriteResult {
  return { externalId, applied: [], frozen: [], error: { code, message } }
}
