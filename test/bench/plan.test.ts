import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { repository } from '../support/project.ts'
import { runShell } from '../support/shell.ts'
import { readMeasured, type Measured } from './plan/measured.ts'
import { defaultOptions, type Options } from './plan/options.ts'
import { describePlan } from './plan/print.ts'
import { bottlenecksOf, makePlan, reachedAt, unitsOf, type Plan } from './plan/resources.ts'
import { sampleRows, writeSampleResults } from './plan/sample-results.ts'

async function makeFolder (t: Test, rows = sampleRows): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'linker-plan-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await writeSampleResults(folder, { modes: ['embedded', 'postgres', 'full'], rows })
  return folder
}

/** 1 000 events a second; nothing else costs much. */
const small: Options = {
  ...defaultOptions,
  connections: 1_000,
  'events-per-second': 1_000,
  'orders-per-second': 0,
  'jobs-per-hour': 0,
  variants: 1_000,
  offers: 2_000,
  'worker-slots': 50,
  'busy-percent': 50
}

function resourceOf (plan: Plan, name: string) {
  const found = plan.resources.find(resource => resource.name.startsWith(name))
  if (found === undefined) throw new Error(`the plan has no resource '${name}'`)
  return found
}

const firstOf = (plan: Plan): string | undefined => bottlenecksOf(plan)[0]?.name

t.test('the plan for a load that can be computed by hand', async t => {
  const measured = await readMeasured(await makeFolder(t), 'full')
  const plan = makePlan(small, measured)
  const demandOf = (name: string): number => Number(resourceOf(plan, name).demand.toPrecision(6))

  // Two offers a variant: a job reads, a job finds the offers, two jobs write.
  t.equal(plan.rates.writes, 2_000)
  t.equal(plan.rates.jobs, 4_000)
  t.equal(demandOf('CPU of processes that accept'), 1_000 * 50 / 1e6)
  t.equal(demandOf('CPU of processes that work'), Number((2 - 0.05 + 1_000 / 900 * 40 / 1e6).toPrecision(6)))
  t.equal(demandOf('jobs at the same time'), Number(((1_000 + 2_000 + 1_000 / 900 / 500) * 0.2).toPrecision(6)))
  t.equal(demandOf('CPU of PostgreSQL'), 4_000 * 200 / 1e6)
  t.equal(demandOf('writing transactions'), 800)
  t.equal(demandOf('write-ahead log'), 15.625)
  t.equal(demandOf('CPU of Redis'), 0.02)
  t.equal(demandOf('memory of Redis'), Number(((604_800_000 * 360 + 2 * 64 * 1024 ** 2) / 1024 ** 3).toPrecision(6)))
  t.equal(
    demandOf('disk of the database'),
    Number(((4_000 * 1_209_600 * 1_000 + 1_000 * 1_000 + 2_000 * 500) / 1024 ** 3).toPrecision(6))
  )
  t.equal(plan.httpProcesses, 1)
  // 600.4 jobs wait at the same time for their platforms, 50 in a process.
  t.equal(plan.workerProcesses, 13)
  t.equal(demandOf('connections to PostgreSQL'), 14 * 14)
  t.equal(plan.memoryGib, 14 * 256 / 1_024)
})

t.test('twice the load needs twice the processes and ends at half the share', async t => {
  const measured = await readMeasured(await makeFolder(t), 'full')
  const once = makePlan({ ...small, 'events-per-second': 20_000 }, measured)
  const twice = makePlan({ ...small, 'events-per-second': 40_000 }, measured)

  t.strictSame([once.httpProcesses, twice.httpProcesses], [2, 4])
  t.strictSame([once.workerProcesses, twice.workerProcesses], [241, 481])
  const shareOf = (plan: Plan): number => reachedAt(resourceOf(plan, 'CPU of PostgreSQL'))
  t.equal(shareOf(twice), shareOf(once) / 2)
})

t.test('the first bottleneck is the one that is used up first, and moves with its setting', async t => {
  const measured = await readMeasured(await makeFolder(t), 'full')
  const first = (changes: Partial<Options>): string | undefined => firstOf(makePlan({ ...small, ...changes }, measured))

  t.equal(first({}), 'memory of Redis')
  t.equal(first({ 'redis-gib': 1_000 }), 'disk of the database')
  t.equal(first({ 'redis-gib': 1_000, 'job-retention-days': 1, 'dedup-days': 1 }), 'connections to PostgreSQL')
  const wide = { 'redis-gib': 1_000, 'job-retention-days': 1, 'dedup-days': 1, 'worker-slots': 1_000 }
  t.equal(first(wide), 'disk of the database')
  t.equal(first({ ...wide, 'database-disk-gib': 1e6, 'database-cores': 1 }), 'CPU of PostgreSQL')
  t.equal(
    first({ ...wide, 'database-disk-gib': 1e6, connections: 1, 'connection-slots': 1 }),
    'jobs/s of one connection, all being alike'
  )
})

