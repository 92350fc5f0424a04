import type { Command } from 'commander'
import type { JobGroups } from '../jobs/groups/schemas.ts'
import type { ShownJob } from '../jobs/show-jobs.ts'
import { print } from '../terminal/print.ts'
import { formatTable } from '../terminal/table.ts'
import { addCancelDead } from './cancel-dead.ts'
import { readConnectionNames, type ConnectionNames } from './connection-name.ts'
import { withHub } from './connections.ts'
import { completeId } from './find-id.ts'
import { createHubClient, type HubClient, type HubOptions, type TypedClient } from './hub-client.ts'
import { jobFilterOf, withJobFilter, type JobFilterOptions } from './job-filter.ts'
import { addRedrive } from './redrive.ts'

interface JsonOptions extends HubOptions {
  json?: boolean
}

interface ListOptions extends JsonOptions, JobFilterOptions {
  status?: string
  request?: string
  limit: string
}

const idArgument = ['<id>', 'id of the job, or its beginning'] as const
const jsonOption = ['--json', 'print JSON'] as const

/** `linker jobs list`, `show`, `retry`, `redrive`, `cancel`, `cancel-dead` and `groups`. */
export function addJobs (program: Command): void {
  const jobs = program.command('jobs').description('jobs of a running hub')

  withHub(withJobFilter(jobs.command('list').description('list jobs, newest first')
    .option('--status <status>', 'only this status: queued, waiting, running, succeeded, dead or cancelled'))
    .option('--request <id>', 'only jobs that this request led to')
    .option('--limit <n>', 'at most so many, up to 200', '50')
    .option(...jsonOption))
    .action(async ({ json, ...options }: ListOptions) => {
      const hub = await openHub(options)
      const found = await hub.get('/jobs', { query: await queryOf(hub, options) })
      if (json === true) printJson(found)
      else print(formatJobs(found, await readConnectionNames(hub)))
    })

  withHub(jobs.command('show').description('show a job with its attempts and their requests to platforms')
    .argument(...idArgument)
    .option(...jsonOption))
    .action(async (id: string, options: JsonOptions) => {
      const hub = await openHub(options)
      const job = await hub.get('/jobs/{id}', { path: await pathOf(hub, id) })
      if (options.json === true) printJson(job)
      else print(describeJob(job, await readConnectionNames(hub)))
    })

  withHub(jobs.command('retry').description('run a dead or cancelled job again').argument(...idArgument)
    .option(...jsonOption))
    .action(async (id: string, options: JsonOptions) => {
      const hub = await openHub(options)
      const job = await hub.post('/jobs/{id}/retry', { path: await pathOf(hub, id) })
      if (options.json === true) printJson(job)
      else print(`${job.id}  ${describeStatus(job)}`)
    })

  addRedrive(jobs)
  addCancelDead(jobs)

  withHub(jobs.command('cancel').description('cancel a job that has not succeeded').argument(...idArgument)
    .option('--reason <text>', 'shown with the job and in the audit')
    .option(...jsonOption))
    .action(async (id: string, { reason, ...options }: JsonOptions & { reason?: string }) => {
      const hub = await openHub(options)
      const job = await hub.post('/jobs/{id}/cancel', { path: await pathOf(hub, id), body: { reason } })
      if (options.json === true) printJson(job)
      else print(`${job.id}  ${describeCancelled(job)}`)
    })

  withHub(jobs.command('groups').description('count dead or waiting jobs by connection, type and problem')
    .option('--status <status>', 'dead or waiting', 'dead')
    .option(...jsonOption))
    .action(async ({ status, json, ...options }: JsonOptions & { status: string }) => {
      const hub = await openHub(options)
      const found = await hub.get('/jobs/groups', { query: { status } })
      if (json === true) printJson(found)
      else print(formatGroups(status, found, await readConnectionNames(hub)))
    })
}

function openHub (options: HubOptions): Promise<TypedClient> {
  return createHubClient(process.env, process.cwd(), options)
}

function printJson (value: unknown): void {
  print(JSON.stringify(value, null, 2))
}

async function pathOf (hub: HubClient, id: string): Promise<{ id: string }> {
  return { id: await completeId(hub, ['job'], id) }
}

