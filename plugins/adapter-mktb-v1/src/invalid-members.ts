import { quoteAnswer, type FieldError } from '@linker/sdk'

const mostMembers = 10
const longestText = 300
/** The marketplace does not publish the form of a detail, so several names are tried. */
const pathNames = ['path', 'instancePath', 'dataPath', 'field', 'property', 'member']
const messageNames = ['message', 'polishMessage', 'errorMessage', 'reason']
/** The hub's names of the members of a new offer or a patch. */
const hubNames: ReadonlyMap<string, string> = new Map([
  ['name', 'title'],
  ['images', 'imageUrls'],
  ['stock', 'quantity']
])

/**
 * Reads which members of a body the marketplace refused, from `payload.details` of its answer: a
 * list of texts or objects, or an object with the members' names.
 */
export function readInvalidMembers (failure: object): FieldError[] {
  const details = memberOf(memberOf(failure, 'payload'), 'details')
  const found = Array.isArray(details)
    ? details.flatMap((detail: unknown) => readDetail(undefined, detail))
    : isObject(details)
    ? Object.entries(details).flatMap(([name, detail]) => readDetail(name, detail))
    : []
  return found.slice(0, mostMembers)
}

function readDetail (name: string | undefined, detail: unknown): FieldError[] {
  if (Array.isArray(detail)) return detail.flatMap((one: unknown) => readDetail(name, one))
  const path = name ?? pathNames.map(pathName => memberOf(detail, pathName)).find(isPath)
  const message = typeof detail === 'string'
    ? detail
    : messageNames.map(messageName => memberOf(detail, messageName)).find(text => typeof text === 'string')
  if (path === undefined && message === undefined) return []
  return [{
    pointer: path === undefined ? '' : pointerOf(path),
    code: 'invalid',
    message: quoteAnswer(String(message ?? 'is invalid'), { longest: longestText })
  }]
}

/** Accepts `/images/0/url`, `images.0.url`, `body.images[0].url` and `['images', 0, 'url']`. */
function pointerOf (path: string | readonly unknown[]): string {
  const parts = typeof path === 'string' ? path.split(/[/.[\]]+/) : path.map(String)
  const [first = '', ...rest] = parts.filter(part => part !== '')
  const [member = '', ...below] = first === 'body' ? rest : [first, ...rest]
  if (member === '') return ''
  return `/${[hubNames.get(member) ?? member, ...below].join('/')}`.slice(0, longestText)
}

function isPath (value: unknown): value is string | readonly unknown[] {
  return typeof value === 'string' || Array.isArray(value)
}

function memberOf (value: unknown, name: string): unknown {
  return isObject(value) ? Reflect.get(value, name) : undefined
}

function isObject (value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
