import { escapeUnprintable } from '@linker/sdk/host/text'
import { Option, type Command } from 'commander'
import { retryableStatuses, type RetryableStatus } from '../orders/retries/reasons.ts'
import type { OrderRetrySummary } from '../orders/retries/schemas.ts'
import type { OrderSummary, OrderView } from '../orders/schemas.ts'
import { print, printHint } from '../terminal/print.ts'
import { createProgress } from '../terminal/progress.ts'
import { formatTable } from '../terminal/table.ts'
import { countOf } from '../words.ts'
import {
  connectionArgument,
  findConnection,
  findConnectionEvenDeleted,
  readConnectionNames
} from './connection-name.ts'
import { withHub } from './connections.ts'
import { describeAwaited } from './describe-awaited.ts'
import { findOrder } from './find-order.ts'
import { forgetOrder, type ForgetOptions } from './forget-order.ts'
import { createHubClient, HubError, type HubClient, type HubOptions } from './hub-client.ts'
import { parsePast, pastForms } from './parse-time.ts'
import { retryMatching } from './retry-matching.ts'

interface JsonOptions extends HubOptions {
  json?: boolean
}

interface ListOptions extends JsonOptions {
  status?: string
  connection?: string
  externalId?: string
  problem?: string
  since?: string
}

interface RetryOptions extends JsonOptions {
  connection?: string
  status?: RetryableStatus[]
  code?: string
  externalId?: string
  since?: string
  until?: string
  dryRun?: boolean
}

const orderArgument = 'id of the order or its beginning, or its id at the marketplace'
const jsonOption = ['--json', 'print JSON'] as const
const actions = [
  ['cancel', 'cancel an order, in the shop and at the marketplace'],
  ['release', 'give back the pieces that a failed order keeps reserved']
] as const

