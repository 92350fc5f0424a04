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

export function openSession (options: SessionOptions): Session {
  const { directory, follow, now, say } = options
  let serving: { adapter: LoadedAdapter, since: string } | undefined
  let running: Promise<void> | undefined
  /** The time of the first save during a load. */
  let waiting: number | undefined

  async function loadAll (atMs: number): Promise<void> {
    for (let next: number | undefined = atMs; next !== undefined; next = waiting) {
      waiting = undefined
      await loadOnce(next)
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
