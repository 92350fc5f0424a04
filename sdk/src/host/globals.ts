// Read these before any adapter runs: the code that looks for replaced built-ins must not use one.
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

// V8 calls it to format a stack. Libraries set it for a moment and then leave it undefined, whoever
// called them, so a change says nothing about the adapter.
const unwatched: PropertyKey = 'prepareStackTrace'

/** A global, or a member of a built-in, that was replaced. */
export interface ChangedGlobal {
  /** `JSON.parse`, `Array.prototype.map`. */
  name: string
  /** The value that replaced it. */
  value: unknown
  /** Whether the original value is back. */
  isBack: boolean
}

export interface GlobalsGuard {
  /**
   * Restores replaced members as far as possible, and returns each change once. A quick look
   * notices replaced functions; a thorough one also accessors and new members.
   */
  restore(look: 'quick' | 'thorough'): ChangedGlobal[]
}

interface Member {
  name: string
  object: object
  key: PropertyKey
  descriptor: PropertyDescriptor
}
/** An object, the prefix of its members' names, and the keys that it had. */
interface Watched {
  prefix: string
  object: object
  keys: PropertyKey[]
}

/**
 * Remembers the global object and the built-ins. The returned function lists the members that were
 * replaced since, and the new members of built-ins.
 */
export function watchGlobals (): () => string[] {
  const { members, watched } = takeSnapshot()
  return () => findChanges(members, watched).map(({ name }) => name)
}

/**
 * Remembers the global object and the built-ins, to restore later replacements. A quick look takes
 * some 30 microseconds.
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
      // An accessor has replaced it, and throws.
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

  /** Report a change that cannot be undone only once: the next look compares with the new value. */
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
    // Ignore new global variables: they harm nobody. A new member of a prototype appears in
    // everybody's objects.
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
    // The code that replaced it has made it unchangeable.
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
  // The prototypes without a global name: those of every typed array, iterator and generator.
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
