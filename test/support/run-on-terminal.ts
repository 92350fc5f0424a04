import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bundledLinker } from './bundle.ts'
import { repository } from './project.ts'

const run = promisify(execFile)

// Python comes with a module that opens a terminal; Node has none.
const opener = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))'

/**
 * Runs a command of `linker` on a terminal of its own, and returns what the terminal shows, however
 * the command ends.
 */
export async function runOnTerminal (
  args: readonly string[],
  directory: string,
  variables: Record<string, string> = {}
): Promise<string> {
  const node = join(repository, 'node_modules', 'node', 'bin', 'node')
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  const running = run('python3', ['-c', opener, node, bundledLinker, ...args], {
    cwd: directory,
    env: { PATH, HOME, NODE_COMPILE_CACHE, NO_COLOR: '1', ...variables }
  })
  const { stdout } = await running.catch((error: { stdout: string }) => error)
  return stdout.replaceAll('\r\n', '\n')
}
