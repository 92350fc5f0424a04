import type { HttpClient, QuantityChange } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { createHash } from 'node:crypto'
import pMap from 'p-map'
import type { MarketplaceContext } from '../config.ts'
import { mayBeSoldOut } from '../offers/quantity.ts'
import { takeAllowance } from './allowance.ts'
import { findNewer, readEnding, writeChange } from './changes.ts'
import { deriveCommandId, hasFailed, newCommand, type Command } from './command.ts'
import { keptSeconds, readCommand, writeCommand } from './store.ts'
import { findUnderWay } from './under-way.ts'

const offersInOneCommand = 1_000
const storedAtOnce = 16

/** The command of a change. `sequence` counts how often its quantity changed between retries. */
const Membership = Type.Object({ commandId: Type.String(), quantity: Type.Integer(), sequence: Type.Integer() })
type Membership = Static<typeof Membership>

/**
 * `known`: the command into which an earlier attempt put the change. `sequence`: makes the next
 * command id when the known command is no longer usable.
 */
interface PlannedChange extends QuantityChange {
  known: string | undefined
  sequence: number
  isOfferWrite: boolean
}

/** A command, with the offers of this call that it carries. */
export interface PlannedCommand {
  commandId: string
  command: Command
  offerIds: readonly string[]
}

export interface Plan {
  commands: PlannedCommand[]
  /** Offers whose quantity waits for an open command, and for how long at first. */
  waiting: readonly Waiting[]
  /** Offers that are held back, because the marketplace limits the changes of a time. */
  limited: readonly Waiting[]
}

interface Waiting {
  offerId: string
  waitMs: number
}

/**
 * Returns the commands that carry the changes: those of an earlier attempt where they can be
 * repeated, and new ones for the other changes. All of them are stored before one is sent. An offer
 * has one open command at a time, because the marketplace carries them out in any order. A zero
 * does not wait: its check writes it again.
 */
export async function planCommands (
  http: HttpClient,
  context: MarketplaceContext,
  changes: readonly QuantityChange[]
): Promise<Plan> {
  const planned = await pMap(changes, change => planChange(context, change), { concurrency: storedAtOnce })
  const first = await takeRepeatable(context, planned)
  const underWay = await findUnderWay(http, context, offersOf(first.left.filter(({ quantity }) => quantity > 0)))
  // The search may have found that the marketplace has a command whose answer was lost.
  const second = await takeRepeatable(context, first.left)
  const waitOf = ({ externalId, quantity }: PlannedChange) => quantity === 0 ? undefined : underWay.get(externalId)
  const repeated = [...first.repeated, ...second.repeated]
  const groups = groupsOf(second.left.filter(change => waitOf(change) === undefined))
  const { allowed, limited } = await holdBack(context, repeated, groups)
  const added = await addCommands(context, allowed.groups)
  return {
    commands: [...allowed.repeated, ...added].map(({ commandId, command, changes }) => ({
      commandId,
      command,
      offerIds: offersOf(changes)
    })),
    limited,
    waiting: second.left.flatMap(change => {
      const waitMs = waitOf(change)
      return waitMs === undefined ? [] : [{ offerId: change.externalId, waitMs }]
    })
  }
}

/**
 * Holds back what the marketplace would refuse because of its limits: a refusal would rest all
 * requests of the user. A repeated command that was accepted is not sent again, and a write to one
 * offer has a limit of requests.
 */
async function holdBack (
  context: MarketplaceContext,
  repeated: readonly CommandOfChanges[],
  groups: readonly PlannedChange[][]
): Promise<{ allowed: { repeated: CommandOfChanges[], groups: PlannedChange[][] }, limited: Waiting[] }> {
  const waits = await takeAllowance(context, [
    ...repeated.map(({ command: { status, isOfferWrite, offerIds } }) =>
      status === 'queued' && !isOfferWrite ? offerIds.length : 0
    ),
    ...groups.map(changes => changes.every(({ isOfferWrite }) => !isOfferWrite) ? changes.length : 0)
  ])
  const waitOfGroup = (index: number) => waits[repeated.length + index]
  const limit = (changes: readonly PlannedChange[], waitMs: number | undefined): Waiting[] =>
    waitMs === undefined ? [] : offersOf(changes).map(offerId => ({ offerId, waitMs }))
  return {
    allowed: {
      repeated: repeated.filter((_, index) => waits[index] === undefined),
      groups: groups.filter((_, index) => waitOfGroup(index) === undefined)
    },
    limited: [
      ...repeated.flatMap(({ changes }, index) => limit(changes, waits[index])),
      ...groups.flatMap((changes, index) => limit(changes, waitOfGroup(index)))
    ]
  }
}

