import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { repository } from '../../support/project.ts'
import { cpuMicroseconds, memoryOf } from './measured-process.ts'

/**
 * The resources that a process used until it was ready. The memory of a command is unknown, because
 * it has ended.
 */
export interface Cost {
  cpuMs: number
  clockMs: number
  residentMiB?: number | undefined
  peakMiB?: number | undefined
}

const node = join(repository, 'node_modules', 'node', 'bin', 'node')
const mebibyte = 1024 ** 2
const longestMs = 120_000

/**
 * Starts a process, measures it when a line of its output says that it is ready, and ends it. Its
 * memory is measured `settleMs` later.
 */
export async function measureProcess (
  args: readonly string[],
  cwd: string,
  variables: Record<string, string>,
  isReady: (line: string) => Promise<boolean>,
  settleMs = 0
): Promise<Cost> {
  const startedAt = performance.now()
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(node, args, { cwd, env: { PATH, HOME, ...variables }, stdio: ['ignore', 'pipe', 'pipe'] })
  const { pid, stdout, stderr } = child
  if (pid === undefined) throw new Error('the process did not start')
  const complaints = text(stderr)
  const timer = setTimeout(() => child.kill('SIGKILL'), longestMs)
  const exited = once(child, 'exit')
  try {
    for await (const line of createInterface({ input: stdout })) {
      if (!await isReady(line)) continue
      const [cpuMs, clockMs] = [cpuMicroseconds(pid) / 1_000, performance.now() - startedAt]
      await wait(settleMs)
      const { residentBytes, peakBytes } = memoryOf(pid)
      return {
        cpuMs,
        clockMs,
        residentMiB: residentBytes / mebibyte,
        peakMiB: peakBytes / mebibyte
      }
    }
    throw new Error(`${args.join(' ')} did not become ready:\n${await complaints}`)
  } finally {
    clearTimeout(timer)
    child.kill('SIGINT')
    await exited
  }
}

/** Runs a command to its end. The shell prints the times of its children on its last line. */
export async function measureCommand (
  args: readonly string[],
  cwd: string,
  variables: Record<string, string>
): Promise<Cost> {
  const startedAt = performance.now()
  const { PATH = '', HOME = '' } = process.env
  const shell = spawn('sh', ['-c', '"$@" > /dev/null && times', 'sh', node, ...args], {
    cwd,
    env: { PATH, HOME, ...variables },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const [printed, [code]] = await Promise.all([text(shell.stdout), once(shell, 'exit') as Promise<[number | null]>])
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
  const spent = [...(printed.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
  const seconds = spent.reduce((sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest), 0)
  return { cpuMs: seconds * 1_000, clockMs: performance.now() - startedAt }
}
