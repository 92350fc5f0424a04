import { escapeUnprintable } from '@linker/sdk/host/text'
import { Option, type Command } from 'commander'
import type { ConnectionHealth } from '../connections/health/schemas.ts'
import type { ConnectionTest, ConnectionView } from '../connections/schemas.ts'
import { print } from '../terminal/print.ts'
import { createProgress } from '../terminal/progress.ts'
import { formatTable } from '../terminal/table.ts'
import { argumentOf } from '../words.ts'
import { addAuthorise } from './authorise.ts'
import { readSettings } from './config-members.ts'
import { connectionArgument, findConnection, findDeletedConnection, refuseTakenName } from './connection-name.ts'
import { addSettings, settingOption } from './connection-settings.ts'
import { addCursors } from './cursors.ts'
import { addDeletion, printDeleted, type ListOptions } from './deletion.ts'
import { addDiagnose } from './diagnose.ts'
import { readDisablings } from './disabling.ts'
import { addHealth } from './health.ts'
import { createHubClient, HubError, type HubClient, type HubOptions } from './hub-client.ts'
import { addMoves } from './move.ts'
import { addPauses, describePause } from './pauses.ts'
import { openCredentialsOption } from './read-credentials.ts'
import { openJsonOption } from './read-input.ts'
import { addSwitches } from './switches.ts'
import { addTakeOver, describeAccount, describeSharing } from './take-over.ts'
import { reportJson, reportTest, trySettings } from './try-settings.ts'
import { addUpstream } from './upstream.ts'

interface CreateOptions extends HubOptions {
  platform: string
  name: string
  adapter?: string
  config?: string
  credentials?: string
  setting?: string[]
  dryRun?: boolean
  paused?: boolean
  takeOver?: string
  allowSameAccount?: boolean
  json?: boolean
}

export function addConnections (program: Command): void {
  const connections = program.command('connections').description('connections of a running hub')
  const client = (options: HubOptions) => createHubClient(process.env, process.cwd(), options)

  withHub(connections.command('create').description('create a connection and test it')
    .requiredOption('--platform <type>', 'platform type: the part of an adapter key before the first dot')
    .requiredOption('--name <name>', 'display name, which no other connection has')
    .option('--adapter <key>', 'adapter key; without it the default of the platform')
    .option('--config <json>', 'config as JSON; `@file` reads it from a file, `-` from standard input')
    .option(
      '--credentials <json>',
      'credentials as JSON, or a bare key; `@file` reads them from a file, `-` from standard input'
    )
    .option(...settingOption)
    .option('--dry-run', 'only check and test the settings; exits with 1 when they are refused')
    .addOption(new Option(
      '--paused',
      'pause it from the start: no job calls the platform before `linker connections resume`'
    )
      .conflicts('dryRun'))
    .addOption(new Option(
      '--take-over <deleted>',
      'take over orders, links and cursors of this deleted connection to the same account, by its name or id'
    )
      .conflicts('dryRun'))
    .addOption(new Option(
      '--allow-same-account',
      'make it although another connection opens the same account; only the other one takes its orders'
    )
      .conflicts('dryRun'))
    .option('--json', 'print JSON'))
    .action(async (options: CreateOptions) => {
      const hub = await client(options)
      const readGiven = openSettings(options)
      const settings = options.setting === undefined ? undefined : readSettings(options.setting)
      // Nobody should type credentials for a name that is then refused.
      await refuseTakenName(hub, options.name)
      const takeOver = options.takeOver === undefined ? undefined : await findDeletedConnection(hub, options.takeOver)
      const given = {
        platformType: options.platform,
        adapterKey: options.adapter,
        ...await readGiven()
      }
      const progress = createProgress(process.stderr)
      progress('the hub checks the settings')
      const { name, paused, allowSameAccount, json = false } = options
      if (options.dryRun === true) return trySettings(hub, given, json)
      const body = { name, ...given, settings, paused, takeOver, allowSameAccount }
      const created = await hub.call('POST', '/connections', body) as ConnectionView
      if (!json) {
        print(`${created.id}  ${created.adapterKey}@${created.adapterVersion ?? ''}`)
        for (const { pointer, message } of created.warnings ?? []) {
          print(escapeUnprintable(['warning', pointer, message].filter(part => part !== '').join('  ')))
        }
        if (paused === true) print(`paused; \`linker connections resume ${argumentOf(created)}\` lets its jobs run`)
      }
      progress('the hub calls the platform')
      const asked = hub.call('POST', `/connections/${created.id}/test`)
      const test = await asked.catch((error: unknown) => {
        // A script must learn the id, or it would create the connection again.
        if (json) reportJson({ connection: created, test: null }, false)
        throw error
      }) as ConnectionTest
      if (json) return reportJson({ connection: created, test }, test.success)
      reportTest(test)
      if (!test.success) print(describeRemedies(created.id))
    })

  withHub(connections.command('list').description('list connections')
    .option('--platform <type>', 'only connections of this platform')
    .option('--status <status>', 'only connections with this status')
    .addOption(new Option('--deleted', 'the deleted connections instead').conflicts(['platform', 'status']))
    .option('--json', 'print JSON'))
    .action(async (options: ListOptions) => {
      const { platform: platformType, status } = options
      const hub = await client(options)
      if (options.deleted === true) return printDeleted(hub, options)
      const found = await hub.list('/connections', { platformType, status }) as ConnectionView[]
      if (options.json === true) return print(JSON.stringify(found, null, 2))
      const disablings = await readDisablings(hub, found)
      const broken = await readBroken(hub, options)
      print(formatTable(
        ['id', 'platform', 'name', 'account', 'status', 'adapter', 'reason'],
        found.map(connection => [
          connection.id,
          connection.platformType,
          connection.name,
          describeAccount(connection) ?? '',
          connection.status,
          `${connection.adapterKey}@${connection.adapterVersion ?? 'latest'}`,
          [
            ...reasonOf(connection, disablings.get(connection.id)),
            ...describeSharing(connection),
            ...connection.pauses.map(describePause),
            ...broken.get(connection.id) ?? []
          ].join('; ')
        ])
      ))
    })

  withHub(connections.command('test')
    .description('test address and credentials of a connection; exits with 1 on failure')
    .argument(...connectionArgument)
    .option('--json', 'print JSON'))
    .action(async (connection: string, options: HubOptions & { json?: boolean }) => {
      const hub = await client(options)
      const path = `/connections/${encodeURIComponent(await findConnection(hub, connection))}/test`
      createProgress(process.stderr)('the hub calls the platform')
      const test = await hub.call('POST', path) as ConnectionTest
      if (options.json === true) reportJson(test, test.success)
      else reportTest(test)
    })

  addAuthorise(connections, withHub)
  addSettings(connections, withHub)
  addDiagnose(connections, withHub)
  addHealth(connections, withHub)
  addSwitches(connections, withHub)
  addPauses(connections, withHub)
  addUpstream(connections, withHub)
  addMoves(connections, withHub)
  addCursors(connections, withHub)
  addDeletion(connections, withHub)
  addTakeOver(connections, withHub)
}