async function takeRepeatable (
  context: MarketplaceContext,
  planned: readonly PlannedChange[]
): Promise<{ repeated: CommandOfChanges[], left: PlannedChange[] }> {
  const repeated = await findRepeatable(context, planned)
  const taken = new Set(repeated.flatMap(({ changes }) => changes))
  return { repeated, left: planned.filter(change => !taken.has(change)) }
}

async function planChange (context: MarketplaceContext, change: QuantityChange): Promise<PlannedChange> {
  const { kv } = context
  const { externalId: offerId, quantity } = change
  const isOfferWrite = quantity === 0 || await mayBeSoldOut(context, offerId)
  const stored = await kv.get(membershipKey(change))
  if (!Value.Check(Membership, stored)) return { ...change, known: undefined, sequence: 0, isOfferWrite }
  const command = stored.quantity === quantity ? await readCommand(kv, stored.commandId) : undefined
  const name = { commandId: stored.commandId, offerId, quantity }
  const ending = command && (await readEnding(kv, { ...name, createdAt: command.createdAt }) ?? command)
  // A change that the marketplace refused or never finished needs a command with another id.
  const isAlive = ending !== undefined && !hasFailed(ending)
  return { ...change, known: isAlive ? stored.commandId : undefined, sequence: stored.sequence + 1, isOfferWrite }
}

interface CommandOfChanges {
  commandId: string
  command: Command
  changes: readonly PlannedChange[]
}

/**
 * Finds the commands of an earlier attempt that still carry the wanted quantities. A queued command
 * is sent again as a whole, so this call must contain each of its offers: an offer that was retried
 * alone may have another quantity by now.
 */
async function findRepeatable (
  { kv }: MarketplaceContext,
  planned: readonly PlannedChange[]
): Promise<CommandOfChanges[]> {
  const found = await pMap(
    [...Map.groupBy(planned, ({ known }) => known)],
    async ([commandId, all]): Promise<CommandOfChanges[]> => {
      const command = commandId === undefined ? undefined : await readCommand(kv, commandId)
      if (commandId === undefined || command === undefined || hasFailed(command)) return []
      const overtaken = await findNewer(kv, command.createdAt, offersOf(all))
      const changes = all.filter(({ externalId }) => !overtaken.has(externalId))
      const offerIds = new Set(offersOf(changes))
      const isRepeatable = command.status === 'queued'
        ? command.offerIds.every(offerId => offerIds.has(offerId))
        : changes.length > 0
      return isRepeatable ? [{ commandId, command, changes }] : []
    },
    { concurrency: storedAtOnce }
  )
  return found.flat()
}

/** Makes the commands for new changes and stores them before anything is sent. */
async function addCommands (
  { kv, clock }: MarketplaceContext,
  groups: readonly PlannedChange[][]
): Promise<CommandOfChanges[]> {
  const createdAt = clock.now().toISOString()
  const commands = groups.map(changes => {
    const [{ quantity, isOfferWrite } = { quantity: 0, isOfferWrite: true }] = changes
    const names = changes.map(({ commandId, sequence }) => sequence === 0 ? commandId : `${commandId}/${sequence}`)
    const command = newCommand({ quantity, isOfferWrite, offerIds: offersOf(changes), createdAt })
    return { commandId: deriveCommandId([...names.toSorted(), quantity].join('\n')), command, changes }
  })
  await pMap(
    commands.flatMap(({ commandId, changes }) => changes.map(change => ({ ...change, into: commandId }))),
    async change => {
      const { into: commandId, externalId: offerId, quantity, sequence } = change
      await writeChange(kv, { commandId, offerId, quantity, createdAt })
      await kv.set(membershipKey(change), { commandId, quantity, sequence } satisfies Membership, {
        ttlSeconds: keptSeconds
      })
    },
    { concurrency: storedAtOnce }
  )
  await pMap(commands, ({ commandId, command }) => writeCommand(kv, commandId, command), { concurrency: storedAtOnce })
  return commands
}

function groupsOf (planned: readonly PlannedChange[]): PlannedChange[][] {
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

function offersOf (changes: readonly QuantityChange[]): string[] {
  return [...new Set(changes.map(({ externalId }) => externalId))]
}

function membershipKey ({ commandId }: QuantityChange): string {
  return `quantity-change-of/${createHash('sha256').update(commandId).digest('base64url')}`
}
