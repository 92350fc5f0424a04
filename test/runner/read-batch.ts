import { Parser, type FinalResults, type Result } from 'tap-parser'
import { failureOf } from './describe-assertion.ts'
import { readCpuComment, readFileMarker } from './protocol.ts'
import { fail, newResult, type FileResult } from './results.ts'

const linesKept = 40

export interface BatchReader {
  /** Takes the TAP of the process. */
  tap: Parser
  readError(line: string): void
  /** Every file that has begun. */
  results: readonly FileResult[]
}

interface Listener {
  onBegin(file: string): void
  onEnd(result: FileResult): void
}

/** Reads the output of a process that runs test files. In its TAP each file is one named test. */
export function readBatch ({ onBegin, onEnd }: Listener): BatchReader {
  const results: FileResult[] = []
  let begun: FileResult | undefined
  let ended: FileResult | undefined
  let printing: FileResult | undefined

  function resultOf (file: string): FileResult {
    const known = results.find(result => result.file === file)
    if (known !== undefined) return known
    const result = newResult(file)
    results.push(result)
    return result
  }

  const tap = new Parser()
  tap.on('child', child => {
    begun = resultOf(child.name)
    onBegin(child.name)
    follow(child, begun)
  })
  tap.on('extra', text => {
    keep(begun, text)
  })
  tap.on('comment', comment => {
    const cpuMs = readCpuComment(comment)
    if (cpuMs !== undefined && ended !== undefined) ended.cpuMs = cpuMs
  })
  tap.on('assert', assertion => {
    const { name, ok, skip, time } = assertion
    const result = resultOf(name)
    result.durationMs = time ?? 0
    if (!ok && result.failures.length === 0) result.failures.push(failureOf(assertion, name))
    if (ok && result.passed === 0 && !skip) fail(result, 'it has no test')
    ended = result
    onEnd(result)
  })

  return {
    tap,
    results,
    readError (line) {
      const file = readFileMarker(line)
      if (file === undefined) keep(printing, line)
      else printing = resultOf(file)
    }
  }
}

function follow (parser: Parser, result: FileResult): void {
  parser.on('child', child => {
    follow(child, result)
    // A test without assertions counts too: it may report faults by throwing only.
    child.once('complete', ({ ok, count }: FinalResults) => {
      if (ok && count === 0) result.passed += 1
    })
  })
  parser.on('extra', text => {
    keep(result, text)
  })
  parser.on('assert', assertion => {
    // The line that closes a test repeats the results inside it, which are counted already.
    if (assertion.closingTestPoint) return
    if (assertion.skip) result.skipped.push(describeSkip(assertion))
    if (assertion.ok) result.passed += 1
    else result.failures.push(failureOf(assertion, result.file))
  })
}

function describeSkip ({ name, skip }: Result): string {
  return typeof skip === 'string' ? `${name}: ${skip}` : name
}

function keep (result: FileResult | undefined, text: string): void {
  if (result === undefined) return
  result.output.push(...text.split('\n').map(line => line.trimEnd()).filter(line => line !== ''))
  result.output.splice(0, result.output.length - linesKept)
}
