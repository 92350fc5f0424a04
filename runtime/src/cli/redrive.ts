import { escapeUnprintable } from '@linker/sdk/host/text'
import { InvalidArgumentError, Option, type Command } from 'commander'
import { setTimeout as sleep } from 'node:timers/promises'
import { emptyFilter } from '../jobs/redrive/empty-filter.ts'
import { skippedIn } from '../jobs/redrive/figures.ts'
import type { RedrivePlan, RedriveStarted, RedriveView } from '../jobs/redrive/schemas.ts'
import { print } from '../terminal/print.ts'
import { createProgress } from '../terminal/progress.ts'
import { formatTable } from '../terminal/table.ts'
import { countOf } from '../words.ts'
import { readConnectionNames } from './connection-name.ts'
import { withHub } from './connections.ts'
import { completeIdAmong } from './find-id.ts'
import { describeSkipped, formatDead } from './format-dead.ts'
import { createHubClient, HubError, type HubClient, type HubOptions, type TypedClient } from './hub-client.ts'
import { hasJobFilter, jobFilterOf, withJobFilter, type JobFilterOptions } from './job-filter.ts'

interface JsonOptions extends HubOptions {
  json?: boolean
}

interface WaitOptions extends JsonOptions {
  wait?: boolean
}

interface RedriveOptions extends WaitOptions, JobFilterOptions {
  job?: string[]
  first?: number
  perMinute?: number
  dryRun?: boolean
}

const idArgument = ['<id>', 'id of the redrive, or its beginning'] as const
const description = 'run all dead jobs again that meet the options; at least one is needed; exits with 1 when no job ' +
  'can run again'
const jsonOption = ['--json', 'print JSON'] as const
const waitOption = [
  '--wait',
  'wait until it is done, or its first jobs have ended; exits with 1 when no job ran again, a job died again ' +
  'or could not be run again, or somebody stopped it'
] as const
const lookEveryMs = 1_000
/** The most redrives among which a beginning of an id is looked for, newest first. */
const mostRedrives = 10_000

/** `linker jobs redrive`, with `show`, `continue` and `stop`, and `linker jobs redrives`. */
export function addRedrive (jobs: Command): void {
  const redrive = jobs.command('redrive')

  withHub(withJobFilter(redrive.description(description))
    .option('--job <id...>', 'only these jobs')
    .option('--dry-run', 'only tell what would happen')
    .addOption(new Option('--first <n>', 'run so many jobs first, then wait for `continue`').argParser(readCount))
    .addOption(new Option('--per-minute <n>', 'run at most so many jobs again in a minute').argParser(readCount))
    .option(...waitOption)
    .option(...jsonOption))
    .action(async ({ job: jobIds, first, perMinute, dryRun = false, ...options }: RedriveOptions) => {
      if (jobIds === undefined && !hasJobFilter(options)) throw new HubError(emptyFilter)
      const hub = await openHub(options)
      const filter = { ...await jobFilterOf(hub, options), jobIds }
      const plan = await hub.post('/jobs/retry', { body: { filter, dryRun: true } })
      // A redrive that can run no job would be done at once and look like a success.
      if ('matched' in plan && (dryRun || plan.eligible === 0)) return printPlan(hub, plan, { ...options, dryRun })
      const started = await hub.post('/jobs/retry', { body: { filter, first, perMinute } })
      if ('total' in started) await reportStart(hub, started, options)
    })

  withHub(redrive.command('show').description('show how far a redrive is').argument(...idArgument)
    .option(...jsonOption))
    .action(async (text: string, options: JsonOptions) => {
      const hub = await openHub(options)
      await report(hub, await readRedrive(hub, await findRedrive(hub, text)), options)
    })

  withHub(redrive.command('continue').description('run the other jobs, too, after the first ones have ended')
    .argument(...idArgument)
    .option(...waitOption)
    .option(...jsonOption))
    .action(async (text: string, options: WaitOptions) => {
      const hub = await openHub(options)
      const id = await findRedrive(hub, text)
      const continued = await hub.post('/redrives/{id}/continue', { path: { id } })
      if (options.wait === true) await waitForEnd(hub, id, options)
      else await report(hub, continued, options)
    })

  withHub(redrive.command('stop').description('run no more jobs of a redrive; those that it has run again go on')
    .argument(...idArgument)
    .option(...jsonOption))
    .action(async (text: string, options: JsonOptions) => {
      const hub = await openHub(options)
      const id = await findRedrive(hub, text)
      await report(hub, await hub.post('/redrives/{id}/stop', { path: { id } }), options)
    })

  withHub(jobs.command('redrives').description('list the redrives, newest first')
    .addOption(new Option('--limit <n>', 'at most so many').default(50).argParser(readCount))
    .option(...jsonOption))
    .action(async ({ limit, ...options }: JsonOptions & { limit: number }) => {
      const found = await (await openHub(options)).list('/redrives', {}, limit) as RedriveView[]
      print(options.json === true ? toJson(found) : formatRedrives(found))
    })
}

function openHub (options: HubOptions): Promise<TypedClient> {
  return createHubClient(process.env, process.cwd(), options)
}

function readCount (text: string): number {
  const count = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0
  if (count < 1 || count > 10_000) throw new InvalidArgumentError('give a number from 1 to 10000')
  return count
}

