import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { planBatches, type Batch } from './runner/batches.ts'
import { lanes, partOf } from './runner/lanes.ts'
import { describeFailures, describeSkipped, describeSlowest, describeWhole, timesOf } from './runner/report.ts'
import { tally, type FileResult } from './runner/results.ts'
import { runBatches } from './runner/run-batches.ts'
import { refreshBundles } from './support/bundle.ts'
import { dropAbandoned } from './support/databases.ts'
import { makeTemplates } from './support/make-templates.ts'
import { repository } from './support/project.ts'
import { findServers, type Servers } from './support/servers.ts'
import { tarballsVariable } from './support/tarballs.ts'

// `run.ts [quick|rest|full] [file …]` runs a lane of the tests, or files (CONTRIBUTING.md).

/**
 * Two processes per core, because tests wait as much as they compute. More than four would need
 * more connections than PostgreSQL allows by default.
 */
const processes = Math.min(4, 2 * availableParallelism())
const longestMs = 40 * 60_000

function stop (message: string): never {
  console.error(message)
  process.exit(1)
}

interface Plan {
  batches: Batch[]
  needsServers: boolean
}

async function plan ([first = 'quick', ...others]: readonly string[]): Promise<Plan> {
  const lane = lanes[first]
  const patterns = lane === undefined ? [first, ...others] : others
  const isLane = lane !== undefined && patterns.length === 0
  const batches = await planBatches(isLane ? lane : [partOf(patterns)])
  if (batches.length === 0) stop(`no test file matches ${patterns.join(' ')}`)
  return { batches, needsServers: isLane && first !== 'quick' }
}

async function findServersFor (needsThem: boolean): Promise<Servers> {
  const servers = await findServers(process.env)
  const missing = servers.missing.join(' and ')
  const remedy = 'Start what is missing, or set LINKER_TEST_DATABASE_URL and LINKER_TEST_REDIS_URL, and run this again.'
  if (missing !== '' && needsThem) stop(`This lane needs ${missing}. ${remedy}`)
  if (missing !== '') console.log(`Skipping every test that needs ${missing}. ${remedy}`)
  return servers
}

async function runWith ({ databaseUrl, redisUrl }: Servers, batches: readonly Batch[]): Promise<FileResult[]> {
  await refreshBundles()
  if (databaseUrl !== undefined) await dropAbandoned(databaseUrl, new Date())
  const directory = await mkdtemp(join(tmpdir(), 'linker-test-'))
  const templates = await makeTemplates(join(directory, 'template'), databaseUrl)
  // Unset the variable of a server that does not answer: tests take a set variable for a server.
  const { LINKER_TEST_DATABASE_URL: _database, LINKER_TEST_REDIS_URL: _redis, ...inherited } = process.env
  const environment: NodeJS.ProcessEnv = {
    ...inherited,
    // Cache compiled modules: hundreds of processes and threads load the same ones, in every run.
    NODE_COMPILE_CACHE: join(repository, 'node_modules', '.cache', 'linker-tests'),
    ...templates.variables,
    [tarballsVariable]: join(directory, 'tarballs'),
    ...(databaseUrl === undefined ? {} : { LINKER_TEST_DATABASE_URL: databaseUrl }),
    ...(redisUrl === undefined ? {} : { LINKER_TEST_REDIS_URL: redisUrl })
  }
  try {
    return await runBatches(batches, { environment, processes, longestMs, output: process.stdout })
  } finally {
    await templates.drop()
    await rm(directory, { recursive: true, force: true })
  }
}

const startedAt = performance.now()
const { batches, needsServers } = await plan(process.argv.slice(2))
const results = await runWith(await findServersFor(needsServers), batches)

console.log(`\n${describeSlowest(results)}\n\n${describeWhole(results, performance.now() - startedAt)}`)
const skipped = describeSkipped(results)
if (skipped !== '') console.log(skipped)
const failures = describeFailures(results)
if (failures !== '') console.log(failures)
const { passed, failed } = tally(results)
// A run that was stopped, or that ran no test, has failed, whatever it counted.
const isWhole = passed > 0 && results.length === batches.flatMap(({ files }) => files).length
const atLeast = isWhole ? failed : Math.max(failed, 1)
const { LINKER_TEST_COUNTS: counts, LINKER_TEST_TIMES: times } = process.env
if (times !== undefined) await appendFile(times, `${timesOf(results).join('\n')}\n`)
if (counts === undefined) console.log(`${passed} passed, ${atLeast} failed`)
else await appendFile(counts, `${passed} ${atLeast}\n`)
process.exitCode = atLeast === 0 ? 0 : 1
