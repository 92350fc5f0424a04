import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'
import { repository } from './project.ts'

export interface ShellProcess {
  /** The lines of standard output and standard error so far. */
  lines: readonly string[]
  /** Its exit code; null when a signal ended it. */
  ended: Promise<number | null>
  /** Waits for the first line that matches. Rejects when the process ends without one. */
  line(pattern: RegExp): Promise<RegExpExecArray>
  /** Sends a signal to the process and to every process that it started. */
  signal(name: 'SIGINT' | 'SIGTERM'): void
}

/**
 * Runs a shell command in the root of this repository, or in `cwd`, as a reader of the README does.
 * All its processes end with the test.
 */
export function runShell (
  t: Test,
  command: string,
  variables: Record<string, string> = {},
  cwd = repository
): ShellProcess {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn('bash', ['-c', command], {
    cwd,
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true
  })
  const lines: string[] = []
  const waiting = new Set<() => void>()
  const ended = once(child, 'close').then(([code]) => code as number | null)

  // The signal goes to the whole group: npm starts a shell, which starts node.
  function signal (name: NodeJS.Signals): void {
    try {
      process.kill(-(child.pid ?? 0), name)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }

  t.teardown(() => {
    signal('SIGKILL')
  })
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', line => {
      lines.push(line)
      for (const look of waiting) look()
    })
  }
  return {
    lines,
    ended,
    signal,
    line: pattern =>
      new Promise((resolve, reject) => {
        function look (): void {
          const match = lines.map(line => pattern.exec(line)).find(found => found !== null)
          if (match === undefined || match === null) return
          waiting.delete(look)
          resolve(match)
        }
        waiting.add(look)
        look()
        ended.then(() => {
          reject(new Error(`'${command}' ended first:\n${lines.join('\n')}`))
        }, reject)
      })
  }
}
