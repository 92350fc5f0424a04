/** An assertion that failed, or the reason why a file did not reach its end. */
export interface Failure {
  /** The titles from the outermost test to the assertion. */
  path: readonly string[]
  /** The diagnostics of tap, laid out for a reader. */
  detail: string
}

/** The result of one test file. */
export interface FileResult {
  file: string
  passed: number
  failures: Failure[]
  /** What did not run here, with the reason. */
  skipped: string[]
  durationMs: number
  /** Processor time of the file and its child processes; absent if it did not reach its end. */
  cpuMs?: number
  /** The last lines that it printed, without TAP. */
  output: string[]
}

export function newResult (file: string): FileResult {
  return { file, passed: 0, failures: [], skipped: [], durationMs: 0, output: [] }
}

/** Notes a failure that no assertion reports. */
export function fail ({ failures }: FileResult, detail: string): void {
  failures.push({ path: [], detail })
}

export interface Tally {
  passed: number
  failed: number
}

export function tally (results: readonly FileResult[]): Tally {
  return {
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    failed: results.reduce((sum, { failures }) => sum + failures.length, 0)
  }
}
