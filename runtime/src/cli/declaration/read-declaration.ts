import { Value } from '@sinclair/typebox/value'
import { LineCounter, parseDocument, type Document } from 'yaml'
import { HubError } from '../hub-client.ts'
import { Declaration } from './schema.ts'

/** A place in the file that is wrong, and why. */
export interface Fault {
  pointer: string
  message: string
}

export interface ReadDeclaration {
  declaration: Declaration
  /** Throws when there are faults, with the line of each. */
  refuse(faults: readonly Fault[]): void
}

const mostNamed = 20

/** Reads the YAML text of a declaration. Throws and names pointer and line of all that is wrong. */
export function readDeclaration (text: string, source: string): ReadDeclaration {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true })
  const [error] = document.errors
  if (error !== undefined) {
    throw new HubError(`${source}, line ${lines.linePos(error.pos[0]).line}: not YAML: ${error.message}`)
  }

  function refuse (faults: readonly Fault[]): void {
    if (faults.length === 0) return
    const told = faults.slice(0, mostNamed).map(({ pointer, message }) => {
      const line = lineOf(document, lines, pointer)
      return `${source}${line === undefined ? '' : `, line ${line}`}: ${pointer === '' ? '/' : pointer}: ${message}`
    })
    const left = faults.length - told.length
    throw new HubError([...told, ...left === 0 ? [] : [`and ${left} more`]].join('\n'))
  }

  const value: unknown = document.toJS({ maxAliasCount: 100 })
  refuse(schemaFaults(value))
  return { declaration: Value.Decode(Declaration, value), refuse }
}

function schemaFaults (value: unknown): Fault[] {
  const faults = [...Value.Errors(Declaration, value)].map(({ path, message }) => ({
    pointer: path,
    message: message === 'Unexpected property' ? 'is not a member that a declaration has' : message
  }))
  // A required member that is missing gives a second fault for its type.
  return faults.filter(({ pointer }, index) => faults.findIndex(other => other.pointer === pointer) === index)
}

/** The line of the nearest part of the document that the pointer leads through. */
function lineOf (document: Document, lines: LineCounter, pointer: string): number | undefined {
  const path = pointer.split('/').slice(1).map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  for (let length = path.length; length >= 0; length--) {
    const node: unknown = document.getIn(path.slice(0, length).map(keyOf), true)
    if (typeof node !== 'object' || node === null || !('range' in node)) continue
    const [start] = node.range as [number, number, number]
    return lines.linePos(start).line
  }
  return undefined
}

function keyOf (part: string): string | number {
  return /^\d+$/.test(part) ? Number(part) : part
}
