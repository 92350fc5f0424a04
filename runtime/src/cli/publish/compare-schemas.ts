import { escapePointer, literalsOf } from '@linker/sdk/host'
import { isDeepStrictEqual } from 'node:util'
import { isSchema, type Schema } from '../json-schema.ts'
import type { Change, Step } from './change.ts'

/** Whether others give the values to the adapter, or the adapter gives them to others. */
export type Direction = 'taken' | 'given'

/**
 * The effect of a difference on the values that a schema accepts. `narrower`: fewer values.
 * `unclear`: nobody can tell from the schemas alone.
 */
type Effect = 'narrower' | 'wider' | 'lost' | 'gained' | 'unclear' | 'noted' | 'described'

interface Difference {
  pointer: string
  effect: Effect
  message: string
}

const needed: Readonly<Record<Direction, Readonly<Record<Effect, Step>>>> = {
  taken: {
    narrower: 'major',
    wider: 'minor',
    lost: 'major',
    gained: 'minor',
    unclear: 'major',
    noted: 'minor',
    described: 'patch'
  },
  given: {
    narrower: 'minor',
    wider: 'major',
    lost: 'major',
    gained: 'minor',
    unclear: 'major',
    noted: 'minor',
    described: 'patch'
  }
}

/**
 * Compares two JSON Schemas member by member. What the schemas do not tell counts as a major step:
 * an author who knows better may still choose a smaller one.
 */
export function compareSchemas (place: string, before: object, after: object, direction: Direction): Change[] {
  return compare('', { ...before }, { ...after }).map(({ pointer, effect, message }) => ({
    step: needed[direction][effect],
    place: pointer === '' ? place : `${place} ${pointer}`,
    message
  }))
}

const structural = ['properties', 'required', 'items', 'additionalProperties']
const leastBounds = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const mostBounds = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']
const conditions = ['pattern', 'format', 'multipleOf', 'uniqueItems']
const texts = [
  'title',
  'description',
  'examples',
  'group',
  'unit',
  '$id',
  '$schema',
  '$comment',
  'errorMessage',
  'optionsFrom'
]
const notes = ['default', 'initial', 'secret', 'connection', 'deprecated', 'readOnly', 'writeOnly']

function compare (pointer: string, before: Schema, after: Schema): Difference[] {
  const [from, to] = [literalsOf(before), literalsOf(after)]
  if (from !== undefined && to !== undefined) {
    return [...compareLiterals(pointer, from, to), ...compareNotes(pointer, before, after)]
  }
  const handled = new Set(['type', ...structural, ...leastBounds, ...mostBounds, ...conditions, ...texts, ...notes])
  const others = keysOf(before, after).filter(key => !handled.has(key) && differs(before, after, key))
  return [
    ...compareTypes(pointer, before, after),
    ...compareBounds(pointer, before, after),
    ...compareConditions(pointer, before, after),
    ...compareMembers(pointer, before, after),
    ...compareItems(pointer, before, after),
    ...others.map(key => ({ pointer, effect: 'unclear' as const, message: `${key} differs` })),
    ...compareNotes(pointer, before, after)
  ]
}

function compareLiterals (pointer: string, from: readonly unknown[], to: readonly unknown[]): Difference[] {
  const missing = (values: readonly unknown[], others: readonly unknown[]): unknown[] =>
    values.filter(value => !others.some(other => isDeepStrictEqual(value, other)))
  return [
    ...missing(from, to).map(value => ({
      pointer,
      effect: 'narrower' as const,
      message: `the value ${textOf(value)} is gone`
    })),
    ...missing(to, from).map(value => ({
      pointer,
      effect: 'wider' as const,
      message: `the value ${textOf(value)} is new`
    }))
  ]
}

function compareTypes (pointer: string, before: Schema, after: Schema): Difference[] {
  if (!differs(before, after, 'type')) return []
  const [from, to] = [typesOf(before), typesOf(after)]
  const covers = (wide: readonly string[], narrow: readonly string[]): boolean =>
    wide.length === 0 ||
    narrow.length > 0 && narrow.every(type => wide.includes(type) || type === 'integer' && wide.includes('number'))
  const effect = covers(to, from) ? 'wider' : covers(from, to) ? 'narrower' : 'unclear'
  return [{ pointer, effect, message: `the type is ${describeTypes(to)}, was ${describeTypes(from)}` }]
}

/** No types means any type. */
function typesOf ({ type }: Schema): readonly string[] {
  if (Array.isArray(type)) return type as string[]
  return typeof type === 'string' ? [type] : []
}

