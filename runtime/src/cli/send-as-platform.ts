import type { AdapterDescription } from '@linker/sdk/host'
import { discoverAdapters } from '../adapters/discover.ts'
import { scanAdapters } from '../adapters/scan.ts'
import { readConfig, type Config } from '../config.ts'
import type { ConnectionView } from '../connections/schemas.ts'
import { secretNamesOf } from '../webhooks/secrets.ts'
import { findConnection } from './connection-name.ts'
import { createHubClient, hubAddress, HubError, parseJsonOption, type HubOptions } from './hub-client.ts'
import { askSecret, readSecret } from './read-secret.ts'
import { describeAnswer, sendEvent, type Target } from './send-event.ts'

export interface SendOptions extends HubOptions {
  provider?: string
  connection?: string
  type: string
  object?: string
  externalId: string
  eventId?: string
  secret?: string
  secretFile?: string
  payload?: string
  json?: boolean
}

/** Sends an event as the platform of a connection would. `text` is the answer of the hub. */
export async function sendAsPlatform (
  name: string | undefined,
  options: SendOptions
): Promise<{ text: string, isAccepted: boolean }> {
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
  const text = options.json === true ? JSON.stringify(answer, null, 2) : describeAnswer(answer)
  return { text, isAccepted: answer.isAccepted }
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
