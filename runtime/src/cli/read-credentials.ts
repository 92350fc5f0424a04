import { parseJsonOption } from './hub-client.ts'
import { inputOf, readInput } from './read-input.ts'

/** Reads credentials from a file, or from standard input when the path is `-`. */
export async function readCredentials (path: string): Promise<unknown> {
  const { text, source } = await readInput(path, 'credentials')
  return parseCredentials(text, source)
}

/** Reads an option that is credentials, or names an input with them. */
export async function readCredentialsOption (given: string): Promise<unknown> {
  const path = inputOf(given)
  return path === undefined ? parseCredentials(given, '--credentials') : readCredentials(path)
}

/** Credentials are JSON or, for platforms that have only a key, that bare key. */
function parseCredentials (text: string, source: string): unknown {
  return text.trimStart().startsWith('{') ? parseJsonOption(source, text) : text.trim()
}
