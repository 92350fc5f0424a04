import { escapeUnprintable } from '@linker/sdk/host/text'
import { Option, type Command } from 'commander'
import { print } from '../terminal/print.ts'
import { createProgress } from '../terminal/progress.ts'
import { formatTable } from '../terminal/table.ts'
import type { DeliveryDetail, DeliveryView, ReplaySummary } from '../webhooks/deliveries/schemas.ts'
import type { RefusalView } from '../webhooks/refusals/schemas.ts'
import { shellWord } from '../words.ts'
import { connectionArgument, findConnection, readConnectionNames } from './connection-name.ts'
import { withHub } from './connections.ts'
import { describeOutcome, describeSample, describeSummary } from './describe-summary.ts'
import { completeId } from './find-id.ts'
import { createHubClient, HubError, type HubClient, type HubOptions } from './hub-client.ts'
import { parseCount } from './parse-count.ts'
import { parsePast, pastForms } from './parse-time.ts'

interface FilterOptions extends HubOptions {
  provider?: string
  connection?: string
  type?: string
  event?: string
  status?: string
  replayed?: string
  since?: string
  until?: string
  json?: boolean
}

interface ReplayOptions extends FilterOptions {
  includeReplayed?: boolean
  dryRun?: boolean
}

const statuses = ['queued', 'running', 'waiting', 'succeeded', 'dead', 'cancelled', 'ignored']
const idArgument = 'what the sender got as X-Linker-Delivery-Id, or its beginning'

/** `linker deliveries list`, `show`, `replay` and `refusals`. */
export function addDeliveries (program: Command): void {
  const deliveries = program.command('deliveries').description('webhook deliveries that a running hub got')
  const client = (options: HubOptions) => createHubClient(process.env, process.cwd(), options)

  withHub(withFilter(deliveries.command('list')
    .description('list the newest accepted deliveries and what became of them'))
    .addOption(new Option('--limit <n>', 'most deliveries').default(100).argParser(parseCount))
    .option('--json', 'print JSON'))
    .action(async (options: FilterOptions & { limit: number }) => {
      const hub = await client(options)
      const filter = await filterOf(hub, options)
      const found = await hub.list('/webhook-deliveries', filter, options.limit) as DeliveryView[]
      print(options.json === true ? toJson(found) : await formatDeliveries(hub, found))
    })

  withHub(deliveries.command('show').description('show a delivery, the end of its job, and its replays')
    .argument('<id>', idArgument)
    .option('--json', 'print JSON'))
    .action(async (id: string, options: HubOptions & { json?: boolean }) => {
      const hub = await client(options)
      const found = await hub.call('GET', await pathOf(hub, id)) as DeliveryDetail
      print(options.json === true ? toJson(found) : await formatDelivery(hub, found))
    })

  withHub(withFilter(deliveries.command('replay')
    .description('handle the event of a delivery again, or those of all deliveries that meet the options; exits with ' +
      '1 when nothing was replayed')
    .argument('[id]', idArgument))
    .option('--include-replayed', 'with options: also those of which an earlier replay succeeded or has not ended')
    .option('--dry-run', 'with options instead of an id: only tell what would happen')
    .option('--json', 'print JSON'))
    .action(async (id: string | undefined, options: ReplayOptions) => {
      const hub = await client(options)
      const filter = await filterOf(hub, options)
      const hasFilter = Object.values(filter).some(value => value !== undefined)
      if (id === undefined && !hasFilter) {
        throw new HubError('give the id of a delivery, or options that say which deliveries, such as --connection')
      }
      if (id !== undefined && hasFilter) {
        throw new HubError('give either the id of a delivery or options that say which deliveries, not both')
      }
      await (id === undefined ? replayMany(hub, filter, options) : replayOne(hub, id, options))
    })

  withHub(deliveries.command('refusals')
    .description('count the refused deliveries of a connection by their reasons, with a remedy for each')
    .argument(...connectionArgument)
    .option('--json', 'print JSON'))
    .action(async (connection: string, options: HubOptions & { json?: boolean }) => {
      const hub = await client(options)
      const path = `/connections/${await findConnection(hub, connection)}/webhooks/refusals`
      const found = await hub.call('GET', path) as RefusalView[]
      print(options.json === true ? toJson(found) : formatRefusals(found))
    })
}

function withFilter (command: Command): Command {
  return command
    .option('--provider <platform>', 'only deliveries of this platform')
    .option('--connection <connection>', 'only deliveries of this connection, by its name or id')
    .option('--type <eventType>', 'only events of this type, such as stock.changed')
    .option('--event <id>', 'only deliveries of this event')
    .addOption(new Option('--status <status>', 'only this end').choices(statuses))
    .addOption(new Option('--replayed <answer>', 'only deliveries that were replayed, or were not')
      .choices(['true', 'false']))
    .option('--since <time>', `only deliveries recorded at this time or later: ${pastForms}`, parsePast)
    .option('--until <time>', `only deliveries recorded before this time: ${pastForms}`, parsePast)
}

async function filterOf (hub: HubClient, { connection, type, event, ...options }: FilterOptions) {
  const { provider, status, replayed, since, until } = options
  return {
    provider,
    connectionId: connection === undefined ? undefined : await findConnection(hub, connection),
    eventType: type,
    eventId: event,
    status,
    replayed,
    since,
    until
  }
}

async function pathOf (hub: HubClient, id: string): Promise<string> {
  return `/webhook-deliveries/${encodeURIComponent(await completeId(hub, ['delivery'], id))}`
}

