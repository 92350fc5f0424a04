import { Console } from 'node:console'
import { readFileSync, realpathSync, writeSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { giveOwnTest, interceptTap } from './own-tests.ts'
import { cpuComment, fileMarker, filesOf, heldOpenCode, lingerMsOf } from './protocol.ts'

// The entry point of a process that runs its test files one after the other.

/** A file that takes this long hangs. */
const fileTimeoutMs = 600_000
const standardError = 2
/** The unit of times in /proc on Linux. */
const clockTickMs = 10

// The output of a test goes to standard error, beside the marker of its file. Standard output is
// TAP, which tap writes late.
globalThis.console = new Console(process.stderr)
interceptTap()
const { default: root } = await import('tap')
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
  writeSync(standardError, `A test file left something open, which keeps the process alive: ${open}\n`)
  // Register after tap's own hook, which replaces any exit code by 1 when an assertion failed.
  process.on('exit', () => {
    process.exitCode = heldOpenCode
  })
  process.exit()
}, lingerMsOf(process.env)).unref()

/** Returns the processor time of this process and of its children that have ended. */
function cpuMs (): number {
  const { user, system } = process.cpuUsage()
  return Math.round((user + system) / 1_000) + childrenMs()
}

/** Returns 0 where the system is not Linux: only /proc tells the time of children. */
function childrenMs (): number {
  if (process.platform !== 'linux') return 0
  // proc(5): the name, field 2, may hold blanks. Split after it; fields 16 and 17 are cutime and
  // cstime.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[13]) + Number(fields[14])) * clockTickMs
}
