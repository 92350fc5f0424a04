import type { Field } from './fields-of.ts'

export type Values = Readonly<Record<string, unknown>>

export interface FieldProblem {
  pointer: string
  code?: string
  message: string
}

/** The values with one member changed. Undefined removes the member. */
export function withMember (values: Values, name: string, value: unknown): Values {
  if (value !== undefined) return { ...values, [name]: value }
  return Object.fromEntries(Object.entries(values).filter(([other]) => other !== name))
}

/** A JSON pointer (RFC 6901) to a member. */
export function pointerTo (parent: string, name: string | number): string {
  return `${parent}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The problems of the value at a pointer. `isDeep`: also those of its members. */
export function problemsAt (
  problems: readonly FieldProblem[],
  pointer: string,
  isDeep = false
): readonly FieldProblem[] {
  return problems.filter(problem =>
    problem.pointer === pointer || (isDeep && problem.pointer.startsWith(`${pointer}/`))
  )
}

/**
 * The problems that no field of the form shows, because they are about the whole value or about a
 * member that has no field.
 */
export function problemsElsewhere (
  problems: readonly FieldProblem[],
  pointer: string,
  fields: readonly Field[]
): readonly FieldProblem[] {
  const shown = fields.map(({ name }) => pointerTo(pointer, name))
  return problemsAt(problems, pointer, true).filter(problem =>
    !shown.some(known => problem.pointer === known || problem.pointer.startsWith(`${known}/`))
  )
}

/** The problems to show: while somebody fills in the form, an empty field is no fault yet. */
export function problemsSoFar (problems: readonly FieldProblem[], isDone: boolean): readonly FieldProblem[] {
  return isDone ? problems : problems.filter(({ code }) => code !== 'required')
}

/** A number, nothing, or the text itself: the hub then says that it is no number. */
export function numberOf (text: string): number | string | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  const number = Number(trimmed)
  return Number.isFinite(number) ? number : trimmed
}

/** The empty value of an object that somebody switched on: its members come as they are typed. */
export function startOf (fields: readonly Field[]): Values {
  return Object
    .fromEntries(fields.flatMap(field =>
      field.kind === 'object' && field.isRequired ? [[field.name, startOf(field.fields)]] : []
    ))
}

/** Reads pasted JSON. Only an object fits a form. */
export function fromJson (text: string): { values: Values } | { problem: string } {
  try {
    const values: unknown = JSON.parse(text)
    if (isObject(values)) return { values }
    return { problem: 'This is JSON, but not an object with the members of the form.' }
  } catch (error) {
    return { problem: `This is not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}

/** The JSON merge patch (RFC 7396) that makes `after` of `before`: only the changed members. */
export function patchOf (before: Values, after: Values): Values {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const changed: [string, unknown][] = []
  for (const name of names) {
    const [old, now] = [before[name], after[name]]
    if (JSON.stringify(old) === JSON.stringify(now)) continue
    if (now === undefined) changed.push([name, null])
    else changed.push([name, isObject(old) && isObject(now) ? patchOf(old, now) : now])
  }
  return Object.fromEntries(changed)
}

/**
 * The problems without those that only say that a stored secret is missing: the hub never shows it,
 * so the form does not have it.
 */
export function withoutStoredSecrets (
  problems: readonly FieldProblem[],
  pointer: string,
  fields: readonly Field[],
  values: Values
): readonly FieldProblem[] {
  const stored = fields.filter(({ name, isSecret }) => isSecret && values[name] === undefined)
    .map(({ name }) => pointerTo(pointer, name))
  return problems.filter(problem => !stored.includes(problem.pointer))
}

function isObject (value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
