import type { FileResult, Tally } from './results.ts'

const slowestShown = 10
const outputShown = 30
/**
 * The report shows this many failures of a file: when one fault breaks a hundred assertions, the
 * first ones show it.
 */
const failuresShown = 5

export function describeFailures (results: readonly FileResult[]): string {
  return results.filter(({ failures }) => failures.length > 0).map(describeFile).join('\n')
}

function describeFile ({ file, failures, output }: FileResult): string {
  const left = failures.length - failuresShown
  const told = failures.slice(0, failuresShown).map(({ path, detail }) =>
    `\nFailed: ${[file, ...path].join(' > ')}\n${indent(detail)}`
  )
  if (left > 0) told.push(`\nFailed: ${left} more in ${file}`)
  if (output.length === 0) return told.join('\n')
  const last = output.slice(-outputShown).join('\n')
  return [...told, `\nThe last output of ${file}:`, indent(last)].join('\n')
}

/** Returns a line for each skipped test: a run that leaves something out must say so. */
export function describeSkipped (results: readonly FileResult[]): string {
  return results.flatMap(({ file, skipped }) => skipped.map(text => `Skipped: ${file} > ${text}`)).join('\n')
}

/** The files that took longest. Their processor time says whether they worked or waited. */
export function describeSlowest (results: readonly FileResult[]): string {
  return ['The slowest files (clock, processor):', ...timesOf(results).slice(0, slowestShown)].join('\n')
}

/** Returns a line for each file, the slowest first. */
export function timesOf (results: readonly FileResult[]): string[] {
  return results.toSorted((a, b) => b.durationMs - a.durationMs).map(({ file, durationMs, cpuMs }) => {
    const processor = cpuMs === undefined ? '' : seconds(cpuMs)
    return `${seconds(durationMs).padStart(8)} ${processor.padStart(8)}  ${file}`
  })
}

export interface Progress {
  elapsedMs: number
  files: number
  ended: readonly FileResult[]
  tally: Tally
  running: readonly string[]
}

export function describeProgress ({ elapsedMs, files, ended, tally: { passed, failed }, running }: Progress): string {
  const counts = `${ended.length} of ${files} files, ${passed} assertions passed, ${failed} failed`
  return `${clock(elapsedMs)}  ${counts}; running ${running.join(', ')}`
}

export function describeWhole (results: readonly FileResult[], elapsedMs: number): string {
  const cpuMs = results.reduce((sum, result) => sum + (result.cpuMs ?? 0), 0)
  return `${results.length} files in ${clock(elapsedMs)}, ${seconds(cpuMs)} of processor time`
}

function clock (milliseconds: number): string {
  const whole = Math.round(milliseconds / 1_000)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

function seconds (milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`
}

function indent (text: string): string {
  return text.split('\n').map(line => `    ${line}`).join('\n')
}
