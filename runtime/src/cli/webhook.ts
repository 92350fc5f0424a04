import type { AdapterDescription } from '@linker/sdk/host'
import { escapeUnprintable } from '@linker/sdk/host/text'
import type { Command } from 'commander'
import { discoverAdapters } from '../adapters/discover.ts'
import { scanAdapters } from '../adapters/scan.ts'
import { readConfig, type Config } from '../config.ts'
import type { ConnectionView } from '../connections/schemas.ts'
import { print } from '../terminal/print.ts'
import { createProgress } from '../terminal/progress.ts'
import type { Installed, WebhookStatus, WebhookTest } from '../webhooks/install-schemas.ts'
import { secretNamesOf } from '../webhooks/secrets.ts'
import { connectionArgument, findConnection } from './connection-name.ts'
import { withHub } from './connections.ts'
import { createHubClient, hubAddress, HubError, parseJsonOption, type HubOptions } from './hub-client.ts'
import { askSecret, readSecret } from './read-secret.ts'
import { describeAnswer, sendEvent, type Target } from './send-event.ts'

interface SendOptions extends HubOptions {
  provider?: string
  connection?: string
  type: string
  object?: string
  externalId: string
  eventId?: string
  secret?: string
  secretFile?: string
  payload?: string
}

export function addWebhook (program: Command): void {
  const webhook = program.command('webhook').description('webhooks')
  addInstalls(webhook)
  withHub(webhook.command('send')
    .description('send a webhook to a hub as the platform would: in its form and with its proof, as the adapter of ' +
      'this project declares; exits with 1 when the hub does not accept it')
    .argument('[connection]', 'name or id of the connection; the hub says its platform')
    .option('--provider <platform>', 'without the argument: platform type in the address')
    .option('--connection <id>', 'without the argument: connection id in the address; needs no token')
    .requiredOption('--type <eventType>', 'such as stock.changed, or a topic of the platform')
    .option('--object <type>', 'object type; default: the first word of the event type, such as stock')
    .requiredOption('--external-id <id>', 'external id of the object')
    .option('--event-id <id>', 'unique event id; default: a new one')
    .option('--payload <json>', 'payload as JSON; in the form of a platform, the other members of the body')
    .option(
      '--secret-file <file>',
      'file with the secret of the connection, `-` for standard input; default: ' +
        'LINKER_WEBHOOK_SECRET__… from the environment, else a question on a terminal'
    )
    .option('--secret <secret>', 'the secret itself, which other users of this machine can see'))
    .action(async (name: string | undefined, options: SendOptions) => {
      const config = readConfig(process.env, process.cwd())
      const target = await targetOf(name, options)
      const secret = await secretOf(config.webhookSecrets, target, options)
      const webhooks = await readWebhooks(config, target.platformType)
      const event = {
        eventId: options.eventId,
        eventType: options.type,
        object: { type: options.object ?? categoryOf(options.type, webhooks), externalId: options.externalId },
        payload: options.payload === undefined ? undefined : parseJsonOption('--payload', options.payload)
      }
      const answer = await sendEvent({ hub: hubAddress(config, options.url), target, secret, event, webhooks })
      print(describeAnswer(answer))
      if (!answer.isAccepted) process.exitCode = 1
    })
}

/** Reads how the adapter that serves the platform in this project authenticates its webhooks. */
async function readWebhooks (
  config: Config,
  platformType: string
): Promise<AdapterDescription['webhooks']> {
  const { projectDirectory, file } = config
  // While `linker dev` runs the adapter of this folder, no list names it, and events for it would
  // have the wrong proof.
  const own = { adapters: [{ path: '.' }] }
  const packages = [
    ...await discoverAdapters(projectDirectory, file),
    ...await discoverAdapters(projectDirectory, own)
  ]
  const serving = packages.find(({ found }) => found?.manifest.platformType === platformType)?.directory
  const [record] = serving === undefined
    ? []
    : await scanAdapters({ ...config, isFrozen: false, file: { ...config.file, adapters: [{ path: serving }] } })
  return record?.adapter?.description.webhooks
}

/** Returns `stock` for `stock.changed`, and for a topic that the adapter maps to it. */
function categoryOf (type: string, webhooks: AdapterDescription['webhooks']): string {
  const eventType = webhooks?.source?.eventTypes?.[type] ?? type
  return eventType.split('.', 1)[0] ?? eventType
}

function addInstalls (webhook: Command): void {
  const addressOf = (id: string, action: string): string => `/connections/${encodeURIComponent(id)}/webhooks/${action}`

  withHub(webhook.command('install').description('make the platform send its webhooks to the hub, with a new secret')
    .argument(...connectionArgument))
    .action(async (connection: string, options: HubOptions) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      createProgress(process.stderr)('the hub tells the platform and waits for a test event')
      const { testPingTriggered, warning } = await hub.call(
        'POST',
        addressOf(await findConnection(hub, connection), 'install')
      ) as Installed
      print(`installed${testPingTriggered ? ', and a test event arrived' : ''}${
        warning === undefined ? '' : `\nwarning: ${escapeUnprintable(warning)}`
      }`)
    })

  withHub(webhook.command('test')
    .description('send a test event through the public address of the hub; exits with 1 when it does not arrive')
    .argument(...connectionArgument))
    .action(async (connection: string, options: HubOptions) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      const { arrived, problem, callbackUrl } = await hub.call(
        'POST',
        addressOf(await findConnection(hub, connection), 'test')
      ) as WebhookTest
      print(escapeUnprintable(arrived
        ? `a test event arrived through ${callbackUrl}`
        : `the test event did not arrive through ${callbackUrl}: ${problem}`))
      if (!arrived) process.exitCode = 1
    })

  withHub(webhook.command('status').description('show whether webhooks are set up, and the result of the last one')
    .argument(...connectionArgument))
    .action(async (connection: string, options: HubOptions) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      const status = await hub.call('GET', addressOf(await findConnection(hub, connection), 'status')) as WebhookStatus
      print(Object.entries(status).map(([name, value]) => escapeUnprintable(`${name}  ${String(value ?? '-')}`))
        .join('\n'))
    })
}

async function targetOf (name: string | undefined, { provider, connection, ...options }: SendOptions): Promise<Target> {
  if (name === undefined) {
    if (provider !== undefined && connection !== undefined) return { id: connection, platformType: provider }
    throw new HubError('name the connection, or give both --provider and --connection')
  }
  if (provider !== undefined || connection !== undefined) {
    throw new HubError('give the connection as the argument or by --provider and --connection, but not both')
  }
  const hub = await createHubClient(process.env, process.cwd(), options)
  return await hub.call('GET', `/connections/${await findConnection(hub, name)}`) as ConnectionView
}

async function secretOf (
  secrets: ReadonlyMap<string, string>,
  target: Target,
  { secret, secretFile }: SendOptions
): Promise<string> {
  if (secret !== undefined) return secret
  if (secretFile !== undefined) return readSecret('webhook secret', secretFile, process.stdin)
  const [own, provider] = secretNamesOf(target)
  const found = secrets.get(own) ?? secrets.get(provider)
  if (found !== undefined) return found
  if (process.stdin.isTTY) return askSecret('webhook secret', { input: process.stdin, output: process.stderr })
  throw new HubError(`no secret: pass --secret-file, or set ${own} or ${provider}; the hub never shows the secret of ` +
    'an install')
}
