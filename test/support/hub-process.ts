import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { eventually } from './api.ts'
import { bundledLinker } from './bundle.ts'
import { watchLog } from './hub-logs.ts'
import { lightCompiler } from './light-compiler.ts'
import { repository } from './project.ts'
import { copyTemplate } from './templates.ts'

export interface HubProcess {
  url: string
  pid: number
  /** The lines of its log so far, one JSON text each. */
  log: readonly string[]
  /** The lines of its standard output so far. */
  output: readonly string[]
  /** Waits until it has replaced itself by a new process, and returns the new address. */
  nextUrl(): Promise<string>
  kill(): Promise<void>
  /**
   * Sends a signal and returns the exit code. The default is SIGINT, on which the hub does not wait
   * for load balancers.
   */
  stop(signal?: 'SIGINT' | 'SIGTERM'): Promise<number | null>
}

const startTimeoutMs = 300_000

/**
 * Runs `linker` in its own process: the bundle of this repository, or `command` of an installed
 * package. The bundles of the runtime, the SDK and the adapters start in a third of the processor
 * time of the sources.
 */
export function spawnLinker (
  args: readonly string[],
  directory: string,
  variables: Record<string, string>,
  stdin: 'ignore' | 'pipe' = 'ignore',
  command?: string
): ChildProcess {
  const node = join(repository, 'node_modules', 'node', 'bin', 'node')
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env
  const entry = command === undefined ? [...flagsOf(args, variables), bundledLinker] : [command]
  return spawn(node, [...entry, ...args], {
    cwd: directory,
    env: {
      PATH,
      HOME,
      MALLOC_ARENA_MAX: '2',
      ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
      ...variables
    },
    stdio: [stdin, 'pipe', 'pipe']
  })
}

/** The command of this checkout, which runs the sources. */
export const sourceLinker = join(repository, 'runtime', 'bin', 'linker.js')

/** Commands that open the database of a hub. */
const opening = new Set(['start', 'migrate', 'restore', 'transfer', 'backup', 'doctor', 'dev'])

/**
 * The flag that the `linker` of the package sets, which also sets `MALLOC_ARENA_MAX`. An embedded
 * database has the compiler of this process: a light one in tests, that of V8 in benchmarks.
 */
function flagsOf ([name = '']: readonly string[], { DATABASE_URL }: Record<string, string>): string[] {
  const isEmbedded = opening.has(name) && DATABASE_URL === undefined
  return [
    ...name === 'start' ? ['--max-semi-space-size=16'] : [],
    ...isEmbedded ? lightCompiler.filter(flag => process.execArgv.includes(flag)) : []
  ]
}

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

const commandTimeoutMs = 300_000

/** Runs a command of `linker` and waits for its end. */
export async function runLinker (
  args: readonly string[],
  directory: string,
  variables: Record<string, string> = {},
  input = ''
): Promise<Finished> {
  const child = spawnLinker(args, directory, variables, 'pipe')
  if (child.stdout === null || child.stderr === null) throw new Error('the command has no output')
  const timer = setTimeout(() => {
    child.kill('SIGKILL')
  }, commandTimeoutMs)
  // A command that reads nothing may have ended by now.
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>
  ])
  clearTimeout(timer)
  return { code, stdout, stderr }
}

/**
 * Starts a hub and waits until it listens. `command` is the `linker` of an installed package; the
 * default is the one of this repository.
 */
export async function startHubProcess (
  directory: string,
  variables: Record<string, string>,
  command?: string
): Promise<HubProcess> {
  if (command === undefined && variables.DATABASE_URL === undefined) {
    await copyTemplate(variables.LINKER_DATA_DIR ?? join(directory, '.linker'), process.env)
  }
  const child = spawnLinker(['start'], directory, { PORT: '0', ...variables }, 'ignore', command)
  const exited = once(child, 'exit') as Promise<[number | null]>
  const log: string[] = []
  const output: string[] = []
  if (child.stdout === null || child.stderr === null || child.pid === undefined) {
    throw new Error('the hub did not start')
  }
  createInterface({ input: child.stderr }).on('line', line => {
    log.push(line)
  })
  const forgetLog = watchLog(`the hub ${child.pid}`, log)
  exited.finally(forgetLog).catch(() => undefined)
  const lines = createInterface({ input: child.stdout })
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`the hub did not listen within ${startTimeoutMs} ms:\n${log.join('\n')}`))
    }, startTimeoutMs)
    lines.on('line', line => {
      output.push(line)
      const match = /listens on (http:\S+)/.exec(line)
      if (match?.[1] !== undefined) resolve(match[1])
    })
    exited.then(([code]) => {
      reject(new Error(`the hub ended with ${code} while starting:\n${log.join('\n')}`))
    }, reject)
    lines.once('close', () => {
      clearTimeout(timer)
    })
  }).catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  return {
    url,
    pid: child.pid,
    log,
    output,
    async nextUrl () {
      const urls = (): string[] => output.flatMap(line => /listens on (http:\S+)/.exec(line)?.[1] ?? [])
      return eventually('the hub to listen again', async () => urls()[1])
    },
    async kill () {
      child.kill('SIGKILL')
      await exited
    },
    async stop (signal = 'SIGINT') {
      child.kill(signal)
      const [code] = await exited
      return code
    }
  }
}
