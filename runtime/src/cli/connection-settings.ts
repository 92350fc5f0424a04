import { escapeUnprintable } from '@linker/sdk/host/text'
import type { Command } from 'commander'
import type { ConnectionView } from '../connections/schemas.ts'
import { print } from '../terminal/print.ts'
import type { WebhookStatus } from '../webhooks/install-schemas.ts'
import { readConfigPatch, readSettings } from './config-members.ts'
import { connectionArgument, findConnection, refuseTakenName } from './connection-name.ts'
import { readDisablings } from './disabling.ts'
import { createHubClient, HubError, type HubClient, type HubOptions } from './hub-client.ts'
import { collect, describePause } from './pauses.ts'
import { readCredentials } from './read-credentials.ts'
import { describeAccount, describeSharing } from './take-over.ts'

interface CredentialsOptions extends HubOptions {
  test: boolean
  json?: boolean
}

interface EditOptions extends HubOptions {
  name?: string
  status?: string
  config?: string[]
  setting?: string[]
  json?: boolean
}

export const settingOption = [
  '--setting <name=value>',
  "one of the hub's own settings, such as shipsWithin=48; `name=` sets its default; may be given several times",
  collect
] as const

/** `linker connections show`, `linker connections edit` and `linker connections credentials`. */
export function addSettings (connections: Command, withHub: (command: Command) => Command): void {
  const open = async (options: HubOptions, connection: string): Promise<[hub: HubClient, path: string, id: string]> => {
    const hub = await createHubClient(process.env, process.cwd(), options)
    const id = await findConnection(hub, connection)
    return [hub, `/connections/${id}`, id]
  }

  withHub(connections.command('show')
    .description('show a connection: status, account, adapter, pauses, webhooks, config and settings')
    .argument(...connectionArgument)
    .option('--json', 'print JSON'))
    .action(async (nameOrId: string, options: HubOptions & { json?: boolean }) => {
      const [hub, path] = await open(options, nameOrId)
      const connection = await hub.call('GET', path) as ConnectionView
      const webhooks = await hub.call('GET', `${path}/webhooks/status`) as WebhookStatus
      if (options.json === true) return print(JSON.stringify({ ...connection, webhooks }, null, 2))
      const disablings = await readDisablings(hub, [connection])
      print(describeConnection(connection, webhooks, disablings.get(connection.id)).map(escapeUnprintable).join('\n'))
    })

  withHub(connections.command('edit')
    .description('change name, status, members of the config or settings of a connection')
    .argument(...connectionArgument)
    .option('--name <name>', 'new display name, which no other connection has')
    .option('--status <status>', 'active or disabled')
    .option(
      '--config <key=value>',
      'member of the config, such as prices.country=PL; `key=` removes it; may be given several times; `@file` ' +
        'reads members as JSON from a file, `-` from standard input',
      collect
    )
    .option(...settingOption)
    .option('--json', 'print the connection as JSON'))
    .action(async (nameOrId: string, { name, status, config, setting, json, ...options }: EditOptions) => {
      if ([name, status, config, setting].every(given => given === undefined)) {
        throw new HubError('nothing to change: give --name, --status, --config or --setting')
      }
      const settings = setting === undefined ? undefined : readSettings(setting)
      const [hub, path, id] = await open(options, nameOrId)
      if (name !== undefined) await refuseTakenName(hub, name, id)
      const members = config === undefined ? undefined : await readConfigPatch(config, await readSchema(hub, path))
      const changed = await hub.call('PATCH', path, { name, status, config: members, settings }) as ConnectionView
      const warnings = changed.warnings?.map(({ pointer, message }) => `  warning   ${pointer} ${message}`) ?? []
      print(json === true
        ? JSON.stringify(changed, null, 2)
        : [`changed ${changed.name}`, ...warnings].map(escapeUnprintable).join('\n'))
    })

  withHub(connections.command('credentials')
    .description('test and replace the credentials of a connection; they come from a file or standard input')
    .argument(...connectionArgument)
    .argument('[file]', 'file with the credentials as JSON or a bare key; default: standard input', '-')
    .option('--no-test', 'replace them without a test at the platform')
    .option('--json', 'print JSON'))
    .action(async (nameOrId: string, file: string, { test, json, ...options }: CredentialsOptions) => {
      const [hub, path, id] = await open(options, nameOrId)
      const credentials = await readCredentials(file)
      await hub.call('PUT', `${path}/credentials?test=${test}`, { credentials })
      if (json === true) return print(JSON.stringify({ id, tested: test }, null, 2))
      print(test
        ? 'replaced the credentials, which the platform accepts'
        : `replaced the credentials, which the platform has not seen yet: \`linker connections test ${id}\` tries them`)
    })
}

/** The schema of the config, by the adapter version that serves the connection. */
async function readSchema (hub: HubClient, path: string): Promise<object> {
  const { adapterKey, adapterVersion } = await hub.call('GET', path) as ConnectionView
  const version = encodeURIComponent(adapterVersion ?? 'latest')
  const { config } = await hub.call('GET', `/adapters/${adapterKey}/versions/${version}/schema`) as { config: object }
  return config
}

function describeConnection (connection: ConnectionView, webhooks: WebhookStatus, disabling?: string): string[] {
  const { statusReason, pauses, adapterKey, adapterVersion, capabilities, config, settings } = connection
  const { webhooksConfigured, lastDeliveryAt, lastDeliveryEvent, lastDeliveryResult } = webhooks
  const { testPingAt = null, testPingProblem = null, installWarning = null, installWarningAt = null } = webhooks
  const last = lastDeliveryAt === null
    ? 'no delivery yet'
    : `last delivery ${lastDeliveryAt}, ${lastDeliveryEvent ?? 'unknown'}: ${lastDeliveryResult ?? 'unknown'}`
  const by = disabling === undefined ? '' : ` ${disabling}`
  const lines: [string, string][] = [
    ['name', connection.name],
    ['id', connection.id],
    ['platform', connection.platformType],
    ['status', `${connection.status}${by}${statusReason === null ? '' : `: ${statusReason}`}`],
    ...pauses.map((pause): [string, string] => ['pause', describePause(pause)]),
    ['account', [describeAccount(connection) ?? 'not known yet', ...describeSharing(connection)].join('; ')],
    ...connection.ordersSince === null
      ? []
      : [['orders since', `${connection.ordersSince}; older ones are not made in the shop`] as [string, string]],
    ['adapter', `${adapterKey}@${adapterVersion ?? 'latest'}`],
    ['capabilities', capabilities.join(', ') || 'none'],
    ['webhooks', `${webhooksConfigured ? 'set up' : 'not set up'}; ${last}`],
    ...testPingProblem === null
      ? []
      : [
        ['webhook test', `did not arrive at ${testPingAt ?? 'an unknown time'}: ${testPingProblem}`] as [string, string]
      ],
    ...installWarning === null
      ? []
      : [
        ['webhook install', `warned at ${installWarningAt ?? 'an unknown time'}: ${installWarning}`] as [string, string]
      ],
    ...Object.entries(config).map(([name, value]): [string, string] => [`config.${name}`, JSON.stringify(value)]),
    ...Object.entries(settings).map(([name, value]): [string, string] => [`settings.${name}`, JSON.stringify(value)])
  ]
  const width = Math.max(...lines.map(([name]) => name.length))
  return lines.map(([name, value]) => `${name.padEnd(width)}  ${value}`)
}
