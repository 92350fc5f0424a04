import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { repository } from '../../support/project.ts'

export interface MeasuredProcess {
  url: string
  pid: number
  stop(): Promise<void>
}

/** Starts the server that shows the limits, in a process of its own. */
export async function startLimitServer (args: readonly string[]): Promise<MeasuredProcess> {
  const child = spawn(join(repository, 'node_modules', 'node', 'bin', 'node'), [
    '--conditions=@linker/source',
    fileURLToPath(new URL('./limit-server.ts', import.meta.url)),
    ...args
  ], { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /listens on (\S+)/.exec(line)?.[1]
    if (url === undefined || child.pid === undefined) continue
    return {
      url,
      pid: child.pid,
      async stop () {
        child.kill()
        await once(child, 'exit')
      }
    }
  }
  throw new Error('the server that shows the limits did not start')
}

const ticksPerSecond = 100

/** Returns the CPU time of a process so far, user and system, in microseconds. Linux only. */
export function cpuMicroseconds (pid: number): number {
  return sumTimes(pid, [11, 12])
}

/** The same, with the time of its children that have ended. */
export function cpuWithEndedChildren (pid: number): number {
  return sumTimes(pid, [11, 12, 13, 14])
}

function sumTimes (pid: number, places: readonly number[]): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return places.reduce((sum, place) => sum + Number(fields[place]), 0) * (1_000_000 / ticksPerSecond)
}

export interface Memory {
  residentBytes: number
  peakBytes: number
}

/** Returns the resident memory of a process: now, and its peak since `resetPeak`. Linux only. */
export function memoryOf (pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const bytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024
  return { residentBytes: bytes('VmRSS'), peakBytes: bytes('VmHWM') }
}

export function resetPeak (pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}
