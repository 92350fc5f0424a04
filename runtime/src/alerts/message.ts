import { escapeUnprintable } from '@linker/sdk/host/text'
import type { AttentionItem } from '../attention/schemas.ts'
import { countOf } from '../words.ts'

/** A message to people on a channel. */
export interface Message {
  id: string
  /** `attention.test` tells nothing; it shows that the channel works. */
  type: 'attention.changed' | 'attention.test'
  at: Date
  /** Tells one hub from another: the host of its address, or of its machine. */
  hubName: string
  /** The address at which people find the hub, if the settings name it. */
  hub: string | undefined
  /** The page of the console that lists what needs a person, the worst first. */
  page: string | undefined
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
export function bodyOf ({ id, type, at, hub, page, fresh, open, recovered }: Message): string {
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
    ...(page === undefined ? {} : { page }),
    ...Object.fromEntries(Object.entries(lists).map(([name, items]) => [name, items.slice(0, mostInBody)])),
    omitted: Object.values(lists).reduce((sum, items) => sum + Math.max(0, items.length - mostInBody), 0)
  })
}

/** Makes the subject of a mail: one line. */
export function subjectOf ({ type, hubName, fresh, open, recovered }: Message): string {
  const mark = `[Linker ${escapeUnprintable(hubName)}]`
  if (type === 'attention.test') return `${mark} Test of the alerts`
  const parts = [
    ...worstOf(fresh, ({ title }) => title),
    ...fresh.length === 0 ? worstOf(open, ({ title }) => `still open: ${title}`) : countOfOpen(open),
    ...fresh.length + open.length === 0 ? worstOf(recovered, endedTitle) : countOfEnded(recovered)
  ]
  return `${mark} ${parts.join(', ')}`
}

/** Titles say what is wrong, so one alone would read as if it still were. */
function endedTitle ({ title }: AttentionItem): string {
  return `No longer: ${title}`
}

/** A subject has room for one title. The worst item is the first. */
function worstOf (items: readonly AttentionItem[], titleOf: (item: AttentionItem) => string): string[] {
  const [worst, ...others] = items
  if (worst === undefined) return []
  return [`${escapeUnprintable(titleOf(worst))}${others.length === 0 ? '' : ` and ${others.length} more`}`]
}

function countOfOpen ({ length }: readonly AttentionItem[]): string[] {
  return length === 0 ? [] : [`${length} still open`]
}

function countOfEnded ({ length }: readonly AttentionItem[]): string[] {
  return length === 0 ? [] : [`${length} recovered`]
}

/** Makes the text of a mail. */
export function textOf ({ type, at, hubName, hub, page, fresh, open, recovered }: Message): string {
  const from = hub === undefined ? `the hub on ${escapeUnprintable(hubName)}` : `the hub at ${hub}`
  if (type === 'attention.test') return `This is a test of ${from}. Alerts reach this address.\n`
  return [
    `Told by ${from} at ${at.toISOString()}. ${
      page === undefined ? '`linker attention`' : page
    } shows what is open now, and where to mend it.`,
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
