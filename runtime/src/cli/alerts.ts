import type { Command } from 'commander'
import type { AlertList, AlertTest } from '../alerts/schemas.ts'
import { print } from '../terminal/print.ts'
import { formatTable } from '../terminal/table.ts'
import { withHub } from './connections.ts'
import { createHubClient, type HubOptions } from './hub-client.ts'

type Options = HubOptions & { json?: boolean }

export function addAlerts (program: Command): void {
  const client = (options: HubOptions) => createHubClient(process.env, process.cwd(), options)
  const alerts = program.command('alerts').description('what a running hub tells people')

  withHub(alerts.command('list').description('list what needs a person, with the time at which people were told')
    .option('--json', 'print JSON'))
    .action(async ({ json, ...options }: Options) => {
      const found = await (await client(options)).get('/alerts')
      print(json === true ? JSON.stringify(found, null, 2) : formatAlerts(found))
    })

  withHub(alerts.command('test')
    .description('send a test on each channel; exits with 1 when one does not arrive')
    .option('--json', 'print JSON'))
    .action(async ({ json, ...options }: Options) => {
      const tests = await (await client(options)).post('/alerts/test')
      print(json === true ? JSON.stringify(tests, null, 2) : formatTests(tests))
      if (tests.some(({ success }) => !success)) process.exitCode = 1
    })
}

export function formatAlerts ({ channels, open }: AlertList): string {
  const rows = open.map(({ severity, title, since, told, quiet }) => [
    severity,
    since ?? '',
    [
      ...told.map(({ channel, at }) => `${channel} ${at}`),
      ...quiet.map(({ channel, until }) => `${channel} quiet until ${until}`)
    ].join(', ') || 'nobody yet',
    title
  ])
  return [
    ...(channels.length === 0 ? ['no channel is configured, so nobody is told'] : channels.map(describeChannel)),
    ...(rows.length === 0 ? ['nothing needs a person'] : [formatTable(['severity', 'since', 'told', 'what'], rows)])
  ].join('\n')
}

function describeChannel ({ channel, failures, problem, lastSentAt }: AlertList['channels'][number]): string {
  if (failures > 0) return `${channel}: ${failures} failed, the last because: ${problem ?? 'no reason'}`
  return `${channel}: ${lastSentAt === null ? 'nothing sent yet' : `last message ${lastSentAt}`}`
}

function formatTests (tests: readonly AlertTest[]): string {
  return tests.map(({ channel, success, latencyMs, message }) =>
    `${success ? '✓' : '✗'} ${channel} (${latencyMs} ms): ${message}`
  ).join('\n')
}
