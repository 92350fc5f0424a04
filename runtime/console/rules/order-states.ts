import { stateWord } from './state-word.ts'
import { toneOf, type Tone } from './tones.ts'

type Choice = readonly [value: string, word: string]

/** The states of an order on its way, in the order in which they come. */
const way = ['pending', 'awaiting_mapping', 'ready', 'created', 'shipped', 'delivered'] as const

const words: Readonly<Record<string, string>> = {
  pending: 'waits for the payment',
  awaiting_mapping: 'a line has no variant',
  ready: 'on its way to the shop',
  created: 'in the shop',
  shipped: 'on its way to the buyer',
  delivered: 'at the buyer',
  failed: 'the shop refused it',
  cancelled: 'ended, for good',
  returned: 'returned by the buyer',
  elsewhere: 'others handle it'
}

export const orderStatuses: readonly Choice[] = Object.keys(words).map(status => [status, stateWord(status)])

export const orderProblems: readonly Choice[] = [
  ['any', 'any'],
  ['unmapped', 'a line has no variant'],
  ['not-created', 'not made in the shop'],
  ['routing', 'no route for its parcel'],
  ['parcel-not-made', 'parcel not made'],
  ['tracking-not-told', 'tracking not told'],
  ['status-not-told', 'status not told'],
  ['not-cancelled-in-shop', 'not cancelled in the shop'],
  ['placed-before', 'older than its connection'],
  ['cancelled-in-shop-only', 'cancelled in the shop only'],
  ['elsewhere-at-shop', 'shipped by the marketplace, and in the shop'],
  ['missing-in-shop', 'missing in the shop'],
  ['shop-reported', 'the shop reports a difference'],
  ['LNK_ORDER_CHANGED', 'changed after the shop got it'],
  ['gone', 'unknown at the marketplace'],
  ['connection-deleted', 'a connection is deleted']
]

export interface RailStep {
  name: string
  word: string
  state: 'past' | 'now' | 'troubled' | 'stopped' | 'next'
}

/**
 * The way of an order as steps. A state off the way, such as `failed`, stands where it left the
 * way: a failed order is behind `ready`; the others end it.
 */
export function railOf (status: string, problems: readonly string[] = []): RailStep[] {
  const at = way.findIndex(name => name === status)
  const calm = toneOfOrder(status, problems) === 'warn' ? 'troubled' : 'now'
  if (at !== -1) {
    return stepsOf(way.filter(name => name === status || name !== 'awaiting_mapping'), status, calm)
  }
  const before = status === 'failed' ? ['pending', 'ready'] : ['pending']
  const after = status === 'failed' ? ['created', 'shipped', 'delivered'] : []
  return stepsOf([...before, status, ...after], status, isQuiet(status) ? calm : 'stopped')
}

/** How the status of an order looks: with a problem, nothing looks well. */
export function toneOfOrder (status: string, problems: readonly string[]): Tone {
  const tone = toneOf(status)
  return problems.length === 0 || tone === 'bad' || status === 'elsewhere' ? tone : 'warn'
}

/** Whether a person can end its problems: those of an order that waits end when it goes on. */
export function canSettle (status: string, problems: readonly string[]): boolean {
  return problems.length > 0 && !retryable.includes(status)
}

/** Such an end is no failure. */
function isQuiet (status: string): boolean {
  return status === 'returned' || status === 'elsewhere'
}

function stepsOf (names: readonly string[], status: string, state: 'now' | 'troubled' | 'stopped'): RailStep[] {
  const at = names.indexOf(status)
  return names.map((name, index) => {
    const other = index < at ? 'past' as const : 'next' as const
    return { name, word: words[name] ?? name, state: index === at ? state : other }
  })
}

/** The thing that an order waits for, in one sentence. Undefined: for nothing. */
export function waitsFor ({ status, lines, problems, handledElsewhere = null }: {
  status: string,
  lines: readonly { variantId: string | null }[],
  problems: readonly string[],
  handledElsewhere?: string | null
}): string | undefined {
  if (handledElsewhere !== null) return `The hub reserves nothing, and the shop does not get it: ${handledElsewhere}.`
  const unmapped = lines.filter(({ variantId }) => variantId === null).length
  switch (status) {
    case 'pending':
      return 'It waits for the payment of the buyer, which the marketplace tells.'
    case 'awaiting_mapping':
      return unmapped === 0
        ? 'It waits for a reading of the marketplace.'
        : `It waits for a link: ${unmapped === 1 ? 'one line has' : `${unmapped} lines have`} no variant. ` +
          'Link the offer of the line; then the order goes on by itself.'
    case 'ready':
      return problems.length === 0
        ? 'It waits for the job that makes it in the shop.'
        : 'It waits for a person: see the problems.'
    case 'failed':
      return 'It waits for a person: mend what the shop refused, then retry it. Its pieces stay reserved until then.'
    default:
      return undefined
  }
}

const retryable = ['failed', 'awaiting_mapping', 'elsewhere']
const open = ['pending', 'awaiting_mapping', 'ready', 'created', 'failed']

/** `handledElsewhere`: who handles the order in place of the hub, for good. */
export function canRetry (status: string, handledElsewhere: string | null = null): boolean {
  return handledElsewhere === null && retryable.includes(status)
}

/** A cancelled order may be cancelled again: that repeats the parts that failed. */
export function canCancel (status: string, problems: readonly string[]): boolean {
  return open.includes(status) || (status === 'cancelled' && problems.length > 0)
}

/** Whether the data of the buyer may be removed: not while the hub still needs them. */
export function canForget (status: string, removedAt: string | null): boolean {
  return removedAt === null && !open.includes(status)
}

/** The members of an entry of the history in one text. */
export function describeDetail (detail: Readonly<Record<string, unknown>>): string {
  return Object.entries(detail)
    // The explanation says who dispatches, in words.
    .filter(([name]) => name !== 'processorKind' || detail.explanation === undefined)
    .map(([name, value]) => {
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
      return name === 'explanation' ? text : `${memberWords(name)} ${text}`
    })
    .join(', ')
}

/** The first of the problems, and how many more there are: a list has no room for all of them. */
export function firstOf ([first = '', ...more]: readonly string[]): string {
  return more.length === 0 ? first : `${first} (and ${more.length} more)`
}

/** The name of a member as words, such as `external id` for `externalId`. */
function memberWords (name: string): string {
  return name.replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
}
