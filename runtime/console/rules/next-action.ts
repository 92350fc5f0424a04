import type { Schemas } from '@linker/client'
import { pageOf } from './addresses.ts'

/** The next action of an explanation: a sentence, a command, and a request where one does it. */
type NextAction = Schemas['OfferExplanation']['nextAction']
/** A request to the API of the hub, complete. */
export type ApiCall = NonNullable<NextAction['call']>

/** How the console offers an action. `link` and `limit` need a choice, so they open a dialog. */
export type NextStep =
  | { kind: 'call', label: string, call: ApiCall }
  | { kind: 'look', label: string, href: string }
  | { kind: 'link' | 'limit' | 'none' }

// The words on the button of a request that changes something.
const labels: readonly (readonly [path: RegExp, label: string])[] = [
  [/^POST \/jobs\/[^/]+\/retry$/, 'Retry the job'],
  [/^POST \/orders\/[^/]+\/retry$/, 'Retry the order'],
  [/^POST \/offers\/[^/]+\/refresh$/, 'Read the offer again'],
  [/^DELETE \/offers\/[^/]+$/, 'Unlink the offer'],
  [/^POST \/stock\/reconcile$/, 'Compare now'],
  [/^POST \/stock\/confirm$/, 'Confirm the stock'],
  [/^PATCH \/connections\/[^/]+\/enable$/, 'Enable the connection'],
  [/^POST \/connections\/[^/]+\/test$/, 'Test the connection'],
  [/^POST \/connections\/[^/]+\/resume$/, 'Resume']
]

// The words on the link to a page.
const places: readonly (readonly [path: RegExp, label: string])[] = [
  [/^\/jobs\//, 'Open the job'],
  [/^\/orders\//, 'Open the order'],
  [/^\/connections\//, 'Open the connection']
]

/** Returns how the console offers the next action of an explanation. */
export function nextStepOf ({ command, call }: Pick<NextAction, 'command' | 'call'>): NextStep {
  if (call === null) return stepWithoutCall(command ?? '')
  const { method, path, body } = call
  if (method === 'GET') return { kind: 'look', label: wordFor(places, path) ?? 'Look', href: pageOf(path) }
  // A dry run answers with a list, so it has a page of its own.
  if (path === '/stock/reconcile' && body?.dryRun === true) {
    return { kind: 'look', label: 'Compare the stock', href: compareHref(String(body.connectionId)) }
  }
  const label = method === 'PATCH' && body !== null && 'buffer' in body
    ? 'Remove the buffer'
    : wordFor(labels, `${method} ${path}`)
  return { kind: 'call', label: label ?? (body !== null && 'maxListed' in body ? 'Remove the limit' : 'Do it'), call }
}

/** The page that compares the stock of a connection with its platform. */
export function compareHref (connectionId: string): string {
  return `/console/stock?compare=${encodeURIComponent(connectionId)}`
}

function stepWithoutCall (command: string): NextStep {
  if (command.startsWith('linker offers link ')) return { kind: 'link' }
  if (command === 'linker adapters') return { kind: 'look', label: 'Open the adapters', href: '/console/adapters' }
  return { kind: command.startsWith('linker offers limit ') ? 'limit' : 'none' }
}

function wordFor (words: readonly (readonly [RegExp, string])[], text: string): string | undefined {
  return words.find(([pattern]) => pattern.test(text))?.[1]
}