t.test('each mode has the resources that it uses', async t => {
  const folder = await makeFolder(t)
  const planOf = async (mode: Options['mode']): Promise<Plan> =>
    makePlan({ ...small, mode }, await readMeasured(folder, mode))
  const [embedded, postgres, full] = [await planOf('embedded'), await planOf('postgres'), await planOf('full')]
  const names = (plan: Plan): string => plan.resources.map(({ name }) => name).join()

  t.notMatch(names(embedded), /PostgreSQL|Redis/)
  t.notMatch(names(postgres), /Redis/)
  t.match(names(full), /CPU of Redis/)
  t.equal(resourceOf(embedded, 'CPU of the process').most, 1)
  // Without Redis each event keeps two messages.
  t.equal(
    Math.round((resourceOf(postgres, 'disk').demand - resourceOf(full, 'disk').demand) * 1024 ** 3),
    2 * 604_800_000 * 500
  )
  t.strictSame([embedded.redisServers, postgres.redisServers, full.redisServers], [0, 0, 4])
})

t.test('growth makes an event dearer, and says where the measurements end', async t => {
  const measured = await readMeasured(await makeFolder(t), 'full')
  const demandAt = (connections: number): number =>
    resourceOf(makePlan({ ...small, connections }, measured), 'CPU of PostgreSQL').demand

  t.equal(demandAt(1_000), 0.8)
  t.equal(Number(demandAt(2_000).toFixed(6)), 0.88)
  const { warnings } = makePlan({ ...small, connections: 20_000 }, measured)
  t.match(warnings, [/20 000 connections/, /4\.8 billion jobs/])
})

t.test('every figure of the plan shows where it comes from', async t => {
  const measured = await readMeasured(await makeFolder(t), 'full')
  const text = describePlan(small, measured, makePlan(small, measured))

  t.match(text, /redisCpu +20 +jobs-full\.json, row "a process that accepts, a process that works"/)
  t.match(text, /jobBytes +1 000 +retention-postgres\.json, row "within 1 % of its largest"/)
  t.match(text, /--busy-percent +50 +how busy a core may be/)
  t.match(text, /First bottleneck: memory of Redis, at 32 % = 320 events\/s\n +what moves it: .*LINKER_STREAM_BYTES/)
  t.match(text, /needs 4 Redis servers/)
  t.equal(unitsOf(resourceOf(makePlan(small, measured), 'memory of Redis')), 4)
})

t.test('a missing result names the command that makes it', async t => {
  const { stock: _stock, ...others } = sampleRows
  await t.rejects(readMeasured(await makeFolder(t, others), 'full'), {
    message: /stock-full\.json is missing\. Make it with: npm run bench -- stock --mode full$/
  })
  const { retention: _retention, ...young } = sampleRows
  await t.rejects(readMeasured(await makeFolder(t, young), 'full'), {
    message: /retention-postgres\.json is missing\. Make it with: npm run bench -- retention --mode postgres$/
  })
  const jobs = { 'a process that accepts, a process that works': { cpu: 150 } }
  const rejected: Promise<Measured> = readMeasured(await makeFolder(t, { ...sampleRows, jobs }), 'full')
  await t.rejects(rejected, {
    message: /jobs-full\.json, row .* is missing\. Make it with: npm run bench -- jobs --mode/
  })
})

t.test('the program takes options, and refuses what it does not know', async t => {
  const folder = await makeFolder(t)
  const run = async (args: string): Promise<{ code: number | null, text: string }> => {
    const shell = runShell(t, `npm run -s plan -- --results ${folder} ${args}`)
    return { code: await shell.ended, text: shell.lines.join('\n') }
  }

  t.match(await run('--mode postgres --connections 20'), { code: 0, text: /--connections +20 / })
  t.match(await run('--connections many'), { code: 1, text: /--connections must be a number/ })
  t.match(await run('--mode cluster'), { code: 1, text: /--mode must be one of embedded, postgres, full/ })
  t.match(await run('--results nowhere'), {
    code: 1,
    text: /^nowhere\/.*\.json is missing\. Make it with: npm run bench/
  })
})

t.test('what the plan assumes of the runtime is what the runtime does', async t => {
  const numberIn = async (file: string, pattern: RegExp): Promise<number> => {
    const text = await readFile(join(repository, 'runtime', 'src', file), 'utf8')
    return Number(pattern.exec(text)?.[1]?.replaceAll('_', ''))
  }
  const { main, publish, listen } = (await readFile(join(repository, 'runtime/src/database/session.ts'), 'utf8'))
    .match(/sessions = \{ main: (?<main>\d+), publish: (?<publish>\d+), listen: (?<listen>\d+) \}/)?.groups ?? {}

  t.equal(defaultOptions['process-connections'], Number(main) + Number(publish) + Number(listen))
  t.equal(defaultOptions['worker-slots'], await numberIn('handlers/plugin.ts', /concurrency: (\d+)/))
  t.equal(defaultOptions['connection-slots'], await numberIn('handlers/plugin.ts', /perConnection: (\d+)/))
  t.equal(defaultOptions['job-retention-days'], await numberIn('jobs/retention.ts', /finishedDays: (\d+)/))
  t.equal(
    defaultOptions['dedup-days'] * 86_400,
    await numberIn('streams/port.ts', /markerTtlSeconds = ([\d_]+)/)
  )
  t.equal(
    defaultOptions['stream-mib'] * 1024 ** 2,
    await numberIn('config.ts', /LINKER_STREAM_BYTES:[^}]*default: ([\d_]+)/)
  )
})
