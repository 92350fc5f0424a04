import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { bundledLinker } from '../support/bundle.ts'
import { serverVariable } from '../support/databases.ts'
import { spawnLinker, startHubProcess } from '../support/hub-process.ts'
import { openMode, type Mode } from '../support/modes.ts'
import { makeProject } from '../support/project.ts'

/**
 * `unprepared`: the first start of an embedded hub without its prepared database, which runs every
 * migration as PostgreSQL does.
 */
export type KilledStart = 'first' | 'unprepared' | 'upgrade'

export function startsOf (mode: Mode): KilledStart[] {
  return mode === 'embedded' ? ['first', 'unprepared', 'upgrade'] : ['first', 'upgrade']
}

export interface StartKillOptions {
  mode: Mode
  environment: NodeJS.ProcessEnv
  start: KilledStart
  /** The `linker` of a newer hub without a prepared database. */
  newer: string
  points: number
}

export interface StartKills {
  /** How long a whole start took last: the points divide this time. */
  startMs: number
  killed: number
  /** Killed after the hub listened, or ended by itself before. */
  tooLate: number
  /** The next start failed. Must be zero. */
  failed: number
  /** Files that the killed process began, and that the next start left. Must be zero. */
  drafts: number
}

/** Before this part of a start, Node only loads modules. */
const firstPart = 0.2
const lastPart = 1.05
/** Other programs make a machine slower and faster. */
const measureEvery = 10

/**
 * Kills the start of a hub at points that divide it evenly, each time with a state of its own, and
 * starts it again. Returns the counts, and the last words of starts that failed.
 */
export async function killStarts (options: StartKillOptions): Promise<{ counts: StartKills, failures: string[] }> {
  const { mode, start, newer, points } = options
  const environment = { ...options.environment, [serverVariable]: undefined }
  const folder = await mkdtemp(join(tmpdir(), 'linker-starts-'))
  const { directory, remove } = await makeProject({})
  const command = start === 'first' ? bundledLinker : newer
  const older = await openMode(mode, environment)
  const olderDirectory = join(folder, 'older')

  /** Makes a state of its own: an empty one, or that of an older hub. */
  async function openState (name: string) {
    const dataDirectory = join(folder, name)
    const { DATABASE_URL: olderUrl } = older.variables
    const isCopy = start === 'upgrade' && olderUrl !== undefined
    const state = await openMode(
      mode,
      isCopy ? { ...environment, [serverVariable]: new URL(olderUrl).pathname.slice(1) } : environment
    )
    if (start === 'upgrade') await cp(olderDirectory, dataDirectory, { recursive: true })
    return {
      dataDirectory,
      variables: { ...state.variables, LINKER_DATA_DIR: dataDirectory, LOG_LEVEL: 'warn' },
      async close () {
        await state.close()
        await rm(dataDirectory, { recursive: true, force: true })
      }
    }
  }

  async function measure (): Promise<number> {
    const state = await openState('measured')
    const startedAt = performance.now()
    const hub = await startHubProcess(directory, state.variables, command)
    const startMs = Math.round(performance.now() - startedAt)
    await hub.kill()
    await state.close()
    return startMs
  }

  /** Returns whether the kill met the start. */
  async function killAt (ms: number, variables: Record<string, string>): Promise<boolean> {
    const child = spawnLinker(['start'], directory, { PORT: '0', ...variables }, 'ignore', command)
    const { promise: exited, resolve } = Promise.withResolvers<unknown>()
    child.once('exit', resolve)
    let listens = false
    child.stdout?.on('data', (text: Buffer) => {
      listens ||= text.includes('listens on')
    })
    child.stderr?.resume()
    await Promise.race([wait(ms), exited])
    const meets = !listens && child.exitCode === null
    child.kill('SIGKILL')
    await exited
    return meets
  }

  try {
    if (start === 'upgrade') {
      const variables = { ...older.variables, LINKER_DATA_DIR: olderDirectory }
      await (await startHubProcess(directory, variables, bundledLinker)).stop()
    }
    const counts: StartKills = { startMs: 0, killed: 0, tooLate: 0, failed: 0, drafts: 0 }
    const failures: string[] = []
    for (let point = 0; point < points; point++) {
      if (point % measureEvery === 0) counts.startMs = await measure()
      const state = await openState(`point-${point}`)
      const ms = counts.startMs * (firstPart + (lastPart - firstPart) * (point + 0.5) / points)
      const meets = await killAt(ms, state.variables)
      counts[meets ? 'killed' : 'tooLate'] += 1
      try {
        await (await startHubProcess(directory, state.variables, command)).kill()
        counts.drafts += (await readdir(state.dataDirectory)).filter(name => /\.(?:part|new)$/.test(name)).length
      } catch (error) {
        counts.failed += 1
        failures.push(`killed after ${Math.round(ms)} ms: ${String(error)}`)
      }
      await state.close()
    }
    return { counts, failures }
  } finally {
    await older.close()
    await remove()
    await rm(folder, { recursive: true, force: true })
  }
}
