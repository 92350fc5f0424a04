import type { AttentionItem } from '../attention/schemas.ts'

export const hintKinds = ['jobs', 'connections', 'orders', 'attention'] as const
export type HintKind = (typeof hintKinds)[number]

/** The tables whose changes are hints. */
const kindsOfTables: ReadonlyMap<string, HintKind> = new Map([
  ['jobs', 'jobs'],
  ['connections', 'connections'],
  ['connection_pauses', 'connections'],
  ['connection_schedules', 'connections'],
  ['orders', 'orders'],
  ['order_lines', 'orders'],
  ['shipments', 'orders']
])

export const hintTables = [...kindsOfTables.keys()]

/** The facts that the hub compares with later ones to see a change. */
export interface Sight {
  /** How many rows were ever changed in each table. */
  changes: ReadonlyMap<string, string>
  /** The items that need a person, as one text. */
  attention: string
}

/** The kinds of which something differs between two sights. */
export function changedKinds (before: Sight, after: Sight): HintKind[] {
  const kinds = new Set<HintKind>()
  for (const [table, kind] of kindsOfTables) {
    if (before.changes.get(table) !== after.changes.get(table)) kinds.add(kind)
  }
  if (before.attention !== after.attention) kinds.add('attention')
  return hintKinds.filter(kind => kinds.has(kind))
}

/**
 * Returns a text that differs when the items changed: which there are, how grave they are, and how
 * many there are of each.
 */
export function textOfItems (items: readonly AttentionItem[]): string {
  return items.map(({ key, severity, count }) => `${key} ${severity} ${count}`).join('\n')
}

/** A hint as an event of the stream. */
export function eventOf (kind: HintKind): string {
  return `event: changed\ndata: ${JSON.stringify({ kind })}\n\n`
}