/** `linker orders list`, `show`, `sweep`, `retry`, `forget`, `settle`, `cancel` and `release`. */
export function addOrders (program: Command): void {
  const client = (options: HubOptions) => createHubClient(process.env, process.cwd(), options)
  const orders = program.command('orders').description('orders of a running hub')

  withHub(orders.command('list').description('list the orders of the marketplaces and their status')
    .option(
      '--status <status>',
      'only this status: pending, awaiting_mapping, ready, created, shipped, delivered, cancelled, returned, failed ' +
        'or elsewhere'
    )
    .option('--connection <connection>', 'only orders of this marketplace, by its name or id; a deleted one, too')
    .option('--external-id <id>', 'only the order with this id at its marketplace')
    .option('--problem <code>', 'only orders with a problem of this code, or with `any`')
    .option('--since <time>', `only orders first read at this time or later: ${pastForms}`, parsePast)
    .option(...jsonOption))
    .action(async ({ json, connection, ...options }: ListOptions) => {
      const { status, externalId, problem, since } = options
      const hub = await client(options)
      const connectionId = connection === undefined ? undefined : await findConnectionEvenDeleted(hub, connection)
      const found = await hub.list('/orders', {
        status,
        connectionId,
        externalId,
        problem,
        since
      }) as OrderSummary[]
      print(json === true ? toJson(found) : formatOrders(found))
    })

  withHub(orders.command('show').description('show an order with its history').argument('<order>', orderArgument)
    .option(...jsonOption))
    .action(async (name: string, options: JsonOptions) => {
      const hub = await client(options)
      const order = await hub.call('GET', await pathOf(hub, name)) as OrderView
      print(options.json === true ? toJson(order) : describeOrder(order))
    })

  withHub(orders.command('sweep').description('list the orders of a marketplace and take over what the hub missed')
    .argument(...connectionArgument)
    .option('--since <time>', `only orders changed at this time or later: ${pastForms}; default: 60d`, parsePast)
    .option(...jsonOption))
    .action(async (connection: string, options: HubOptions & { since?: string, json?: boolean }) => {
      const query = options.since === undefined
        ? ''
        : `?${new URLSearchParams({ updatedSince: options.since }).toString()}`
      const hub = await client(options)
      const path = `/connections/${await findConnection(hub, connection)}/orders/sweep${query}`
      const { jobId } = await hub.call('POST', path) as { jobId: string }
      if (options.json === true) return print(toJson({ jobId }))
      print(jobId)
      printHint(`\`linker jobs show ${jobId}\` tells how the sweep ends`)
    })

  withHub(orders.command('retry')
    .description('retry orders that failed or wait for a variant: those that are named, or all that meet the ' +
      'options; exits with 1 when a named order was not retried, or, with options, when no order was')
    .argument('[orders...]', orderArgument)
    .option('--connection <connection>', 'all orders of this marketplace, by its name or id')
    .addOption(new Option('--status <status...>', 'all orders with this status').choices(retryableStatuses))
    .option('--code <code>', 'all orders with a problem of this code; --dry-run names the codes')
    .option('--external-id <id>', 'the order with this id at its marketplace')
    .option('--since <time>', `all orders first read at this time or later: ${pastForms}`, parsePast)
    .option('--until <time>', `all orders first read before this time: ${pastForms}`, parsePast)
    .option('--dry-run', 'with options instead of orders: only tell what would happen')
    .option(...jsonOption))
    .action(async (names: string[], options: RetryOptions) => {
      const hub = await client(options)
      const filter = await filterOf(hub, options)
      if ((names.length === 0) === Object.values(filter).every(value => value === undefined)) {
        throw new HubError('name orders, or give options that say which orders, but not both')
      }
      await (names.length === 0 ? retryMany(hub, filter, options) : retryNamed(hub, names, options))
    })

  withHub(orders.command('forget')
    .description('remove the data of the buyer from an order that has ended, for good')
    .argument('<order>', orderArgument)
    .option('--dry-run', 'only tell what would be removed; exits with 1 when something stands in the way')
    .option(...jsonOption))
    .action(async (order: string, { dryRun, json, ...options }: HubOptions & ForgetOptions) => {
      const hub = await client(options)
      await forgetOrder(hub, await pathOf(hub, order), { dryRun, json })
    })

  withHub(orders.command('settle').description('end the problems of an order that somebody saw to')
    .argument('<order>', orderArgument)
    .option('--json', 'print the order as JSON, as it is then'))
    .action(async (name: string, options: JsonOptions) => {
      const hub = await client(options)
      const path = await pathOf(hub, name)
      await hub.call('POST', `${path}/settle`)
      if (options.json === true) print(toJson(await hub.call('GET', path) as OrderView))
    })

  for (const [name, description] of actions) {
    withHub(orders.command(name).description(description).argument('<order>', orderArgument).option(...jsonOption))
      .action(async (order: string, options: HubOptions & { json?: boolean }) => {
        const hub = await client(options)
        const { jobIds } = await hub.call('POST', `${await pathOf(hub, order)}/${name}`) as { jobIds: string[] }
        if (options.json === true) return print(toJson({ jobIds }))
        print(jobIds.join('\n'))
        if (jobIds.length > 0) printHint('these are its jobs; `linker jobs show` tells how one ends')
      })
  }
}

async function pathOf (hub: HubClient, name: string): Promise<string> {
  return `/orders/${await findOrder(hub, name)}`
}

async function filterOf (hub: HubClient, options: RetryOptions) {
  const { connection, status, code, externalId, since, until } = options
  const connectionId = connection === undefined ? undefined : await findConnection(hub, connection)
  return { connectionId, status, code, externalId, since, until }
}

/** Tries all orders, also when one of them is refused. */
async function retryNamed (hub: HubClient, names: readonly string[], { dryRun, json }: RetryOptions): Promise<void> {
  if (dryRun === true) throw new HubError('--dry-run goes with options, not with orders')
  const jobIds: string[] = []
  const refused: { order: string, problem: string }[] = []
  for (const name of names) {
    try {
      const path = await pathOf(hub, name)
      const answer = await hub.call('POST', `${path}/retry`) as { jobIds: string[] }
      jobIds.push(...answer.jobIds)
      if (answer.jobIds.length === 0) refused.push({ order: name, problem: await readProblem(hub, path) })
    } catch (error) {
      if (!(error instanceof HubError) || error.notAsked !== undefined) throw error
      refused.push({ order: name, problem: error.message })
    }
  }
  if (json === true) print(toJson({ jobIds, refused }))
  else if (jobIds.length > 0) print(jobIds.join('\n'))
  if (refused.length === 0) return
  throw new HubError(refused.map(({ order, problem }) => `'${order}' was not retried: ${problem}`).join('\n'))
}

