import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { createHash, type Hash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { DamagedBackupError } from '../errors.ts'
import type { Row } from './store.ts'

// A backup is gzip of JSON lines:
//
//   {"format":"linker-backup","version":1,"hubVersion":…,"takenAt":…,"migrations":[…],…}
//   {"section":"connections","columns":["id",…]}
//   ["c0ffee…",…,null]                              one array of texts per row
//   {"end":"connections","rows":1,"sha256":"…"}     of the lines of the rows
//   …                                               one section per table
//   {"complete":true,"sections":39,"rows":…}

/** The description of a backup in its first line. */
export const Header = Type.Object({
  hubVersion: Type.String(),
  takenAt: Type.String({ description: 'Everything that the hub accepted before this time is in the backup' }),
  mode: Type.Union([Type.Literal('embedded'), Type.Literal('postgres'), Type.Literal('full')]),
  migrations: Type.Array(Type.String()),
  plainSecrets: Type.Integer({ description: 'Credentials and secrets that the backup holds as plain text' })
})
export type Header = Static<typeof Header>

export interface Totals {
  sections: number
  rows: number
}

const format = 'linker-backup'
const version = 1

export interface ArchiveWriter {
  /** Writes a section. Each item is a row as a line of JSON, without its line break. */
  section(name: string, columns: readonly string[], batches: AsyncIterable<readonly string[]>): Promise<void>
  end(): Promise<Totals>
}

/** Writes the first line and returns the writer of all others. Leaves the stream open. */
export async function createArchive (stream: Writable, header: Header): Promise<ArchiveWriter> {
  const totals: Totals = { sections: 0, rows: 0 }
  const putLine = (value: object): Promise<void> => put(stream, `${JSON.stringify(value)}\n`)
  await putLine({ format, version, ...header })
  return {
    async section (name, columns, batches) {
      const hash = createHash('sha256')
      let rows = 0
      await putLine({ section: name, columns })
      for await (const batch of batches) {
        const text = `${batch.join('\n')}\n`
        hash.update(text)
        rows += batch.length
        await put(stream, text)
      }
      await putLine({ end: name, rows, sha256: hash.digest('hex') })
      totals.sections += 1
      totals.rows += rows
    },
    async end () {
      await putLine({ complete: true, ...totals })
      return totals
    }
  }
}

/** Resolves when the stream has taken the text, and rejects when the stream was destroyed. */
async function put (stream: Writable, text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    // A stream such as a pipe or gzip whose reader is slow keeps the write that it is working on.
    // When it is destroyed then, it never calls back.
    const onClose = (): void => {
      reject(stream.errored ?? new Error('the stream was closed'))
    }
    stream.once('close', onClose)
    stream.write(text, error => {
      stream.off('close', onClose)
      if (error === null || error === undefined) resolve()
      else reject(error)
    })
  })
}

/** The parts of a backup, in their order. */
export type Piece =
  | { kind: 'header', header: Header }
  | { kind: 'section', name: string, columns: readonly string[] }
  | { kind: 'rows', rows: readonly Row[] }
  | { kind: 'end', totals: Totals }

const mostRows = 250
const mostCharacters = 1_048_576

interface Open {
  name: string
  columns: number
  hash: Hash
  rows: number
}

/**
 * Reads the lines of a backup. Throws `LNK_BACKUP_DAMAGED` when a line, a row or the end is
 * missing or was changed.
 */
export async function* readPieces (lines: AsyncIterable<string>): AsyncGenerator<Piece> {
  const totals: Totals = { sections: 0, rows: 0 }
  let open: Open | undefined
  let rows: Row[] = []
  let characters = 0
  let hasHeader = false
  let isComplete = false
  for await (const line of lines) {
    if (isComplete) throw new DamagedBackupError('lines follow its end')
    const value = parseLine(line)
    if (open !== undefined && Array.isArray(value)) {
      open.hash.update(`${line}\n`)
      open.rows += 1
      rows.push(checkRow(value, open))
      characters += line.length
      if (rows.length < mostRows && characters < mostCharacters) continue
      yield { kind: 'rows', rows }
      ;[rows, characters] = [[], 0]
    } else if (!hasHeader) {
      yield { kind: 'header', header: checkHeader(value) }
      hasHeader = true
    } else if (open !== undefined && isMember(value, 'end', open.name)) {
      checkEnd(value, open)
      if (rows.length > 0) yield { kind: 'rows', rows }
      ;[rows, characters] = [[], 0]
      totals.sections += 1
      totals.rows += open.rows
      open = undefined
    } else if (open === undefined && isSection(value)) {
      open = { name: value.section, columns: value.columns.length, hash: createHash('sha256'), rows: 0 }
      yield { kind: 'section', name: value.section, columns: value.columns }
    } else if (open === undefined && isMember(value, 'complete', true)) {
      checkTotals(value, totals)
      isComplete = true
    } else throw new DamagedBackupError('a line is in the wrong place')
  }
  if (!isComplete) throw new DamagedBackupError('its end is missing')
  yield { kind: 'end', totals }
}

function parseLine (line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    // Leave out the words of the parser: they quote the line.
    throw Object.assign(new DamagedBackupError('a line is not JSON'), { cause: error })
  }
}

function checkHeader (value: unknown): Header {
  if (!isMember(value, 'format', format)) throw new DamagedBackupError('it is no backup of a hub')
  if (!isMember(value, 'version', version)) {
    throw new DamagedBackupError(`its format is not version ${version}; use the version of the hub that made it`)
  }
  if (!Value.Check(Header, value)) throw new DamagedBackupError('its first line is incomplete')
  return value
}

function checkRow (value: unknown[], { name, columns }: Open): Row {
  if (value.length !== columns) throw new DamagedBackupError(`a row of ${name} has ${value.length} values`)
  return value as Row
}

function checkEnd (value: object, { name, rows, hash }: Open): void {
  if (!isMember(value, 'rows', rows)) throw new DamagedBackupError(`${name} has lost rows`)
  if (!isMember(value, 'sha256', hash.digest('hex'))) throw new DamagedBackupError(`the rows of ${name} were changed`)
}

function checkTotals (value: object, { sections, rows }: Totals): void {
  if (isMember(value, 'sections', sections) && isMember(value, 'rows', rows)) return
  throw new DamagedBackupError('a section is missing')
}

function isSection (value: unknown): value is { section: string, columns: string[] } {
  return typeof value === 'object' && value !== null && 'section' in value && 'columns' in value &&
    Array.isArray(value.columns)
}

function isMember (value: unknown, name: string, wanted: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getOwnPropertyDescriptor(value, name)?.value === wanted
}
