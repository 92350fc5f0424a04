import { LineCounter, parseDocument } from 'yaml'
import { HubError } from '../hub-client.ts'
import { readInput } from '../read-input.ts'
import type { Credentials } from './plan-connections.ts'
import type { Declaration } from './schema.ts'

/**
 * Reads the credentials of connections by the names of the connections: an object, or a text for a
 * platform that has only a key. No error quotes the file.
 */
export async function readCredentialsFile (path: string, { connections = [] }: Declaration): Promise<Credentials> {
  const { text, source } = await readInput(path, { holds: 'credentials' })
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [error] = document.errors
  if (error !== undefined) throw new HubError(`${source}, line ${lines.linePos(error.pos[0]).line}: not YAML`)
  const value: unknown = document.toJS()
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new HubError(`${source} must have the credentials under the names of their connections`)
  }
  const given = new Map<string, unknown>(Object.entries(value))
  const names = new Set(connections.map(({ name }) => name))
  const unknown = [...given.keys()].filter(name => !names.has(name))
  if (unknown.length > 0) {
    throw new HubError(`${source} has ${unknown.length} names that no connection of the declaration has; the ` +
      `declaration has ${[...names].map(name => `'${name}'`).join(', ') || 'none'}`)
  }
  return given
}