async function replayOne (
  hub: HubClient,
  id: string,
  { includeReplayed, dryRun, json }: ReplayOptions
): Promise<void> {
  if (dryRun === true) throw new HubError('--dry-run goes with options, not with an id')
  if (includeReplayed === true) throw new HubError('--include-replayed goes with options; an id is always replayed')
  const path = `${await pathOf(hub, id)}/replay`
  const answer = await hub.call('POST', path) as { jobId: string | null, ignored?: string }
  if (answer.jobId === null) process.exitCode = 1
  const text = answer.jobId ?? `the event still starts no job: ${answer.ignored ?? ''}`
  print(json === true ? toJson(answer) : escapeUnprintable(text))
}

async function replayMany (
  hub: HubClient,
  { replayed, ...filter }: { replayed?: string | undefined },
  options: ReplayOptions
): Promise<void> {
  const { includeReplayed = false, dryRun = false, json } = options
  createProgress(process.stderr)('the hub looks for the deliveries')
  const summary = await hub.call('POST', '/webhook-deliveries/replay', {
    filter: { ...filter, replayed: replayed === undefined ? undefined : replayed === 'true' },
    includeReplayed,
    dryRun
  }) as ReplaySummary
  if (summary.jobs === 0) process.exitCode = 1
  print(json === true ? toJson(summary) : await formatSummary(hub, summary, options))
}

async function formatSummary (hub: HubClient, summary: ReplaySummary, options: ReplayOptions): Promise<string> {
  const { includeReplayed = false } = options
  const { dryRun, jobs, sample } = summary
  const lines = describeSummary(summary, includeReplayed)
  if (dryRun && sample.length > 0) lines.push('', ...describeSample(summary), await formatPlanned(hub, sample))
  if (!dryRun && jobs > 0) lines.push('', `\`${listCommand(options)}\` shows the ends of the replays.`)
  return lines.join('\n')
}

/** Lists the deliveries of a filter that were replayed, with the ends of their replays. */
function listCommand ({ provider, connection, type, event, status, since, until }: FilterOptions): string {
  const members = { provider, connection, type, event, status, since, until }
  const given = Object.entries(members).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${shellWord(value)}`]
  )
  return ['linker deliveries list', ...given, '--replayed true'].join(' ')
}

const headings = ['time', 'connection', 'event', 'object', 'status', 'replays', 'delivery', 'reason']

async function formatDeliveries (hub: HubClient, found: readonly DeliveryView[]): Promise<string> {
  return formatTable(headings, await rowsOf(hub, found))
}

/** The deliveries of a dry run, each with what a replay would do with it. */
async function formatPlanned (hub: HubClient, sample: ReplaySummary['sample']): Promise<string> {
  const rows = await rowsOf(hub, sample)
  return formatTable(
    ['would be', ...headings],
    rows.map((row, index) => [describeOutcome(sample[index]?.outcome), ...row])
  )
}

async function rowsOf (hub: HubClient, found: readonly DeliveryView[]): Promise<string[][]> {
  const names = await readConnectionNames(hub)
  return found.map(delivery => [
    delivery.createdAt,
    names.get(delivery.connectionId) ?? delivery.connectionId,
    delivery.eventType ?? '',
    delivery.externalId ?? '',
    delivery.status,
    describeReplays(delivery),
    delivery.id,
    reasonOf(delivery)
  ])
}

async function formatDelivery (hub: HubClient, delivery: DeliveryDetail): Promise<string> {
  const { replays, connectionId, replayCount, lastReplay: _last, ...more } = delivery
  const { waitsFor: _wait, problem: _problem, ignored: _ignored, ...others } = more
  const rows: [string, string | null][] = [
    ['connection', (await readConnectionNames(hub)).get(connectionId) ?? connectionId],
    ...Object.entries(others),
    ['replayCount', replayCount === 0 ? null : String(replayCount)],
    ['reason', reasonOf(delivery)]
  ]
  const shown = rows.filter(([, value]) => value !== null && value !== '')
  const text = formatTable(['member', 'value'], shown.map(([name, value]) => [name, value ?? '']))
  if (replays.length === 0) return text
  const replayed = replays.map(replay => [
    replay.createdAt,
    replay.status,
    replay.finishedAt ?? '',
    replay.jobId,
    reasonOf(replay)
  ])
  return `${text}\n\n${formatTable(['replayed', 'status', 'finished', 'job', 'reason'], replayed)}`
}

/** How often a delivery was replayed, and the end of the last replay. */
function describeReplays ({ replayCount, lastReplay }: DeliveryView): string {
  return lastReplay === null ? '' : `${replayCount}, last ${lastReplay.status} ${lastReplay.createdAt}`
}

/** Why the event started no job, or why the job does not run yet, or ended without success. */
function reasonOf ({ ignored = null, waitsFor, problem }:
  & Pick<DeliveryView, 'waitsFor' | 'problem'>
  & Partial<DeliveryView>): string
{
  if (ignored !== null) return ignored
  if (waitsFor !== null) return describeWait(waitsFor)
  return problem === null ? '' : `${problem.code}: ${problem.message}`
}

/** The detail of a paused capability already has the end of the pause. */
function describeWait ({ reason, detail, until }: NonNullable<DeliveryView['waitsFor']>): string {
  const end = until === undefined || detail.includes(until) ? '' : ` (until ${until})`
  return `${reason}: ${detail}${end}`
}

function formatRefusals (found: readonly RefusalView[]): string {
  if (found.length === 0) return 'no delivery was refused in the last 30 days'
  const table = formatTable(
    ['code', 'count', 'first', 'last', 'last answer'],
    found.map(({ code, count, firstAt, lastAt, lastDetail }) => [
      code,
      String(count),
      firstAt,
      lastAt,
      lastDetail ?? ''
    ])
  )
  return [table, '', ...found.map(({ code, remedy }) => escapeUnprintable(`${code}: ${remedy}`))].join('\n')
}

function toJson (value: unknown): string {
  return JSON.stringify(value, null, 2)
}
