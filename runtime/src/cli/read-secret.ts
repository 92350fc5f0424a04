import { withoutByteOrderMark } from '@linker/sdk/host/text'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { HubError } from './hub-client.ts'
import { codeOf } from './read-input.ts'

/** Reads a secret from a file, or from standard input when the path is `-`. */
export async function readSecret (name: string, path: string, standardInput: NodeJS.ReadableStream): Promise<string> {
  const content = path === '-' ? await text(standardInput) : await readFile(path, 'utf8').catch((error: unknown) => {
    throw new HubError(`the file of the secret '${name}' cannot be read: ${codeOf(error)}`, { cause: error })
  })
  return checked(name, withoutByteOrderMark(content).replace(/\r?\n$/, ''))
}

/** Asks for a secret on the terminal, which does not show the answer. */
export async function askSecret (
  name: string,
  { input, output }: { input: NodeJS.ReadableStream, output: NodeJS.WritableStream }
): Promise<string> {
  const unseen = new Writable({
    write (_chunk, _encoding, done) {
      done()
    }
  })
  const terminal = createInterface({ input, output: unseen, terminal: true })
  const ended = new AbortController()
  // Ctrl-C and Ctrl-D end the question; without this it would never be answered.
  terminal.once('SIGINT', () => {
    ended.abort()
  })
  terminal.once('close', () => {
    ended.abort()
  })
  output.write(`${name}: `)
  try {
    return checked(name, await terminal.question('', { signal: ended.signal }))
  } catch (error) {
    throw error instanceof HubError ? error : new HubError(`the secret '${name}' was not entered`, { cause: error })
  } finally {
    terminal.close()
    output.write('\n')
  }
}

function checked (name: string, secret: string): string {
  if (secret === '') throw new HubError(`the secret '${name}' is empty`)
  return secret
}