/** Returns the id of the redrive that begins with a text of eight characters or more. */
async function findRedrive (hub: HubClient, text: string): Promise<string> {
  return completeIdAmong(text, 'redrive', async () =>
    (await hub.list('/redrives', {}, mostRedrives) as RedriveView[])
      .filter(({ id }) => id.startsWith(text.toLowerCase()))
      .map(({ id, state, startedAt }) => ({ id, title: state, subtitle: startedAt })))
}

async function readRedrive (hub: TypedClient, id: string): Promise<RedriveView> {
  return hub.get('/redrives/{id}', { path: { id } })
}

async function printPlan (
  hub: HubClient,
  plan: RedrivePlan,
  { json, dryRun }: JsonOptions & { dryRun: boolean }
): Promise<void> {
  if (plan.eligible === 0) process.exitCode = 1
  if (json === true) return print(toJson(plan))
  print(await formatPlan(hub, plan))
  if (!dryRun) print('\nnothing was started, because no job can run again')
}

async function reportStart (hub: TypedClient, started: RedriveStarted, options: WaitOptions): Promise<void> {
  const { id, total, atMost } = started
  if (options.wait === true) await waitForEnd(hub, id, options)
  else if (options.json === true) print(toJson(started))
  else {
    print(`${id}  ${countOf(total, 'job')}${atMost ? ', the oldest; more meet the options' : ''}`)
    print(`\`linker jobs redrive show ${id}\` tells how far it is`)
  }
}

/** A redrive that waits for `continue`, or was stopped, does not go on by itself. */
async function waitForEnd (hub: TypedClient, id: string, options: JsonOptions): Promise<void> {
  const progress = createProgress(process.stderr)
  let said = ''
  let redrive = await readRedrive(hub, id)
  while (redrive.state === 'running') {
    const now = describeCounts(redrive)
    if (now !== said) progress(now)
    said = now
    await sleep(lookEveryMs)
    redrive = await readRedrive(hub, id)
  }
  const hasFailed = redrive.skipped.some(({ reason }) => reason === 'retry-failed')
  if (redrive.retried === 0 || hasFailed || redrive.deadAgain > 0 || redrive.state === 'stopped') process.exitCode = 1
  await report(hub, redrive, options)
}

async function report (hub: HubClient, redrive: RedriveView, { json }: JsonOptions): Promise<void> {
  print(json === true ? toJson(redrive) : await describeRedrive(hub, redrive))
}

async function formatPlan (hub: HubClient, plan: RedrivePlan): Promise<string> {
  const { matched, eligible, skipped, atMost } = plan
  const lines = [
    `${countOf(matched, 'job')} ${matched === 1 ? 'matches' : 'match'}${
      atMost ? ', and more that were not counted' : ''
    }`,
    `${eligible} would run again`,
    ...describeSkipped(skipped)
  ]
  return [lines.join('\n'), ...await formatDead(hub, plan)].join('\n\n')
}

function describeCounts (redrive: RedriveView): string {
  const { retried, total, succeeded, deadAgain, cancelled, skipped, remaining } = redrive
  const skippedCount = skippedIn(skipped)
  return [
    `${retried} of ${countOf(total, 'job')} retried`,
    `${succeeded} succeeded`,
    `${deadAgain} died again`,
    ...cancelled === 0 ? [] : [`${cancelled} cancelled`],
    ...skippedCount === 0 ? [] : [`${skippedCount} skipped`],
    `${remaining} remain`
  ].join(', ')
}

async function describeRedrive (hub: HubClient, redrive: RedriveView): Promise<string> {
  const { id, state, detail, skipped, deaths } = redrive
  return [
    `${id}  ${state}: ${detail}`,
    describeCounts(redrive),
    await describeFilter(hub, redrive),
    ...describeSkipped(skipped),
    ...deaths.map(({ code, count, sampleJobId }) =>
      `${count} died again: ${code ?? 'unknown'}, such as ${sampleJobId}`
    ),
    ...state === 'waiting'
      ? [`\`linker jobs redrive continue ${id}\` lets the others run, \`linker jobs redrive stop ${id}\` ends it`]
      : []
  ].map(escapeUnprintable).join('\n')
}

async function describeFilter (hub: HubClient, { filter, first, perMinute }: RedriveView): Promise<string> {
  const { connectionId, jobIds, ...members } = filter
  const name = connectionId === undefined ? undefined : (await readConnectionNames(hub)).get(connectionId)
  const parts = {
    connection: name ?? connectionId,
    ...members,
    jobs: jobIds?.length,
    first: first ?? undefined,
    perMinute: perMinute ?? undefined
  }
  return Object.entries(parts).flatMap(([part, value]) => value === undefined ? [] : [`${part}: ${value}`]).join(', ')
}

function formatRedrives (found: readonly RedriveView[]): string {
  return formatTable(
    ['redrive', 'state', 'jobs', 'retried', 'succeeded', 'died again', 'remain', 'started', 'by', 'ended'],
    found.map(({ id, state, total, retried, succeeded, deadAgain, remaining, startedAt, startedBy, endedAt }) => [
      id,
      state,
      ...[total, retried, succeeded, deadAgain, remaining].map(String),
      startedAt,
      startedBy.name,
      endedAt ?? ''
    ])
  )
}

function toJson (value: unknown): string {
  return JSON.stringify(value, null, 2)
}