/** Why an order stays as it is when no job follows from a retry. */
async function readProblem (hub: HubClient, path: string): Promise<string> {
  const { status, problems } = await hub.call('GET', path) as OrderView
  return problems.length === 0 ? `it is ${status}, and no job follows` : problems.join('; ')
}

async function retryMany (
  hub: HubClient,
  filter: Parameters<typeof retryMatching>[1]['filter'],
  { dryRun = false, json }: RetryOptions
): Promise<void> {
  const progress = createProgress(process.stderr)
  let before = 0
  const summary = await retryMatching(hub, { filter, dryRun }, ({ retried, remaining, next }) => {
    before = retried
    if (next !== null) progress(`${countOf(retried, 'order')} retried, ${remaining} or more remain`)
  }).catch((error: unknown) => {
    if (before === 0 || !(error instanceof HubError)) throw error
    throw new HubError(`${error.message}; ${describeRetried(before)} before that`, { cause: error })
  })
  if ((dryRun ? summary.eligible : summary.retried) === 0) process.exitCode = 1
  print(json === true ? toJson(summary) : await formatSummary(hub, summary))
}

function describeRetried (count: number): string {
  return `${count} ${count === 1 ? 'was' : 'were'} retried`
}

async function formatSummary (hub: HubClient, summary: OrderRetrySummary): Promise<string> {
  const { dryRun, matched, eligible, retried, skipped, byGroup, sample, atMost } = summary
  const lines = [
    `${countOf(matched, 'order')} ${matched === 1 ? 'matches' : 'match'}${
      atMost ? ', and more that were not counted' : ''
    }`,
    dryRun ? `${eligible} would be retried` : describeRetried(retried),
    ...skipped.map(({ reason, count }) => `${count} skipped: ${reason}`)
  ].map(escapeUnprintable)
  if (byGroup.length === 0) return lines.join('\n')
  const names = await readConnectionNames(hub)
  const groups = formatTable(
    ['orders', 'connection', 'status', 'code'],
    byGroup.map(({ connectionId, status, code, count }) => [
      String(count),
      names.get(connectionId) ?? connectionId,
      status,
      code ?? ''
    ])
  )
  return [...lines, '', groups, ...dryRun ? ['', formatOrders(sample)] : []].join('\n')
}

function formatOrders (found: readonly OrderSummary[]): string {
  return formatTable(
    ['order', 'at marketplace', 'status', 'total', 'in shop', 'tracking', 'problems'],
    found.map(({ id, externalId, status, total, destination, handledElsewhere, tracking, problems }) => [
      id,
      externalId,
      status,
      `${total.amount} ${total.currency}`,
      destination?.externalId ?? handledElsewhere ?? '',
      tracking?.number ?? '',
      problems.join('; ')
    ])
  )
}

function describeOrder (order: OrderView): string {
  const { personalDataRemovedAt, waitsFor = null } = order
  const awaited = waitsFor === null ? [] : [describeAwaited(waitsFor)]
  const removed = personalDataRemovedAt === null ? [] : [`data of the buyer removed at ${personalDataRemovedAt}`]
  return [
    formatOrders([order]),
    describePayment(order),
    ...awaited,
    ...removed,
    ...formatChanges(order),
    formatHistory(order)
  ].join('\n\n')
}

/** How the buyer pays, and what the total has beside lines and shipping. */
function describePayment ({ snapshot: { payment: { method, methodName, paid }, extras = [] } }: OrderView): string {
  const name = methodName === undefined ? '' : ` (${methodName})`
  return [
    `payment: ${method}${name}, ${paid.amount} ${paid.currency} paid`,
    ...extras.map(({ kind, name, price }) => `${kind}: ${name}, ${price.amount} ${price.currency}`)
  ].map(escapeUnprintable).join('\n')
}

function formatChanges ({ changes }: OrderView): string[] {
  if (changes.length === 0) return []
  const rows = changes.map(({ what, inShop, atMarketplace }) => [what, inShop ?? '', atMarketplace ?? ''])
  return [formatTable(['changed', 'in shop', 'at marketplace'], rows)]
}

function formatHistory ({ history }: OrderView): string {
  return formatTable(
    ['time', 'event', 'detail'],
    history.map(({ at, event, detail }) => [
      at,
      event,
      Object.entries(detail).map(([name, value]) =>
        `${name} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`
      ).join(', ')
    ])
  )
}

function toJson (value: unknown): string {
  return JSON.stringify(value, null, 2)
}
