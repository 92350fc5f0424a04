import type { Command } from 'commander'
import type { OrderSummary, OrderView } from '../orders/schemas.ts'
import { print } from '../terminal/print.ts'
import { formatTable } from '../terminal/table.ts'
import { withHub } from './connections.ts'
import { createHubClient, type HubOptions } from './hub-client.ts'

interface ListOptions extends HubOptions {
  status?: string
  connection?: string
  since?: string
  json?: boolean
}

const actions = [
  ['retry', 'retry an order that failed or waits for a variant'],
  ['cancel', 'cancel an order, in the shop and at the marketplace'],
  ['release', 'give back the pieces that a failed order keeps reserved']
] as const

export function addOrders (program: Command): void {
  const client = (options: HubOptions) => createHubClient(process.env, process.cwd(), options)
  const orders = program.command('orders').description('orders of a running hub')

  withHub(orders.command('list').description('list the orders of the marketplaces and their status')
    .option(
      '--status <status>',
      'only this status: pending, awaiting_mapping, ready, created, shipped, delivered, cancelled, returned or failed'
    )
    .option('--connection <id>', 'only orders of this marketplace').option(
      '--since <time>',
      'only orders first read at this time or later, ISO 8601'
    ).option('--json', 'print JSON'))
    .action(async (options: ListOptions) => {
      const { status, connection: connectionId, since } = options
      const found = await (await client(options)).list('/orders', { status, connectionId, since }) as OrderSummary[]
      print(options.json === true ? JSON.stringify(found, null, 2) : formatOrders(found))
    })

  withHub(orders.command('show').description('show an order with its history').argument('<id>').option(
    '--json',
    'print JSON'
  ))
    .action(async (id: string, options: HubOptions & { json?: boolean }) => {
      const order = await (await client(options)).call('GET', `/orders/${encodeURIComponent(id)}`) as OrderView
      print(options.json === true
        ? JSON.stringify(order, null, 2)
        : `${formatOrders([order])}\n\n${formatHistory(order)}`)
    })

  withHub(orders.command('sweep').description('list the orders of a marketplace and take over what the hub missed')
    .argument('<connection>')
    .option('--since <time>', 'only orders changed at this time or later, ISO 8601; default: 60 days ago'))
    .action(async (connection: string, options: HubOptions & { since?: string }) => {
      const query = options.since === undefined
        ? ''
        : `?${new URLSearchParams({ updatedSince: options.since }).toString()}`
      const { jobId } = await (await client(options)).call(
        'POST',
        `/connections/${encodeURIComponent(connection)}/orders/sweep${query}`
      ) as { jobId: string }
      print(jobId)
    })

  for (const [name, description] of actions) {
    withHub(orders.command(name).description(description).argument('<id>'))
      .action(async (id: string, options: HubOptions) => {
        const { jobIds } = await (await client(options)).call('POST', `/orders/${encodeURIComponent(id)}/${name}`) as {
          jobIds: string[]
        }
        print(jobIds.join('\n'))
      })
  }
}

function formatOrders (found: readonly OrderSummary[]): string {
  return formatTable(
    ['order', 'at marketplace', 'status', 'total', 'in shop', 'tracking', 'problems'],
    found.map(({ id, externalId, status, total, destination, tracking, problems }) => [
      id,
      externalId,
      status,
      `${total.amount} ${total.currency}`,
      destination?.externalId ?? '',
      tracking?.number ?? '',
      problems.join('; ')
    ])
  )
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