async function queryOf (hub: HubClient, options: ListOptions) {
  const { status, request, limit } = options
  return { status, ...await jobFilterOf(hub, options), requestId: request, limit }
}

function nameIn (names: ConnectionNames, id: string | null): string {
  return id === null ? '' : names.get(id) ?? id
}

function formatJobs (found: readonly ShownJob[], names: ConnectionNames): string {
  return formatTable(
    ['job', 'type', 'connection', 'status', 'attempts', 'made', 'reason'],
    found.map(job => [
      job.id,
      job.jobType,
      nameIn(names, job.connectionId),
      job.status,
      String(job.attempts.length),
      job.createdAt,
      reasonOf(job)
    ])
  )
}

/** Why the job does not run yet, or why it ended without success. */
export function reasonOf ({ waitsFor, problem }: Pick<ShownJob, 'waitsFor' | 'problem'>): string {
  if (waitsFor !== null) {
    const { reason, detail, until } = waitsFor
    return `${reason}: ${detail}${until === undefined || detail.includes(until) ? '' : `; until ${until}`}`
  }
  return problem === null ? '' : `${problem.code}: ${problem.message}`
}

function describeJob (job: ShownJob, names: ConnectionNames): string {
  const { requestId, objectKey, dueAt, waitsFor, coalescedInto, payload, result } = job
  const lines: [string, string | null][] = [
    ['object', objectKey],
    ['request', requestId],
    ['merged with', coalescedInto],
    ['due', dueAt],
    ['until', waitsFor?.until ?? null],
    ['payload', JSON.stringify(payload)],
    ['result', result === null ? null : JSON.stringify(result)]
  ]
  const rows = lines.filter((line): line is [string, string] => line[1] !== null)
  return [
    formatJobs([job], names),
    formatTable(['about', ''], rows),
    formatAttempts(job),
    ...job.attempts.some(({ calls }) => calls !== undefined) ? [formatCalls(job)] : []
  ].join('\n\n')
}

function formatAttempts ({ attempts }: ShownJob): string {
  return formatTable(
    ['started', 'finished', 'error'],
    attempts.map(({ startedAt, finishedAt, error }) => [
      startedAt,
      finishedAt,
      error === undefined ? '' : `${error.code}: ${error.message}`
    ])
  )
}

function formatCalls ({ attempts }: ShownJob): string {
  return formatTable(
    ['attempt', 'sent', 'request', 'answer', 'ms'],
    attempts.flatMap(({ calls = [], callsLeftOut = 0 }, index) => {
      const rows = calls.map(({ at, method, path, status, error, ms }) => [
        String(index + 1),
        at,
        `${method} ${path}`,
        [status, error].filter(part => part !== null && part !== undefined).join(' '),
        String(ms)
      ])
      return callsLeftOut === 0
        ? rows
        : rows.toSpliced(rows.length / 2, 0, [String(index + 1), '', `${callsLeftOut} requests left out`, '', ''])
    })
  )
}

function describeStatus ({ status, waitsFor, coalescedInto }: ShownJob): string {
  const merged = coalescedInto === null ? '' : `, merged with ${coalescedInto}`
  return `${status}${merged}${status === 'waiting' && waitsFor !== null ? `: ${waitsFor.detail}` : ''}`
}

function describeCancelled (job: ShownJob): string {
  return job.finishedAt === null ? 'is being broken off; `linker jobs show` says how it ended' : job.status
}

export function formatGroups (status: string, { groups, atMost }: JobGroups, names: ConnectionNames): string {
  const table = formatTable(
    ['jobs', 'connection', 'type', status === 'dead' ? 'code' : 'sample waits for', 'first', 'last', 'sample'],
    groups.map(({ count, connectionId, jobType, code, reason, firstAt, lastAt, sampleJobId }) => [
      String(count),
      nameIn(names, connectionId),
      jobType,
      describeReason(reason, code),
      firstAt,
      lastAt,
      sampleJobId
    ])
  )
  return atMost ? `${table}\n\nThere are more jobs than were counted.` : table
}

/** Only a failure has a code that tells more than the reason. */
function describeReason (reason: JobGroups['groups'][number]['reason'], code: string | null): string {
  if (reason === null) return code ?? ''
  return reason === 'retry' && code !== null ? `${reason}: ${code}` : reason
}
