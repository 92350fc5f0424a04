import { Type, type Static } from '@sinclair/typebox'
import { createHash } from 'node:crypto'

/**
 * A command brings one quantity to its offers. The marketplace does the work after it accepted the
 * command, so the hub asks for the result later. A command that is `queued` or `accepted` is open.
 *
 *     new ──▶ queued ──accept──▶ accepted ──accept──▶ accepted
 *               │                   │
 *               ├──────finish───────┼──▶ succeeded
 *               ├──────refuse───────┼──▶ rejected
 *               └──────abandon──────┴──▶ failed
 *
 * A command for many offers is one of the marketplace's own. The quantity of an offer write goes
 * to its only offer instead, because the marketplace's commands refuse zero and sold-out offers.
 */
export const CommandStatus = Type.Union([
  Type.Literal('queued'),
  Type.Literal('accepted'),
  Type.Literal('succeeded'),
  Type.Literal('rejected'),
  Type.Literal('failed')
])
export type CommandStatus = Static<typeof CommandStatus>

export type CommandEvent =
  /** The marketplace took the command, or began an offer write, which the hub may repeat. */
  | { type: 'accept', operationId?: string | undefined }
  /** The work is done, or a newer quantity makes it needless. */
  | { type: 'finish', endedBy?: string }
  /** The marketplace gave a reason why it does not do the work. */
  | { type: 'refuse', error: string, endedBy?: string }
  /** The hub stops waiting, or finds that the command did not reach the marketplace. */
  | { type: 'abandon', error: string, endedBy?: string }

const whileOpen = { accept: 'accepted', finish: 'succeeded', refuse: 'rejected', abandon: 'failed' } as const
const transitions: Readonly<Record<CommandStatus, Partial<Record<CommandEvent['type'], CommandStatus>>>> = {
  queued: whileOpen,
  accepted: whileOpen,
  succeeded: {},
  rejected: {},
  failed: {}
}

/** How a command stands, or how the change of one offer ended when it differs from its command. */
export const Standing = Type.Object({
  status: CommandStatus,
  /** Why it was rejected or has failed. */
  error: Type.Union([Type.String(), Type.Null()]),
  updatedAt: Type.String()
})
export type Standing = Static<typeof Standing>

/**
 * The values that hold for all offers of a command. They are stored once and not with each offer,
 * as a thousand offers may change together.
 */
export const Command = Type.Object({
  quantity: Type.Integer(),
  offerIds: Type.Array(Type.String()),
  createdAt: Type.String(),
  ...Standing.properties,
  /** Whether the quantity is written to the one offer itself, and not by a command for many. */
  isOfferWrite: Type.Boolean(),
  /** The marketplace's id of its work on an offer write. */
  operationId: Type.Optional(Type.String()),
  /** The job that found the end of the command. */
  endedBy: Type.Optional(Type.String())
})
export type Command = Static<typeof Command>

export function newCommand (given: Pick<Command, 'quantity' | 'isOfferWrite' | 'offerIds' | 'createdAt'>): Command {
  return { ...given, status: 'queued', error: null, updatedAt: given.createdAt }
}

/** Whether an event can still move the command. */
export function isOpen ({ status }: Pick<Command, 'status'>): boolean {
  return Object.keys(transitions[status]).length > 0
}

/** Whether the command, or its change of one offer, ended without its quantity. */
export function hasFailed ({ status }: Pick<Command, 'status'>): boolean {
  return status === 'rejected' || status === 'failed'
}

/** Returns the command after an event. */
export function applyEvent (command: Command, event: CommandEvent, now: Date): Command {
  const status = transitions[command.status][event.type]
  if (status === undefined) throw new TypeError(`a command that is ${command.status} has no event '${event.type}'`)
  const standing = { status, error: 'error' in event ? event.error : null, updatedAt: now.toISOString() }
  if (event.type === 'accept') return { ...command, ...standing, operationId: event.operationId }
  return { ...command, ...standing, endedBy: event.endedBy ?? command.endedBy }
}

/**
 * Derives the id of a command at the marketplace. The same key gives the same UUID, so the
 * marketplace recognises a repeat.
 */
export function deriveCommandId (key: string): string {
  const hash = createHash('sha256').update(key).digest('hex')
  const variant = ((Number.parseInt(hash.charAt(15), 16) & 3) | 8).toString(16)
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `4${hash.slice(12, 15)}`,
    `${variant}${hash.slice(16, 19)}`,
    hash.slice(19, 31)
  ].join('-')
}
