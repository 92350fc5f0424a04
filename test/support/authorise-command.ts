import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { spawnLinker, type Finished } from './hub-process.ts'
import type { TestHub } from './hub.ts'

/** `linker connections authorise` while it waits for the browser. */
export interface Waiting {
  authorizationUrl: string
  /** Waits for its end. */
  finish(): Promise<Finished>
}

/** Starts the command with a secret on its standard input, and reads the address that it prints. */
export async function beginAuthorise (
  hub: Pick<TestHub, 'url' | 'keys' | 'directory'>,
  args: readonly string[],
  input: string
): Promise<Waiting> {
  const child = spawnLinker(
    ['connections', 'authorise', ...args, '--url', hub.url, '--token', hub.keys.admin],
    hub.directory,
    {},
    'pipe'
  )
  const { stdout, stderr } = child
  if (stdout === null || stderr === null) throw new Error('the command has no output')
  child.stdin?.end(input)
  const printed = { stdout: '', stderr: '' }
  const address = Promise.withResolvers<string>()
  const closed = Promise.all(Object.entries({ stdout, stderr }).map(([name, stream]) => {
    const lines = createInterface({ input: stream }).on('line', line => {
      printed[name as keyof typeof printed] += `${line}\n`
      if (line.startsWith('http')) address.resolve(line)
    })
    return once(lines, 'close')
  }))
  const ended = Promise.all([once(child, 'exit') as Promise<[number | null]>, closed])
  ended.finally(() => {
    address.reject(new Error(`the command printed no address: ${printed.stderr}`))
  }).catch(() => undefined)
  return {
    authorizationUrl: await address.promise,
    async finish () {
      const [[code]] = await ended
      return { code, ...printed }
    }
  }
}
