import { escapeUnprintable } from '@linker/sdk/host/text'
import type { AdapterView } from '../adapters/view.ts'
import type { ConnectionTest } from '../connections/schemas.ts'
import type { Judged } from '../connections/try-settings.ts'
import { print } from '../terminal/print.ts'
import { HubError, type HubClient } from './hub-client.ts'

export interface NewSettings {
  platformType: string
  adapterKey: string | undefined
  config: unknown
  credentials: unknown
}

/**
 * Checks and tests the settings of a connection without creating it, and prints the result. Sets
 * the exit code 1 when the settings are not valid or their test fails.
 */
export async function trySettings (
  hub: HubClient,
  { platformType, adapterKey, config = {}, credentials }: NewSettings,
  isJson: boolean
): Promise<void> {
  const key = adapterKey ?? await findDefaultKey(hub, platformType)
  const path = `/adapters/${encodeURIComponent(key)}/config/validate?test=true`
  const judged = await hub.call('POST', path, { config, credentials }) as Judged
  const { errors, warnings, test } = judged
  if (isJson) return reportJson(judged, test?.success === true)
  const lines = [
    ...errors.map(({ pointer, message }) => `error    ${pointer} ${message}`),
    ...warnings.map(({ pointer, message }) => `warning  ${pointer} ${message}`)
  ]
  if (lines.length > 0) print(lines.map(escapeUnprintable).join('\n'))
  if (test === undefined) process.exitCode = 1
  else reportTest(test)
}

/**
 * Prints the result of a connection test with its warnings. Sets the exit code 1 when the test
 * failed.
 */
export function reportTest ({ success, message, latencyMs, checks }: ConnectionTest): void {
  print(`${success ? 'ok' : 'failed'}  ${escapeUnprintable(message)} (${latencyMs} ms)`)
  for (const { name, hint } of checks) {
    if (name === 'warning' && hint !== undefined) print(`warning  ${escapeUnprintable(hint)}`)
  }
  if (!success) process.exitCode = 1
}

/** Prints JSON. Sets the exit code 1 when what it tells of has failed. */
export function reportJson (value: unknown, isWell: boolean): void {
  print(JSON.stringify(value, null, 2))
  if (!isWell) process.exitCode = 1
}

async function findDefaultKey (hub: HubClient, platformType: string): Promise<string> {
  const adapters = await hub.call('GET', '/adapters') as AdapterView[]
  const key = adapters.find(adapter => adapter.platformType === platformType && adapter.isDefault)?.adapterKey
  if (key === undefined || key === null) {
    throw new HubError(`platform '${platformType}' has no default adapter; name one with --adapter`)
  }
  return key
}
