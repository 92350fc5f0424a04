import { withoutByteOrderMark } from '@linker/sdk/host/text'
import { readFile } from 'node:fs/promises'
import { HubError, parseJsonOption } from './hub-client.ts'

/** Reads credentials from a file, or from standard input when the path is `-`. */
export async function readCredentials (path: string): Promise<unknown> {
  const text = withoutByteOrderMark(path === '-' ? await readStandardInput() : await readText(path)).trim()
  if (text === '') throw new HubError(`${path === '-' ? 'standard input' : path} is empty: it must hold credentials`)
  return parseCredentials(text, path === '-' ? 'standard input' : path)
}

/** Credentials are JSON or, for platforms that have only a key, that bare key. */
export function parseCredentials (text: string, source: string): unknown {
  return text.trimStart().startsWith('{') ? parseJsonOption(source, text) : text.trim()
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

async function readStandardInput (): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(chunks).toString('utf8')
}
