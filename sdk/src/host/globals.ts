// Taken before any adapter runs: what looks for replaced built-ins must not use one.
const { getOwnPropertyDescriptor, defineProperty, getPrototypeOf, is } = Object
const { ownKeys, deleteProperty } = Reflect

const builtInNames = [
  'Array',
  'Object',
  'Function',
  'String',
  'Number',
  'Boolean',
  'Symbol',
  'BigInt',
  'Promise',
  'Map',
  'Set',
  'WeakMap',
  'WeakSet',
  'RegExp',
  'Date',
  'Error',
  'TypeError',
  'RangeError',
  'ArrayBuffer',
  'Uint8Array',
  'URL',
  'URLSearchParams',
  'AbortController',
  'AbortSignal',
  'TextEncoder',
  'TextDecoder',
  'JSON',
  'Math',
  'Reflect',
  'Atomics',
  'Intl',
  'Buffer',
  'EventTarget',
  'performance',
  'console'
]

// V8 asks it how a stack is written. Libraries set it for a moment and leave it behind undefined,
// whoever called them.
const unwatched: PropertyKey = 'prepareStackTrace'

/** A global, or a member of a built-in, that is another thing than it was. */
export interface ChangedGlobal {
  /** `JSON.parse`, `Array.prototype.map`. */
  name: string
  /** What stood in its place. */
  value: unknown
  /** Whether it is what it was again. */
  isBack: boolean
}

export interface GlobalsGuard {
  /**
   * Puts back what was replaced, as far as that can be done, and answers it: each change once. A
   * quick look sees functions that were replaced; a thorough one accessors and new members, too.
   */
  restore(look: 'quick' | 'thorough'): ChangedGlobal[]
}

interface Member {
  name: string
  object: object
  key: PropertyKey
  descriptor: PropertyDescriptor
}
/** An object, its name before a member of it, and the keys it had. */
interface Watched {
  prefix: string
  object: object
  keys: PropertyKey[]
}

/**
 * Remembers the global object and the built-ins; the answer tells what is another thing, or new in
 * a built-in, since.
 */
export function watchGlobals (): () => string[] {
  const { members, watched } = takeSnapshot()
  return () => findChanges(members, watched).map(({ name }) => name)
}

/**
 * Remembers the global object and the built-ins, to put back what is replaced later. A quick look
 * takes some 30 microseconds.
 */
export function guardGlobals (): GlobalsGuard {
  const { members, watched } = takeSnapshot()
  const quick = members.filter(({ descriptor }) =>
    typeof descriptor.value === 'function' || typeof descriptor.value === 'object'
  )
  // Columns: the quick look reads three arrays and calls nothing.
  const objects = quick.map(({ object }) => object as Record<PropertyKey, unknown>)
  const keys = quick.map(({ key }) => key)
  const values = quick.map(({ descriptor }): unknown => descriptor.value)

  function isChanged (): boolean {
    try {
      for (let index = 0; index < keys.length; index += 1) {
        const object = objects[index]
        const key = keys[index]
        if (object !== undefined && key !== undefined && object[key] !== values[index]) return true
      }
      return false
    } catch {
      // An accessor stands there now, and throws.
      return true
    }
  }

  return {
    restore (look) {
      if (look === 'quick' && !isChanged()) return []
      const changes = findChanges(members, watched)
      const changed: ChangedGlobal[] = []
      for (let index = 0; index < changes.length; index += 1) {
        const change = changes[index]
        if (change !== undefined) changed[changed.length] = putBack(change)
      }
      if (!changed.every(({ isBack }) => isBack)) adopt(changes)
      return changed
    }
  }

  /** What cannot be put back is told once: the next look compares with it. */
  function adopt (changes: readonly Change[]): void {
    for (const { object, key } of changes) {
      const now = getOwnPropertyDescriptor(object, key)
      const member = members.find(member => member.object === object && member.key === key)
      if (member === undefined) watched.find(built => built.object === object)?.keys.push(key)
      else if (now !== undefined) member.descriptor = now
      const at = quick.findIndex(member => member.object === object && member.key === key)
      if (at !== -1) values[at] = now?.value
    }
  }
}

