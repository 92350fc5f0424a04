import { spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { glob, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { Parser } from 'tap-parser'
import { dropAbandoned } from './support/databases.ts'
import { makeTemplates, type Templates } from './support/make-templates.ts'
import { findServers, type Servers } from './support/servers.ts'

// What `npm test` runs after lint and types: every test file of every package, then one line that any CI understands.

// Tests wait more than they compute, so one more than there are processors; more than four would need more connections than PostgreSQL gives by default.
const jobs = Math.min(4, availableParallelism() + 1)

/** A run that hangs is ended after this, so that its log says what it was at. */
const longestRunMs = 60 * 60_000

const patterns = ['sdk/test/**/*.test.ts', 'runtime/test/**/*.test.ts', 'plugins/*/test/**/*.test.ts', 'examples/*/test/**/*.test.ts', 'test/**/*.test.ts']

async function findTests (wanted: readonly string[]): Promise<string[]> {
  const files = new Set<string>()
  for await (const file of glob(wanted.length > 0 ? [...wanted] : patterns, { exclude: path => path.includes('node_modules') })) files.add(file)
  return [...files].toSorted()
}

function runTap (files: readonly string[], servers: Servers, templates: Templates, directory: string, output: string): Promise<number> {
  // A server that does not answer is no server: the tests take a set variable for one.
  const { LINKER_TEST_DATABASE_URL: _database, LINKER_TEST_REDIS_URL: _redis, ...inherited } = process.env
  const environment = {
    ...inherited,
    // Hundreds of processes and threads load the same modules.
    NODE_COMPILE_CACHE: join(directory, 'compiled'),
    ...templates.variables,
    ...(servers.databaseUrl === undefined ? {} : { LINKER_TEST_DATABASE_URL: servers.databaseUrl }),
    ...(servers.redisUrl === undefined ? {} : { LINKER_TEST_REDIS_URL: servers.redisUrl })
  }
  // A group of its own: nothing that a test left running outlives the run, and holds its output open.
  const tap = spawn('tap', ['run', '--reporter=terse', `--jobs=${jobs}`, `--output-file=${output}`, ...files], { stdio: 'inherit', env: environment, detached: true })
  const end = (): void => { endGroup(tap.pid) }
  const timer = setTimeout(() => {
    console.error(`The run is ended: it took more than ${longestRunMs / 60_000} minutes.`)
    end()
  }, longestRunMs)
  process.once('SIGINT', end).once('SIGTERM', end)
  return new Promise((resolve, reject) => {
    tap.once('error', reject)
    tap.once('exit', code => {
      clearTimeout(timer)
      end()
      resolve(code ?? 1)
    })
  })
}

function endGroup (leader: number | undefined): void {
  if (leader === undefined) return
  try {
    process.kill(-leader, 'SIGKILL')
  } catch (error) {
    // All of it has ended already.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

interface Results {
  readonly passed: number
  /** Test files that came to an end, whatever it was. */
  readonly ended: ReadonlySet<string>
  /** What a reader of the log needs of each failure: which test, and what it says. */
  readonly failures: readonly string[]
}

function readResults (output: string): Promise<Results> {
  let passed = 0
  const ended = new Set<string>()
  const failures: string[] = []
  function follow (parser: Parser): void {
    parser.on('child', follow)
    parser.on('assert', result => {
      // The line that closes a subtest repeats what was counted inside it.
      if (result.closingTestPoint) return
      if (result.ok) passed += 1
      else failures.push(`${result.fullname} > ${result.name}\n${inspect(result.diag, { depth: 6, breakLength: 120 })}`)
    })
  }
  return new Promise((resolve, reject) => {
    const parser = new Parser()
    follow(parser)
    parser.on('assert', result => { ended.add(result.name) })
    parser.once('complete', () => { resolve({ passed, ended, failures }) })
    createReadStream(output).once('error', reject).pipe(parser)
  })
}

const servers = await findServers(process.env)
if (servers.missing.length > 0) {
  console.log(`Left out: everything that needs ${servers.missing.join(' and ')}. Start them, or point LINKER_TEST_DATABASE_URL and LINKER_TEST_REDIS_URL to some, and run this again.`)
}
if (servers.databaseUrl !== undefined) await dropAbandoned(servers.databaseUrl, new Date())
const directory = await mkdtemp(join(tmpdir(), 'linker-test-'))
const templates = await makeTemplates(join(directory, 'template'), servers.databaseUrl)
try {
  const output = join(directory, 'results.tap')
  const files = await findTests(process.argv.slice(2))
  const code = await runTap(files, servers, templates, directory, output)
  const { passed, ended, failures } = await readResults(output)
  for (const failure of failures) console.error(`\nFailed: ${failure}`)
  for (const file of files.filter(file => !ended.has(file))) console.error(`\nNot ended: ${file}`)
  // A run that broke before or between assertions has failed, whatever it counted.
  console.log(`${passed} passed, ${Math.max(failures.length, code === 0 ? 0 : 1)} failed`)
  process.exitCode = code
} finally {
  await templates.drop()
  await rm(directory, { recursive: true, force: true })
}
