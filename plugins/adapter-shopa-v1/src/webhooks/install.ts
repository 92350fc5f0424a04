import { AdapterErrorCode, isAdapterError, RejectedError, type WebhookInstallation } from '@linker/sdk'
import { type ShopClient } from '../client.ts'
import type { ShopContext } from '../config.ts'
import { createModule } from '../module-client.ts'
import { recordXml } from '../webservice/record-xml.ts'
import { reference, text, type Row } from '../webservice/row.ts'

/** Writes the three settings of the shop-side module, then asks it to send a `test.ping`. */
export async function installWebhooks (
  client: ShopClient,
  { callbackUrl, secret }: WebhookInstallation,
  context: ShopContext
): Promise<{ warning?: string }> {
  const settings = settingsOf(callbackUrl, secret)
  await writeSettings(client, settings)
  const warnings: string[] = []
  if (!await areStored(client, settings)) warnings.push('state-update-failed')
  const failure = await findPingFailure(client, secret, context)
  if (failure !== undefined) warnings.push(`ping-not-received: ${failure}`)
  return warnings.length === 0 ? {} : { warning: warnings.join('; ') }
}

function settingsOf (callbackUrl: string, secret: string): Map<string, string> {
  const [, base, connectionId] = /^(.+)\/webhooks\/[^/]+\/([^/?#]+)$/.exec(callbackUrl) ?? []
  if (base === undefined || connectionId === undefined) {
    throw new RejectedError("the shop-side module cannot send to the hub's callback address")
  }
  return new Map(Object.entries({
    LINKER_BASE_URL: base,
    LINKER_CONNECTION_ID: decodeURIComponent(connectionId),
    LINKER_WEBHOOK_SECRET: secret
  }))
}

async function writeSettings (client: ShopClient, settings: ReadonlyMap<string, string>): Promise<void> {
  const rows = await readSettings(client, settings)
  for (const [name, value] of settings) {
    const id = text(rows.find(row => text(row.name) === name)?.id)
    if (id === undefined) await client.add('configurations', recordXml('configuration', { name, value }))
    else await client.put('configurations', id, recordXml('configuration', { id, name, value }))
  }
}

/**
 * Whether the shop now shows the written settings. In a multishop installation a setting of one
 * shop hides the value that was written for all.
 */
async function areStored (client: ShopClient, settings: ReadonlyMap<string, string>): Promise<boolean> {
  const rows = await readSettings(client, settings)
  const isStored = ([name, value]: [string, string]): boolean =>
    rows.some(row => text(row.name) === name && text(row.value) === value)
  return [...settings].every(isStored)
}

async function readSettings (client: ShopClient, settings: ReadonlyMap<string, string>): Promise<Row[]> {
  const rows = await client.list('configurations', {
    'filter[name]': `[${[...settings.keys()].join('|')}]`,
    display: 'full'
  })
  return rows.filter(row => reference(row.id) !== '0')
}

/** Asks the module to ping the hub. Returns why that failed. */
async function findPingFailure (
  client: ShopClient,
  secret: string,
  context: ShopContext
): Promise<string | undefined> {
  try {
    await createModule(client, context).ping(secret)
    return undefined
  } catch (error) {
    if (!isAdapterError(error)) throw error
    context.log.warn({ reason: error.message }, 'the shop-side module did not ping the hub')
    // After any other error, the module says what to correct, or is not there.
    const hasAsked = error.code === AdapterErrorCode.outcomeUnknown
    return hasAsked ? `${error.message}. ${reachRemedy}` : error.message
  }
}

const reachRemedy =
  'The shop calls the hub with PHP, which trusts the authorities in curl.cainfo of its php.ini, and ' +
  "not those of the hub's server"
