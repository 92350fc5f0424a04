import { parseJsonOption } from './hub-client.ts'
import { openOption, readInput } from './read-input.ts'

/** Reads credentials from a file, or from standard input when the path is `-`. */
export async function readCredentials (path: string): Promise<unknown> {
  const { text, source } = await readInput(path, { holds: 'credentials' })
  return parseCredentials(source, text)
}

/** Opens an option that is credentials, or names an input with them. */
export function openCredentialsOption (option: string, given: string): () => Promise<unknown> {
  return openOption(option, given, 'credentials', parseCredentials)
}

/** Credentials are JSON or, for platforms that have only a key, that bare key. */
function parseCredentials (source: string, text: string): unknown {
  return text.trimStart().startsWith('{') ? parseJsonOption(source, text) : text.trim()
}
