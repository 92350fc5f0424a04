/** One assertion that failed, or what kept a file from its end. */
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
  durationMs: number
  /** Of its process and of those that it started; undefined when it did not come to its end. */
  cpuMs?: number
  /** The last lines that it printed, apart from TAP. */
  output: string[]
}

export function newResult (file: string): FileResult {
  return { file, passed: 0, failures: [], durationMs: 0, output: [] }
}

/** Notes a failure that no assertion tells. */
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
