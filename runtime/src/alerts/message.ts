import { escapeUnprintable } from '@linker/sdk/host/text'
import type { AttentionItem } from '../attention/schemas.ts'
import { countOf } from '../words.ts'

/** A message to people on a channel. */
export interface Message {
  id: string
  /** `attention.test` tells nothing; it shows that the channel works. */
  type: 'attention.changed' | 'attention.test'
  at: Date
  /** The address at which people find the hub, if the settings name it. */
  hub: string | undefined
  /** Items that are new, or worse than when they were told. */
  fresh: readonly AttentionItem[]
  /** Items that were told long ago and still stand. */
  open: readonly AttentionItem[]
  /** Items that were told and are gone. */
  recovered: readonly AttentionItem[]
}

// A mail with more is not read to its end.
const mostInMail = 50
// Keeps the body far below the 256 KiB that receivers of the hub's own kind read.
const mostInBody = 100

/** Makes the body of a webhook. `omitted` counts the items that do not fit into it. */
export function bodyOf ({ id, type, at, hub, fresh, open, recovered }: Message): string {
  // The advice of an item that is gone would send people to work for nothing.
  const ended = recovered.map(item => ({
    ...item,
    severity: 'info',
    title: endedTitle(item),
    detail: 'This is over. No action is needed.'
  }))
  const lists = { new: fresh, open, recovered: ended }
  return JSON.stringify({
    schemaVersion: 1,
    eventId: id,
    eventType: type,
    occurredAt: at.toISOString(),
    ...(hub === undefined ? {} : { hub }),
    ...Object.fromEntries(Object.entries(lists).map(([name, items]) => [name, items.slice(0, mostInBody)])),
    omitted: Object.values(lists).reduce((sum, items) => sum + Math.max(0, items.length - mostInBody), 0)
  })
}

/** Makes the subject of a mail: one line. */
export function subjectOf ({ type, fresh, open, recovered }: Message): string {
  if (type === 'attention.test') return '[Linker] Test of the alerts'
  const parts = [
    titleOrCount(fresh, ({ title }) => title, 'new'),
    countIf(open, 'still open'),
    titleOrCount(recovered, endedTitle, 'recovered')
  ]
  return `[Linker] ${parts.filter(part => part !== '').join(', ')}`
}

/** Titles say what is wrong, so one alone would read as if it still were. */
function endedTitle ({ title }: AttentionItem): string {
  return `No longer: ${title}`
}

/** A subject has room for one title. */
function titleOrCount (
  items: readonly AttentionItem[],
  titleOf: (item: AttentionItem) => string,
  what: string
): string {
  const [only, ...others] = items
  return only !== undefined && others.length === 0 ? escapeUnprintable(titleOf(only)) : countIf(items, what)
}

function countIf (items: readonly AttentionItem[], what: string): string {
  return items.length === 0 ? '' : `${items.length} ${what}`
}

/** Makes the text of a mail. */
export function textOf ({ type, at, hub, fresh, open, recovered }: Message): string {
  const from = hub === undefined ? 'the hub' : `the hub at ${hub}`
  if (type === 'attention.test') return `This is a test of ${from}. Alerts reach this address.\n`
  return [
    `Told by ${from} at ${at.toISOString()}. \`linker attention\` shows what is open now.`,
    ...section('New', fresh),
    ...section('Still open', open),
    ...section('Recovered', recovered)
  ].join('\n\n') + '\n'
}

function section (heading: string, items: readonly AttentionItem[]): string[] {
  if (items.length === 0) return []
  const left = items.length - mostInMail
  return [
    heading.toUpperCase(),
    ...items.slice(0, mostInMail).map(item =>
      heading === 'Recovered' ? escapeUnprintable(endedTitle(item)) : describe(item)
    ),
    ...(left > 0 ? [`and ${countOf(left, 'other')}`] : [])
  ]
}

function describe ({ severity, title, since, detail }: AttentionItem): string {
  const head = `${severity}: ${title}${since === null ? '' : `, since ${since}`}`
  return `${escapeUnprintable(head)}\n${escapeUnprintable(detail)}`
}