const describeTypes = (types: readonly string[]): string => types.length === 0 ? 'any' : types.join(' or ')

function compareBounds (pointer: string, before: Schema, after: Schema): Difference[] {
  return [...leastBounds, ...mostBounds].filter(key => differs(before, after, key)).map(key => {
    const isLeast = leastBounds.includes(key)
    const [from, to] = [before, after].map(schema => {
      const bound = schema[key]
      if (typeof bound === 'number') return bound
      return isLeast ? -Infinity : Infinity
    }) as [number, number]
    const isNarrower = isLeast ? to > from : to < from
    return { pointer, effect: isNarrower ? 'narrower' : 'wider', message: describeValue(key, before, after) }
  })
}

function compareConditions (pointer: string, before: Schema, after: Schema): Difference[] {
  return conditions.filter(key => differs(before, after, key)).map(key => {
    const effectOfOne = before[key] === undefined ? 'narrower' : 'wider'
    const isOne = before[key] === undefined || after[key] === undefined
    return { pointer, effect: isOne ? effectOfOne : 'unclear', message: describeValue(key, before, after) }
  })
}

function compareMembers (pointer: string, before: Schema, after: Schema): Difference[] {
  const [from, to] = [membersOf(before), membersOf(after)]
  const differences = keysOf(from, to).flatMap((name): Difference[] => {
    const member = `${pointer}/${escapePointer(name)}`
    const [old, fresh] = [from, to].map(members => Object.hasOwn(members, name) ? members[name] : undefined)
    const [was, is] = [before, after].map(schema => requiredOf(schema).includes(name))
    if (old === undefined) {
      return [
        is === true
          ? { pointer: member, effect: 'narrower', message: 'is new and required' }
          : { pointer: member, effect: 'gained', message: 'is new' }
      ]
    }
    if (fresh === undefined) return [{ pointer: member, effect: 'lost', message: 'is gone' }]
    const need: Difference[] = was === is
      ? []
      : [
        is === true
          ? { pointer: member, effect: 'narrower', message: 'is required now' }
          : { pointer: member, effect: 'wider', message: 'is optional now' }
      ]
    return [...need, ...compare(member, old, fresh)]
  })
  return [...differences, ...compareUnknownMembers(pointer, before, after)]
}

/** An absent `additionalProperties` means `true`. */
function compareUnknownMembers (pointer: string, before: Schema, after: Schema): Difference[] {
  const [from = true, to = true] = [before.additionalProperties, after.additionalProperties]
  if (isDeepStrictEqual(from, to)) return []
  if (isSchema(from) && isSchema(to)) return compare(`${pointer}/*`, from, to)
  if (to === true || from === false) return [{ pointer, effect: 'wider', message: 'more unknown members may be there' }]
  return [{ pointer, effect: 'narrower', message: 'fewer unknown members may be there' }]
}

function compareItems (pointer: string, before: Schema, after: Schema): Difference[] {
  const { items: from } = before
  const { items: to } = after
  if (isDeepStrictEqual(from, to)) return []
  return isSchema(from) && isSchema(to)
    ? compare(`${pointer}/*`, from, to)
    : [{ pointer, effect: 'unclear', message: 'items differs' }]
}

function compareNotes (pointer: string, before: Schema, after: Schema): Difference[] {
  return [
    ...notes.filter(key => differs(before, after, key)).map(key => ({
      pointer,
      effect: 'noted' as const,
      message: describeValue(key, before, after)
    })),
    ...texts.filter(key => differs(before, after, key)).map(key => ({
      pointer,
      effect: 'described' as const,
      message: `its ${key} differs`
    }))
  ]
}

function describeValue (key: string, before: Schema, after: Schema): string {
  const [from, to] = [before[key], after[key]]
  if (from === undefined) return `${key} ${textOf(to)} is new`
  if (to === undefined) return `${key} ${textOf(from)} is gone`
  return `${key} is ${textOf(to)}, was ${textOf(from)}`
}

function membersOf ({ properties }: Schema): Readonly<Record<string, Schema>> {
  return isSchema(properties) ? properties as Record<string, Schema> : {}
}

function requiredOf ({ required }: Schema): readonly unknown[] {
  return Array.isArray(required) ? required : []
}

function keysOf (before: object, after: object): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()
}

const differs = (before: Schema, after: Schema, key: string): boolean => !isDeepStrictEqual(before[key], after[key])

const textOf = (value: unknown): string => JSON.stringify(value) ?? String(value)
