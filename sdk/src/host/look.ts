/** Looks at the value at `path` of a definition and returns its faults, one sentence each. */
export type Look = (value: unknown, path: string) => string[]

export const object = must('an object', isObject)
export const list = must('an array', Array.isArray)
export const text = must('a text', value => typeof value === 'string')
export const boolean = must('true or false', value => typeof value === 'boolean')
export const aFunction = must('a function', value => typeof value === 'function')
/** Accepts any value: the code that reads it reports its faults. */
export const anything: Look = () => []

/** Looks at each member that `Of` names, and refuses members that it does not name. */
export function membersOf<Of> (looks: { readonly [Member in keyof Required<Of>]: Look }): Look {
  const known = new Map<string, Look>(Object.entries(looks))
  return (value, path) => {
    if (!isObject(value)) return object(value, path)
    const unknown = Object.keys(value).filter(name => !known.has(name)).map(name =>
      unknownMember(path, name, [...known.keys()])
    )
    return [
      ...unknown,
      ...[...known].flatMap(([name, look]) => look(Reflect.get(value, name), path === '' ? name : `${path}.${name}`))
    ]
  }
}

export function eachOf (look: Look): Look {
  return (value, path) =>
    isObject(value)
      ? Object.entries(value).flatMap(([name, member]) => look(member, `${path}['${name}']`))
      : object(value, path)
}

export function listOf (look: Look): Look {
  return (value, path) =>
    Array.isArray(value) ? value.flatMap((item: unknown, index) => look(item, `${path}[${index}]`)) : list(value, path)
}

export function optional (look: Look): Look {
  return (value, path) => value === undefined ? [] : look(value, path)
}

export function oneOf (...values: readonly string[]): Look {
  return must(values.map(value => `'${value}'`).join(' or '), value => values.some(allowed => allowed === value))
}

export function must (allowed: string, is: (value: unknown) => boolean): Look {
  return (value, path) =>
    is(value) ? [] : [`its ${path} is ${value === undefined ? 'missing' : shown(value)}: ${allowed} is allowed`]
}

export function unknownMember (path: string, name: string, allowed: readonly string[]): string {
  return `its ${path === '' ? 'definition' : path} has an unknown member '${name}': allowed are ${allowed.join(', ')}`
}

export function isObject (value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shown (value: unknown): string {
  if (typeof value === 'string') return `'${value.slice(0, 80)}'`
  if (Array.isArray(value)) return 'an array'
  return value === null || ['number', 'boolean'].includes(typeof value) ? String(value) : `of the type ${typeof value}`
}
