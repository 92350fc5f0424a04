import { inspect } from 'node:util'
import type { Result } from 'tap-parser'
import type { Failure } from './results.ts'

/** The report shows this many lines of a difference: more would bury the other failures. */
const linesShown = 40

export function failureOf ({ fullname, diag }: Result, file: string): Failure {
  const path = fullname.split(' > ').filter(title => title !== file && title !== '')
  return { path, detail: describe(diag) }
}

/** Describes a failure. The place and the difference come first: readers look for them. */
function describe (diag: Result['diag']): string {
  if (!isRecord(diag)) return ''
  const { diff, at, source, stack, ...more } = diag
  const shown = [typeof diff === 'string' ? cut(diff) : diff, source, stack]
  const texts = shown.filter(text => typeof text === 'string').map(text => text.trimEnd())
  const rest = Object.keys(more).length === 0 ? [] : [inspect(more, { depth: 6, breakLength: 120 })]
  return [...placeOf(at), ...texts, ...rest].join('\n')
}

function cut (text: string): string {
  const lines = text.trimEnd().split('\n')
  const left = lines.length - linesShown
  return left <= 0 ? text : [...lines.slice(0, linesShown), `(${left} more lines)`].join('\n')
}

function placeOf (at: unknown): string[] {
  if (!isRecord(at) || at.fileName === undefined) return []
  return [`at ${String(at.fileName)}:${String(at.lineNumber)}:${String(at.columnNumber)}`]
}

function isRecord (value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object'
}