/** Uses the id, because clients of the API may create another connection with the same name. */
function describeRemedies (id: string): string {
  return [
    'The connection was created, but its test failed. Correct its config or credentials if they are wrong, ' +
    'then test it again:',
    `  linker connections edit ${id} --config key=value`,
    `  linker connections credentials ${id}`,
    `  linker connections test ${id}`
  ].join('\n')
}

/** Options of every command that talks to a running hub. */
export function withHub (command: Command): Command {
  return withToken(command.option(
    '--url <url>',
    'address of the hub; default: LINKER_URL, else the hub of this folder'
  ))
}

export function withToken (command: Command): Command {
  return command
    .option(
      '--token <token>',
      'token of the hub; default: LINKER_TOKEN, else, for a hub on this machine, ADMIN_TOKEN or from the data directory'
    )
}

/** The words of the list for each connection whose circuit breaker is not closed. */
async function readBroken (
  hub: HubClient,
  { platform: platformType, status }: ListOptions
): Promise<ReadonlyMap<string, string[]>> {
  const found = await hub.list('/connections/health', {
    platformType,
    status
  }) as (Pick<ConnectionHealth, 'id'> & Partial<ConnectionHealth>)[]
  return new Map(found.flatMap(({ id, breaker = null }) =>
    breaker === null ? [] : [[id, [`the platform fails: circuit breaker open since ${breaker.openedAt}`]] as const]
  ))
}

function reasonOf ({ statusReason }: ConnectionView, disabling: string | undefined): string[] {
  const parts = [disabling === undefined ? [] : `disabled ${disabling}`, statusReason ?? []].flat()
  return parts.length === 0 ? [] : [parts.join(': ')]
}

/** Refuses options of a wrong form. The returned function reads the settings. */
function openSettings ({ config, credentials }: Pick<CreateOptions, 'config' | 'credentials'>): () => Promise<
  { config: unknown, credentials: unknown }
> {
  const readConfig = config === undefined ? undefined : openJsonOption('--config', config, 'a config')
  const readCredentials = credentials === undefined ? undefined : openCredentialsOption('--credentials', credentials)
  if ([config, credentials].every(given => given === '-' || given === '@-')) {
    throw new HubError('standard input can hold the config or the credentials: give one of them as @file')
  }
  return async () => ({ config: await readConfig?.(), credentials: await readCredentials?.() })
}