interface Change {
  name: string
  object: object
  key: PropertyKey
  before: PropertyDescriptor | undefined
  now: PropertyDescriptor | undefined
}

function findChanges (members: readonly Member[], watched: readonly Watched[]): Change[] {
  const changes: Change[] = []
  for (let index = 0; index < members.length; index += 1) {
    const member = members[index]
    if (member === undefined) continue
    const { name, object, key, descriptor } = member
    const now = getOwnPropertyDescriptor(object, key)
    if (!isSame(descriptor, now)) changes[changes.length] = { name, object, key, before: descriptor, now }
  }
  for (let index = 0; index < watched.length; index += 1) {
    const built = watched[index]
    // A new global variable harms nobody; a new member of a prototype appears in everybody's
    // objects.
    if (built !== undefined && built.prefix !== '') addNewMembers(built, changes)
  }
  return changes
}

function addNewMembers ({ prefix, object, keys }: Watched, changes: Change[]): void {
  const present = ownKeys(object)
  for (let index = 0; index < present.length; index += 1) {
    const key = present[index]
    if (key !== undefined && key !== unwatched && !has(keys, key)) {
      changes[changes.length] = {
        name: `${prefix}${String(key)}`,
        object,
        key,
        before: undefined,
        now: getOwnPropertyDescriptor(object, key)
      }
    }
  }
}

function has (keys: readonly PropertyKey[], wanted: PropertyKey): boolean {
  for (let index = 0; index < keys.length; index += 1) if (keys[index] === wanted) return true
  return false
}

function isSame (before: PropertyDescriptor, now: PropertyDescriptor | undefined): boolean {
  return now !== undefined && is(before.value, now.value) && before.get === now.get && before.set === now.set
}

function putBack ({ name, object, key, before, now }: Change): ChangedGlobal {
  const value: unknown = now?.value ?? now?.get
  try {
    if (before === undefined) deleteProperty(object, key)
    else defineProperty(object, key, before)
  } catch {
    // Made unchangeable by whoever replaced it.
  }
  const after = getOwnPropertyDescriptor(object, key)
  return { name, value, isBack: before === undefined ? after === undefined : isSame(before, after) }
}

function takeSnapshot (): { members: Member[], watched: Watched[] } {
  const watched: Watched[] = [{ prefix: '', object: globalThis, keys: [] }]
  for (const name of builtInNames) {
    const builtIn: unknown = Reflect.get(globalThis, name)
    if ((typeof builtIn !== 'function' && typeof builtIn !== 'object') || builtIn === null) continue
    watched.push({ prefix: `${name}.`, object: builtIn, keys: ownKeys(builtIn) })
    const prototype: unknown = Reflect.get(builtIn, 'prototype')
    if (typeof prototype === 'object' && prototype !== null || typeof prototype === 'function') {
      watched.push({ prefix: `${name}.prototype.`, object: prototype, keys: ownKeys(prototype) })
    }
  }
  // Those that have no name: what every typed array, iterator and generator has.
  const unnamed: [string, object | null][] = [['TypedArray.prototype.', getPrototypeOf(Uint8Array.prototype)], [
    'Iterator.prototype.',
    getPrototypeOf(getPrototypeOf([][Symbol.iterator]()) as object)
  ]]
  for (const [prefix, object] of unnamed) if (object !== null) watched.push({ prefix, object, keys: ownKeys(object) })
  return {
    watched,
    members: watched.flatMap(({ prefix, object }) => ownKeys(object).flatMap(key => memberOf(prefix, object, key)))
  }
}

function memberOf (prefix: string, object: object, key: PropertyKey): Member[] {
  const descriptor = getOwnPropertyDescriptor(object, key)
  if (descriptor === undefined || key === unwatched) return []
  const isBuiltInObject = prefix === '' && typeof descriptor.value === 'object' && descriptor.value !== null &&
    builtInNames.includes(String(key))
  // Node defines many globals lazily: reading one replaces its getter, and that is nobody's patch.
  const isAccessor = prefix !== '' && descriptor.value === undefined && (descriptor.get ?? descriptor.set) !== undefined
  return typeof descriptor.value === 'function' || isBuiltInObject || isAccessor
    ? [{ name: `${prefix}${String(key)}`, object, key, descriptor }]
    : []
}
