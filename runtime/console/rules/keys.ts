/** The action of a key, as the list of keys shows it. No key changes anything at the hub. */
export interface KeyAction {
  keys: string
  does: string
}

/** Where `g` and then a letter leads. */
export const places: Readonly<Record<string, readonly [name: string, href: string]>> = {
  h: ['Overview', '/console/'],
  c: ['Connections', '/console/connections'],
  o: ['Offers', '/console/offers'],
  s: ['Stock', '/console/stock'],
  r: ['Orders', '/console/orders'],
  j: ['Jobs', '/console/jobs'],
  d: ['Deliveries', '/console/deliveries'],
  a: ['Adapters', '/console/adapters']
}

export const keyActions: readonly KeyAction[] = [
  { keys: '/', does: 'search' },
  { keys: '?', does: 'show this list' },
  ...Object.entries(places).map(([key, [name]]) => ({ keys: `g ${key}`, does: `go to ${name}` })),
  { keys: 'j, k', does: 'next or previous row' },
  { keys: 'Enter', does: 'open the row' },
  { keys: 'r', does: 'ask the hub again' },
  { keys: 'Escape', does: 'close a dialog' }
]

export type KeyCommand =
  | { kind: 'go', href: string }
  | { kind: 'search' | 'help' | 'refresh' | 'next' | 'previous' | 'wait' }

const single: Readonly<Record<string, KeyCommand['kind']>> = {
  '/': 'search',
  '?': 'help',
  'r': 'refresh',
  'j': 'next',
  'k': 'previous',
  'g': 'wait'
}

/** The command of a key. `isAfterG`: the key before was `g`. Undefined: the key means nothing. */
export function commandOf (key: string, isAfterG: boolean): KeyCommand | undefined {
  if (isAfterG) {
    const place = Object.hasOwn(places, key) ? places[key] : undefined
    return place === undefined ? undefined : { kind: 'go', href: place[1] }
  }
  const kind = Object.hasOwn(single, key) ? single[key] : undefined
  return kind === undefined ? undefined : { kind } as KeyCommand
}
