import type { LoadedAdapter } from '../../adapters/load.ts'
import { nameOf } from '../../adapters/load.ts'
import { describeProblem } from './describe-problem.ts'
import { loadFolder, type LoadFolderOptions } from './load-folder.ts'

export interface SessionOptions extends LoadFolderOptions {
  /** Brings the connections in step with an adapter that serves. Returns what it did. */
  follow(adapter: LoadedAdapter): Promise<string[]>
  now(): Date
  say(text: string): void
}

/** The loads of one folder, one after the other. */
export interface Session {
  /** Loads the folder, after a load under way. `atMs` is the time of the save. */
  reload(atMs: number): void
  /** Resolves when no load is under way. */
  settled(): Promise<void>
  /** The adapter of the last load that succeeded. */
  serving(): LoadedAdapter | undefined
}

/**
 * A build may write files that are watched. Its changes come while it runs, and those of the build
 * that they start come while that one runs: after so many in a row, wait for a save.
 */
const mostInARow = 2

export function openSession (options: SessionOptions): Session {
  const { directory, builds, follow, now, say } = options
  let serving: { adapter: LoadedAdapter, since: string } | undefined
  let running: Promise<void> | undefined
  /** The time of the first save during a load. */
  let waiting: number | undefined
  let endedMs = Number.NEGATIVE_INFINITY
  /** How many loads in a row a change during the one before has started. */
  let inARow = 0

  /** Whether this load may be one of a loop: `npm run build` changes files that start it again. */
  function isLoop (atMs: number): boolean {
    inARow = running !== undefined || atMs <= endedMs ? inARow + 1 : 0
    if (inARow === mostInARow + 1) {
      say('files changed during each of the last builds: if npm run build writes them, let it write into the folder ' +
        'that exports names. The next save starts a build again')
    }
    return inARow > mostInARow
  }

  async function loadAll (atMs: number): Promise<void> {
    for (let next: number | undefined = atMs; next !== undefined; next = waiting) {
      waiting = undefined
      await loadOnce(next)
      endedMs = performance.now()
    }
  }

  async function loadOnce (atMs: number): Promise<void> {
    const { adapter, problem } = await loadFolder(options)
    const time = timeOf(now())
    if (adapter === undefined) {
      if (problem !== undefined) say(indent(time, [...describeProblem(problem, directory), describeLast()]))
      return
    }
    serving = { adapter, since: time }
    const capabilities = adapter.supportedCapabilities.join(', ') || 'no capability'
    say(`${time}  ${nameOf(adapter)} serves with ${capabilities} (${Math.round(performance.now() - atMs)} ms)`)
    const said = await follow(adapter).catch((error: unknown) => [
      `the connection could not follow: ${error instanceof Error ? error.message : String(error)}`
    ])
    if (said.length > 0) say(indent(' '.repeat(time.length), said))
  }

  function describeLast (): string {
    return serving === undefined
      ? 'no code of the folder serves yet'
      : `the code of ${serving.since} goes on serving`
  }

  return {
    reload (atMs) {
      // Several changes during one load start one more.
      if (builds && waiting === undefined && isLoop(atMs)) return
      if (running !== undefined) {
        waiting ??= atMs
        return
      }
      running = loadAll(atMs).finally(() => {
        running = undefined
      })
    },
    async settled () {
      await running
    },
    serving: () => serving?.adapter
  }
}

/** Puts the lines of one message below each other, beside its time. */
function indent (time: string, lines: readonly string[]): string {
  return lines.flatMap(line => line.split('\n'))
    .map((line, index) => `${index === 0 ? time : ' '.repeat(time.length)}  ${line}`).join('\n')
}

function timeOf (date: Date): string {
  return date.toTimeString().slice(0, 8)
}
