import { signatureHeader, signWebhook, timestampHeader } from '@linker/sdk'
import { escapeUnprintable } from '@linker/sdk/host/text'
import type { Command } from 'commander'
import { randomUUID } from 'node:crypto'
import { request } from 'undici'
import { discoverAdapters } from '../adapters/discover.ts'
import { scanAdapters } from '../adapters/scan.ts'
import { readConfig, type Config } from '../config.ts'
import { print } from '../terminal/print.ts'
import type { Installed, WebhookStatus } from '../webhooks/install-schemas.ts'
import { secretNamesOf } from '../webhooks/secrets.ts'
import { connectionArgument, findConnection } from './connection-name.ts'
import { withHub } from './connections.ts'
import { createHubClient, hubAddress, HubError, parseJsonOption, type HubOptions } from './hub-client.ts'

interface SendOptions {
  url?: string
  provider: string
  connection: string
  type: string
  object: string
  externalId: string
  eventId?: string
  secret?: string
  payload?: string
}

export function addWebhook (program: Command): void {
  const webhook = program.command('webhook').description('webhooks')
  addInstalls(webhook)
  webhook.command('send')
    .description('send a webhook to a hub as the platform would, signed or with its secret as a bearer token; exits ' +
      'with 1 when the hub does not accept it')
    .requiredOption('--provider <platform>', 'platform type in the address')
    .requiredOption('--connection <id>', 'connection id in the address')
    .requiredOption('--type <eventType>', 'such as stock.changed')
    .requiredOption('--object <type>', 'object type, such as stock')
    .requiredOption('--external-id <id>', 'external id of the object')
    .option('--event-id <id>', 'unique event id; default: a new one')
    .option('--payload <json>', 'payload as JSON')
    .option('--secret <secret>', 'secret of the connection; default: LINKER_WEBHOOK_SECRET__… from the environment')
    .option('--url <url>', 'address of the hub')
    .action(async (options: SendOptions) => {
      const config = readConfig(process.env, process.cwd())
      const secret = options.secret ?? secretFromEnvironment(config.webhookSecrets, options)
      const body = JSON.stringify({
        schemaVersion: 1,
        eventId: options.eventId ?? randomUUID(),
        eventType: options.type,
        occurredAt: new Date().toISOString(),
        object: { type: options.object, externalId: options.externalId },
        payload: options.payload === undefined ? undefined : parseJsonOption('--payload', options.payload)
      })
      const address = `${hubAddress(config, options.url)}/webhooks/${encodeURIComponent(options.provider)}/${
        encodeURIComponent(options.connection)
      }`
      const response = await request(address, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...await authenticationOf(config, options.provider, secret, body)
        },
        body
      }).catch((error: unknown) => {
        throw new HubError(`${address} does not answer (${error instanceof Error ? error.message : String(error)})`)
      })
      const text = await response.body.text()
      print(`${response.statusCode} ${String(response.headers['x-linker-delivery-id'] ?? '')}${
        text === '' ? '' : `\n${text}`
      }`)
      if (response.statusCode !== 202) process.exitCode = 1
    })
}

/**
 * Authenticates by the scheme of the adapter that serves the platform in this project. Without such
 * an adapter it signs, as the shop's module does.
 */
async function authenticationOf (
  config: Config,
  platformType: string,
  secret: string,
  body: string
): Promise<Record<string, string>> {
  const packages = await discoverAdapters(config.projectDirectory, config.file)
  const serving = packages.find(({ found }) => found?.manifest.platformType === platformType)?.directory
  const [record] = serving === undefined
    ? []
    : await scanAdapters({ ...config, isFrozen: false, file: { ...config.file, adapters: [{ path: serving }] } })
  if (record?.adapter?.description.webhooks?.scheme === 'bearer') return { authorization: `Bearer ${secret}` }
  const timestamp = String(Date.now())
  return { [timestampHeader]: timestamp, [signatureHeader]: signWebhook(secret, timestamp, body) }
}

function addInstalls (webhook: Command): void {
  const addressOf = (id: string, action: string): string => `/connections/${encodeURIComponent(id)}/webhooks/${action}`

  withHub(webhook.command('install').description('make the platform send its webhooks to the hub, with a new secret')
    .argument(...connectionArgument))
    .action(async (connection: string, options: HubOptions) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      const { testPingTriggered, warning } = await hub.call(
        'POST',
        addressOf(await findConnection(hub, connection), 'install')
      ) as Installed
      print(`installed${testPingTriggered ? ', and a test event arrived' : ''}${
        warning === undefined ? '' : `\nwarning: ${escapeUnprintable(warning)}`
      }`)
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

function secretFromEnvironment (secrets: ReadonlyMap<string, string>, options: SendOptions): string {
  const [own, provider] = secretNamesOf({ id: options.connection, platformType: options.provider })
  const secret = secrets.get(own) ?? secrets.get(provider)
  if (secret === undefined) throw new HubError(`no secret: pass --secret or set ${own} or ${provider}`)
  return secret
}
