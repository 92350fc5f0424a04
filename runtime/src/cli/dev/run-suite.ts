import { withoutByteOrderMark } from '@linker/sdk/host/text'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HubError } from '../hub-client.ts'

/**
 * Runs the conformance suite on the adapter in a folder, in a process of its own, which prints the
 * report. The suite takes the package as it is published, so it is built first when it can be.
 */
export async function runSuite (directory: string): Promise<void> {
  const content = withoutByteOrderMark(await readFile(join(directory, 'package.json'), 'utf8'))
  const { scripts = {} } = JSON.parse(content) as { scripts?: Record<string, string> }
  if (scripts.build !== undefined) await run('npm', ['run', '--silent', 'build'], directory)
  const [, command = ''] = process.argv
  await run(process.execPath, [...process.execArgv, command, 'conformance', directory], directory)
}

/** The suite has said itself what failed; a build that fails ends the run. */
async function run (command: string, args: readonly string[], directory: string): Promise<void> {
  const child = spawn(command, args, { cwd: directory, stdio: ['ignore', 'inherit', 'inherit'] })
  const end = (): void => {
    child.kill()
  }
  process.once('exit', end)
  const [code] = await once(child, 'close').finally(() => {
    process.off('exit', end)
  }) as [number | null]
  if (code !== 0 && command === 'npm') throw new HubError(`npm run build ended with ${code}`)
}
