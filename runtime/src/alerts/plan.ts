import type { Attention } from '../attention/look.ts'
import { attentionSeverities, type AttentionItem, type AttentionSeverity } from '../attention/schemas.ts'
import type { ChannelName } from './channel.ts'
import type { Message } from './message.ts'
import type { Telling } from './store.ts'

export interface TellingRules {
  channel: ChannelName
  /** Items that are less severe are not told. */
  leastSeverity: AttentionSeverity
  /** The same item is not told again within this time. */
  quietMs: number
  nowMs: number
}

/** An item that stands is told again after this time. */
export const reminderMs = 86_400_000

/** The end of an item is told after this time at the earliest: some come and go every minute. */
const settlingMs = 300_000

export type Plan = Pick<Message, 'fresh' | 'open' | 'recovered'>

/**
 * Says what a channel has to tell now. The end of an item is told only if its beginning was, some
 * time later, and only when the hub could look: an item of a kind that is unknown now counts as
 * standing.
 */
export function planTelling (
  { items, unknown }: Attention,
  tellings: readonly Telling[],
  { channel, leastSeverity, quietMs, nowMs }: TellingRules
): Plan {
  // A channel that fails cannot tell that it fails; the others tell it.
  const told = new Map(tellings.map(telling => [telling.key, telling]))
  const worth = items.filter(({ key, severity }) => key !== keyOfChannel(channel) && isAtLeast(severity, leastSeverity))
  const plan = { fresh: [] as AttentionItem[], open: [] as AttentionItem[], recovered: [] as AttentionItem[] }
  for (const item of worth) {
    const before = told.get(item.key)
    if (quietUntilMs(item, before, quietMs) > nowMs) continue
    if (before?.isOpen !== true || isWorse(item, before)) plan.fresh.push(item)
    else if (nowMs - Date.parse(before.toldAt) >= reminderMs) plan.open.push(item)
  }
  const standing = new Set(items.map(({ key }) => key))
  for (const { key, item, isOpen, toldAt } of tellings) {
    const isGone = isOpen && !standing.has(key) && !unknown.has(item.kind)
    if (isGone && nowMs - Date.parse(toldAt) >= settlingMs) plan.recovered.push(item)
  }
  return plan
}

/**
 * Until when an item is not told. An error that was told as recovered is told at once when it comes
 * back: people believe that all is well. A warning waits for the quiet time, because it may come
 * and go every minute.
 */
export function quietUntilMs (item: AttentionItem, before: Telling | undefined, quietMs: number): number {
  if (before === undefined || (!before.isOpen && item.severity === 'error')) return Number.NEGATIVE_INFINITY
  return Date.parse(before.toldAt) + quietMs
}

function isWorse (item: AttentionItem, before: Telling): boolean {
  return !isAtLeast(before.item.severity, item.severity)
}

export function keyOfChannel (channel: ChannelName): string {
  return `alert-channel:${channel}`
}

function isAtLeast (severity: AttentionSeverity, least: AttentionSeverity): boolean {
  return attentionSeverities.indexOf(severity) <= attentionSeverities.indexOf(least)
}

export function isEmpty ({ fresh, open, recovered }: Plan): boolean {
  return fresh.length + open.length + recovered.length === 0
}
