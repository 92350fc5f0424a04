import type { Batch } from './batches.ts'
import { describeProgress } from './report.ts'
import { tally, type FileResult } from './results.ts'
import { runBatch } from './run-batch.ts'

export interface RunOptions {
  environment: NodeJS.ProcessEnv
  /** How many batches run at a time. */
  processes: number
  /** Stops the run after this time, so that its log says which files were running. */
  longestMs: number
  output: NodeJS.WriteStream
}

/**
 * Runs batches in parallel and prints the progress. Returns the results of every file whose batch
 * began.
 */
export async function runBatches (batches: readonly Batch[], options: RunOptions): Promise<FileResult[]> {
  const { environment, processes, longestMs, output } = options
  const startedAt = performance.now()
  const files = batches.reduce((sum, batch) => sum + batch.files.length, 0)
  const waiting = batches.values()
  const results = new Set<FileResult>()
  const running = new Set<string>()
  const ending = new AbortController()

  function showProgress (): void {
    const ended = [...results]
    const elapsedMs = performance.now() - startedAt
    const line = describeProgress({ elapsedMs, files, ended, tally: tally(ended), running: [...running] })
    if (output.isTTY) output.write(`\r\u001b[2K${line.slice(0, output.columns - 1)}`)
    else output.write(`${line}\n`)
  }

  function end (result: FileResult): void {
    running.delete(result.file)
    results.add(result)
  }

  async function work (): Promise<void> {
    for (const batch of waiting) {
      if (ending.signal.aborted) return
      const ended = await runBatch(batch, {
        environment,
        signal: ending.signal,
        onBegin (file) {
          running.add(file)
        },
        onEnd: end
      })
      for (const result of ended) end(result)
    }
  }

  function stop (why: string): void {
    output.write(`\nThe run stops: ${why}. It was running ${[...running].join(', ')}.\n`)
    ending.abort()
  }

  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const name of signals) process.on(name, stop)
  const progress = setInterval(showProgress, output.isTTY ? 1_000 : 30_000)
  const limit = setTimeout(() => {
    stop(`it took more than ${longestMs / 60_000} minutes`)
  }, longestMs)
  try {
    await Promise.all(Array.from({ length: processes }, work))
  } finally {
    clearInterval(progress)
    clearTimeout(limit)
    for (const name of signals) process.off(name, stop)
  }
  return [...results]
}
