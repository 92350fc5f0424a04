import { withoutByteOrderMark } from '@linker/sdk/host/text'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { HubError, parseJsonOption } from './hub-client.ts'

interface Wanted {
  /** Names the content in errors: `credentials`, `a config`. */
  holds: string
  /** The option that gave the path. Absent: it came from an argument. */
  option?: string
  /** Whether errors name the path: nobody gives a secret in its place. */
  namesPath?: true
}

/**
 * The path in an option that names an input: `@file`, or `-` for standard input, also as `@-`.
 * Undefined when the option is the value itself, which other users of the machine may read while
 * the command runs.
 */
export function inputOf (option: string, given: string): string | undefined {
  if (given === '@') throw new HubError(`${option}: @ must be followed by the path of a file`)
  if (given === '-') return '-'
  return given.startsWith('@') ? given.slice(1) : undefined
}

/** Reads a file, or standard input when the path is `-`. */
export async function readInput (path: string, wanted: Wanted): Promise<{ text: string, source: string }> {
  const source = path === '-' ? 'standard input' : path
  const read = withoutByteOrderMark(path === '-' ? await text(process.stdin) : await readText(path, wanted)).trim()
  if (read === '') throw new HubError(`${source} is empty: it must hold ${wanted.holds}`)
  return { text: read, source }
}

/**
 * Opens an option that is a value, or names an input with it. Refuses a wrong form at once; the
 * input is not read before the returned function is called.
 */
export function openOption (
  option: string,
  given: string,
  holds: string,
  parse: (source: string, text: string) => unknown
): () => Promise<unknown> {
  const path = inputOf(option, given)
  if (path === undefined) {
    const value = parse(option, given)
    return async () => value
  }
  return async () => {
    const { text, source } = await readInput(path, { holds, option })
    return parse(source, text)
  }
}

export function openJsonOption (option: string, given: string, holds: string): () => Promise<unknown> {
  return openOption(option, given, holds, parseJsonOption)
}

/**
 * Why a file cannot be read. Leaves the path out: it may be a secret that was given in place of a
 * path.
 */
export function codeOf (error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
}

async function readText (path: string, { holds, option, namesPath }: Wanted): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const what = option === undefined
      ? `cannot read ${namesPath === true ? path : `the file with ${holds}`}`
      : `${option}: cannot read the file after @`
    throw new HubError(`${what}: ${codeOf(error)}`, { cause: error })
  }
}
