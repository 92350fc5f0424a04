import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { lightCompiler } from '../support/light-compiler.ts'
import { testsBundles, type Batch } from './batches.ts'
import { heldOpenCode, variablesFor } from './protocol.ts'
import { readBatch } from './read-batch.ts'
import { fail, newResult, type FileResult } from './results.ts'

const entry = fileURLToPath(new URL('./batch-process.ts', import.meta.url))

/**
 * Ends a process whose thread is blocked for ever. Longer than the limit that the process itself
 * sets for a file.
 */
const silentMs = 660_000
const longestLingerMs = 20_000

export interface BatchOptions {
  environment: NodeJS.ProcessEnv
  onBegin(file: string): void
  onEnd(result: FileResult): void
  /** Ends every process that the batch started. */
  signal: AbortSignal
  /** How long the process may stay alive after its files ended, by default 20 s. */
  lingerMs?: number
}

/** Runs the files of a batch in one process. A file that never began has a result too. */
export async function runBatch (batch: Batch, options: BatchOptions): Promise<FileResult[]> {
  const { onBegin, onEnd, signal } = options
  const reader = readBatch({
    onBegin (file) {
      watchdog.refresh()
      onBegin(file)
    },
    onEnd
  })
  const child = spawn(process.execPath, [...argumentsFor(batch), entry], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environmentOf(batch, options),
    // A process group of its own: ending the group ends everything that a test left running, which
    // would otherwise keep the output open.
    detached: true
  })
  const end = (): void => {
    endGroup(child.pid)
  }
  let isSilent = false
  const watchdog = setTimeout(() => {
    isSilent = true
    end()
  }, silentMs)
  signal.addEventListener('abort', end, { once: true })
  const read = once(child.stdout.pipe(reader.tap), 'finish')
  createInterface({ input: child.stderr }).on('line', line => {
    reader.readError(line)
  })
  const [code, killedBy] = await once(child, 'exit') as [number | null, NodeJS.Signals | null]
  clearTimeout(watchdog)
  signal.removeEventListener('abort', end)
  end()
  await Promise.all([read, child.stderr.closed ? undefined : once(child.stderr, 'close')])

  const results = batch.files.map(file => reader.results.find(result => result.file === file) ?? newResult(file))
  blame(results, isSilent ? 'silent' : killedBy ?? code ?? 'no code')
  return results
}

/** The arguments of Node. Without the condition `@linker/source`, imports lead to the bundles. */
function argumentsFor (batch: Batch): string[] {
  const inherited = process.execArgv.filter(argument =>
    !testsBundles(batch) || argument !== '--conditions=@linker/source'
  )
  return [...inherited, ...lightCompiler]
}

function environmentOf (
  { files, modes }: Batch,
  { environment, lingerMs = longestLingerMs }: BatchOptions
): NodeJS.ProcessEnv {
  return {
    ...environment,
    ...variablesFor(files, lingerMs),
    ...(modes === undefined ? {} : { LINKER_TEST_MODES: modes.join(',') }),
    // tap's own limit is for the whole process; each file has one instead.
    TAP_TIMEOUT: '0'
  }
}

/** Adds failures to the file that ended the process early and to the files that did not run. */
function blame (results: readonly FileResult[], ending: string | number): void {
  const hasEnded = ({ cpuMs }: FileResult): boolean => cpuMs !== undefined
  const hasFailed = ({ failures }: FileResult): boolean => failures.length > 0
  // tap ends a process with 1 when an assertion failed.
  const isExplained = ending === 0 || (ending === 1 && results.some(hasFailed))
  const guilty = results.find(result => !hasEnded(result)) ?? results.at(-1)
  if (guilty !== undefined && !isExplained) fail(guilty, endingOf(ending))
  for (const result of results.filter(each => !hasEnded(each) && !hasFailed(each))) {
    fail(result, 'it did not reach its end: the process that it shares with other files ended first')
  }
}

function endingOf (ending: string | number): string {
  if (ending === heldOpenCode) return 'it, or a file before it, left something open that kept the process alive'
  if (ending === 'silent') {
    return `it did not end within ${Math.round(silentMs / 60_000)} minutes: its process was killed`
  }
  return `its process ended with ${ending}`
}

function endGroup (leader: number | undefined): void {
  if (leader === undefined) return
  try {
    process.kill(-leader, 'SIGKILL')
  } catch (error) {
    // ESRCH: every process of the group has ended already.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
