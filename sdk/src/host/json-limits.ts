import type { SchemaProblem } from './json-schema.ts'
import { escapePointer } from './pointer.ts'
import { isStorableText } from './storable-text.ts'

/** Which texts a body may hold, and the problem of one that it may not. */
export interface TextRule {
  code: string
  message: string
  allows(text: string): boolean
}

const deepest = 32
const mostProblems = 20

const storable: TextRule = {
  code: 'text',
  message: 'contains a NUL character or half of a surrogate pair',
  allows: isStorableText
}

/** Finds values that JSON allows and the database cannot keep, each with a pointer. */
export function findUnstorable (body: unknown): SchemaProblem[] {
  return findBeyondLimits(body, storable, mostProblems)
}

/**
 * Finds texts that the rule does not allow, numbers out of range, and nesting that exhausts the
 * stack. Looks no further after `most` problems.
 */
export function findBeyondLimits (body: unknown, { code, message, allows }: TextRule, most: number): SchemaProblem[] {
  const problems: SchemaProblem[] = []
  const path: string[] = []

  function report (code: string, message: string): void {
    const pointer = path.map(name => `/${escapePointer(name)}`).join('')
    if (problems.length < most) problems.push({ pointer, code, message })
  }

  function look (value: unknown): void {
    if (problems.length >= most) return
    if (typeof value === 'string' && !allows(value)) report(code, message)
    if (typeof value === 'number' && !Number.isFinite(value)) report('number', 'is too large for a number')
    if (typeof value !== 'object' || value === null) return
    if (path.length === deepest) report('depth', `is nested deeper than ${deepest} levels`)
    else for (const [name, member] of Object.entries(value)) lookAt(name, member)
  }

  function lookAt (name: string, member: unknown): void {
    if (!allows(name)) {
      report(code, `has a member whose name ${message}`)
      return
    }
    path.push(name)
    look(member)
    path.pop()
  }

  look(body)
  return problems
}
