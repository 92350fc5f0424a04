import { Console } from 'node:console'
import { readFileSync, realpathSync, writeSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import root from 'tap'
import { cpuComment, fileMarker, filesOf, heldOpenCode, lingerMsOf } from './protocol.ts'
import { giveOwnTest, interceptTap } from './own-tests.ts'

// The entry of a process that runs the test files it is given, one after the other.

/** Only what hangs takes so long. */
const fileTimeoutMs = 600_000
const standardError = 2
/** The unit of times in /proc on Linux. */
const clockTickMs = 10

// Standard output is TAP, and tap writes it late. What a test prints belongs beside the marker of
// its file.
globalThis.console = new Console(process.stderr)
interceptTap()
for (const file of filesOf(process.env)) {
  const url = pathToFileURL(realpathSync(file)).href
  const before = cpuMs()
  writeSync(standardError, `${fileMarker(file)}\n`)
  await root.test(file, { timeout: fileTimeoutMs }, async t => {
    giveOwnTest(url, t)
    await import(url)
  })
  root.comment(cpuComment(cpuMs() - before))
}
setTimeout(() => {
  const open = process.getActiveResourcesInfo().join(', ')
  writeSync(standardError, `What a test file left open holds the process: ${open}\n`)
  // After tap's own hook, which puts 1 in the place of any code when an assertion failed.
  process.on('exit', () => {
    process.exitCode = heldOpenCode
  })
  process.exit()
}, lingerMsOf(process.env)).unref()

/** Processor time of this process and of those that it started and that have ended. */
function cpuMs (): number {
  const { user, system } = process.cpuUsage()
  return Math.round((user + system) / 1_000) + childrenMs()
}

/** Linux tells; elsewhere the processor time of other processes is left out. */
function childrenMs (): number {
  if (process.platform !== 'linux') return 0
  // proc(5): after the name, which may hold blanks, come the fields from the third on; 16 and 17
  // are cutime and cstime.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[13]) + Number(fields[14])) * clockTickMs
}
