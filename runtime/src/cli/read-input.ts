import { withoutByteOrderMark } from '@linker/sdk/host/text'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { HubError, parseJsonOption } from './hub-client.ts'

/**
 * The path in an option that names an input: `@file`, or `-` for standard input. Undefined when the
 * option is the value itself, which other users of the machine may read while the command runs.
 */
export function inputOf (option: string): string | undefined {
  if (option === '-') return '-'
  return option.startsWith('@') ? option.slice(1) : undefined
}

/** Reads a file, or standard input when the path is `-`. `holds`: what should be in it. */
export async function readInput (path: string, holds: string): Promise<{ text: string, source: string }> {
  const source = path === '-' ? 'standard input' : path
  const read = withoutByteOrderMark(path === '-' ? await text(process.stdin) : await readText(path)).trim()
  if (read === '') throw new HubError(`${source} is empty: it must hold ${holds}`)
  return { text: read, source }
}

/** Reads an option that is JSON, or names an input with JSON. */
export async function readJsonOption (option: string, given: string, holds: string): Promise<unknown> {
  const path = inputOf(given)
  if (path === undefined) return parseJsonOption(option, given)
  const { text, source } = await readInput(path, holds)
  return parseJsonOption(source, text)
}

async function readText (path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new HubError(`cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error
    })
  }
}
