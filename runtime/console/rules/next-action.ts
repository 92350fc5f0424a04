import { pageOf } from './addresses.ts'

/** A request to the API of the hub, complete. */
export interface ApiCall {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  body: Readonly<Record<string, unknown>> | null
}

/** The next action of an explanation. Older hubs tell the command only. */
export interface NextAction {
  sentence: string
  command: string | null
  call?: ApiCall | null
}

/** How the console offers an action. `link` and `limit` need a choice, so they open a dialog. */
export type NextStep =
  | { kind: 'call', label: string, call: ApiCall }
  | { kind: 'look', label: string, href: string }
  | { kind: 'link' | 'limit' | 'none' }

type Make = (id: string, more: string) => ApiCall

const post = (path: string, body: ApiCall['body'] = null): ApiCall => ({ method: 'POST', path, body })
const get = (path: string): ApiCall => ({ method: 'GET', path, body: null })

// The commands that an explanation names, and the same as requests.
const commands: readonly (readonly [command: RegExp, make: Make])[] = [
  [/^linker jobs retry (\S+)$/, id => post(`/jobs/${id}/retry`)],
  [/^linker jobs show (\S+)$/, id => get(`/jobs/${id}`)],
  [/^linker orders retry (\S+)$/, id => post(`/orders/${id}/retry`)],
  [/^linker orders show (\S+)$/, id => get(`/orders/${id}`)],
  [/^linker offers refresh (\S+)$/, id => post(`/offers/${id}/refresh`)],
  [/^linker offers limit (\S+) --buffer 0$/, id => ({ method: 'PATCH', path: `/offers/${id}`, body: { buffer: 0 } })],
  [
    /^linker offers limit (\S+) --max-listed none$/,
    id => ({ method: 'PATCH', path: `/offers/${id}`, body: { maxListed: null } })
  ],
  [
    /^linker stock reconcile --connection (\S+) --dry-run$/,
    connectionId => post('/stock/reconcile', { connectionId, dryRun: true })
  ],
  [/^linker stock reconcile --connection (\S+)$/, connectionId => post('/stock/reconcile', { connectionId })],
  [/^linker connections enable (\S+)$/, id => ({ method: 'PATCH', path: `/connections/${id}/enable`, body: null })],
  [/^linker connections test (\S+)$/, id => post(`/connections/${id}/test`)],
  [/^linker connections diagnose (\S+)$/, id => get(`/connections/${id}/diagnostics`)],
  [/^linker connections upstream show (\S+)$/, id => get(`/connections/${id}/upstream`)],
  [/^linker connections resume (\S+)$/, id => post(`/connections/${id}/resume`)],
  [
    /^linker connections resume (\S+) --capability '?([A-Z][a-z][A-Za-z]*)'?$/,
    (id, capability) => post(`/connections/${id}/resume`, { capabilities: [capability] })
  ],
  [/^linker adapters$/, () => get('/adapters')]
]

// The words on the button of a request that changes something.
const labels: readonly (readonly [path: RegExp, label: string])[] = [
  [/^POST \/jobs\/[^/]+\/retry$/, 'Retry the job'],
  [/^POST \/orders\/[^/]+\/retry$/, 'Retry the order'],
  [/^POST \/offers\/[^/]+\/refresh$/, 'Read the offer again'],
  [/^DELETE \/offers\/[^/]+$/, 'Unlink the offer'],
  [/^POST \/stock\/reconcile$/, 'Compare now'],
  [/^PATCH \/connections\/[^/]+\/enable$/, 'Enable the connection'],
  [/^POST \/connections\/[^/]+\/test$/, 'Test the connection'],
  [/^POST \/connections\/[^/]+\/resume$/, 'Resume']
]

// The words on the link to a page.
const places: readonly (readonly [path: RegExp, label: string])[] = [
  [/^\/jobs\//, 'Open the job'],
  [/^\/orders\//, 'Open the order'],
  [/^\/connections\//, 'Open the connection'],
  [/^\/adapters/, 'Open the adapters']
]

/** Returns how the console offers the next action of an explanation. */
export function nextStepOf ({ command, call: given }: NextAction): NextStep {
  const call = given ?? callOfCommand(command ?? '')
  if (call === undefined) return stepWithoutCall(command ?? '')
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
  return { kind: command.startsWith('linker offers limit ') ? 'limit' : 'none' }
}

function callOfCommand (command: string): ApiCall | undefined {
  for (const [pattern, make] of commands) {
    const [, id = '', more = ''] = pattern.exec(command) ?? []
    if (pattern.test(command)) return make(id, more)
  }
  return undefined
}

function wordFor (words: readonly (readonly [RegExp, string])[], text: string): string | undefined {
  return words.find(([pattern]) => pattern.test(text))?.[1]
}
