import type { Command } from 'commander'
import type { System } from '../system/schemas.ts'
import { print } from '../terminal/print.ts'
import { formatTable } from '../terminal/table.ts'
import { describeBytes } from '../words.ts'
import { withHub } from './connections.ts'
import { createHubClient, type HubOptions } from './hub-client.ts'

/** `linker system`. */
export function addSystem (program: Command): void {
  withHub(program.command('system')
    .description('show what runs in a hub: processes, adapters, the last start, encryption, how long it keeps what')
    .option('--json', 'print JSON'))
    .action(async ({ json, ...options }: HubOptions & { json?: boolean }) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      const found = await hub.call('GET', '/system') as System
      print(json === true ? JSON.stringify(found, null, 2) : formatSystem(found))
    })
}

export function formatSystem (system: System): string {
  const { freeBytes, processes, adapters, start, retention, logLevel } = system
  const until = logLevel.until === null ? '' : ` until ${logLevel.until}, then ${logLevel.usual}`
  // A hub of an older version does not tell it.
  const free = typeof freeBytes === 'number' ? `, ${describeBytes(freeBytes)} free` : ''
  return [
    formatTable(['setting', 'value'], [
      ['version', `${system.version}, Node.js ${system.node}`],
      ['mode', system.mode],
      ['configuration', system.configurationFile],
      ['data', system.dataDirectory + free],
      ['public address', system.publicUrl ?? 'none'],
      ['credentials', system.encryption ? 'encrypted' : 'stored as they are'],
      ['production', system.isProduction ? 'yes' : 'no'],
      ['console', system.console ? 'on' : 'off'],
      ['log level', logLevel.level + until],
      [
        'keeps',
        [
          ['webhooks', retention.webhookDays],
          ['jobs', retention.finishedJobDays],
          ['dead jobs', retention.deadJobDays],
          ['audit', retention.auditDays],
          ['figures', retention.figureDays],
          ['data of buyers', retention.personalDataDays],
          ['batches', retention.batchDays],
          ['orders', retention.orderDays]
        ].map(([what, days]) => `${what} ${days === null ? 'for ever' : `${days} d`}`).join(', ')
      ]
    ]),
    formatTable(
      ['process', 'role', 'mode', 'version', 'host', 'pid', 'started', 'seen'],
      processes.map(({ answers, role, mode, version, host, pid, startedAt, seenAt }) => [
        answers ? 'answers' : 'other',
        role,
        mode ?? 'unknown',
        version,
        host,
        String(pid),
        startedAt,
        seenAt
      ])
    ),
    formatTable(['adapter', 'state'], adapters.map(({ adapter, state }) => [adapter, state])),
    formatTable(['start', 'took'], start.map(({ step, ms }) => [step, `${ms} ms`]))
  ].join('\n\n')
}
