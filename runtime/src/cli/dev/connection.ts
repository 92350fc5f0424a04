import { escapeUnprintable } from '@linker/sdk/host/text'
import { isDeepStrictEqual } from 'node:util'
import type { LoadedAdapter } from '../../adapters/load.ts'
import type { Move } from '../../connections/moves/schemas.ts'
import type { ConnectionTest, ConnectionView } from '../../connections/schemas.ts'
import type { HubClient } from '../hub-client.ts'
import { describeMove } from '../move.ts'
import type { DevSettings } from './connection-settings.ts'

export const connectionName = 'dev'

/** Keeps the connections of a hub in step with the adapter in the folder. */
export interface DevConnections {
  /**
   * Makes or changes the connection of the settings, and moves connections that pin the former
   * version of the folder. Returns what it did, for the author.
   */
  follow(adapter: LoadedAdapter, settings: DevSettings): Promise<string[]>
}

/** `platform` is that of the settings at the start, which the hub runs with. */
export function openDevConnections (hub: HubClient, platform: DevSettings['platform']): DevConnections {
  let known: string | undefined
  let lastVersion: string | undefined

  async function follow (adapter: LoadedAdapter, settings: DevSettings): Promise<string[]> {
    const said = [...await moveAll(adapter), ...await keep(adapter, settings), ...comparePlatform(settings)]
    lastVersion = adapter.version
    return said
  }

  function comparePlatform ({ lacks, platform: wanted }: DevSettings): string[] {
    if (lacks !== undefined || isDeepStrictEqual(wanted, platform)) return []
    return ['`platform` of the settings has changed: restart for `platform`']
  }

  async function list (): Promise<ConnectionView[]> {
    return await hub.list('/connections') as ConnectionView[]
  }

  async function moveAll ({ manifest: { adapterKey }, version }: LoadedAdapter): Promise<string[]> {
    if (lastVersion === undefined || lastVersion === version) return []
    const pinned = (await list()).filter(connection =>
      connection.adapterKey === adapterKey && connection.adapterVersion === lastVersion
    )
    const said: string[] = []
    for (const { id, name } of pinned) {
      const move = hub.call('POST', `/connections/${id}/adapter`, { adapterVersion: version, confirm: true })
      said.push(await move.then(
        moved => `${escapeUnprintable(name)}: ${describeMove(moved as Move)}`,
        (error: unknown) => `${escapeUnprintable(name)} stays at ${lastVersion}: ${messageOf(error)}`
      ))
    }
    return said
  }

  async function keep (adapter: LoadedAdapter, { lacks, config = {}, credentials }: DevSettings): Promise<string[]> {
    const wanted = JSON.stringify([config, credentials, adapter.supportedCapabilities])
    if (lacks !== undefined) return known === undefined ? [`no connection: ${lacks}`] : []
    if (wanted === known) return []
    const { adapterKey, platformType } = adapter.manifest
    const found = (await list()).find(({ name }) => name === connectionName)
    if (found !== undefined && found.adapterKey !== adapterKey) {
      return [`no connection: '${connectionName}' belongs to ${found.adapterKey}`]
    }
    const capabilities = adapter.supportedCapabilities
    const settings = { config, capabilities }
    const { id } = found ?? await hub.call('POST', '/connections', {
      name: connectionName,
      platformType,
      adapterKey,
      credentials,
      ...settings
    }) as ConnectionView
    if (found !== undefined) {
      await hub.call('PATCH', `/connections/${id}`, settings)
      if (credentials !== undefined) await hub.call('PUT', `/connections/${id}/credentials?test=false`, { credentials })
    }
    known = wanted
    const { success, message } = await hub.call('POST', `/connections/${id}/test`) as ConnectionTest
    return [
      `connection ${connectionName} (${id}): ${success ? 'ok' : 'failed'}  ${escapeUnprintable(message)}`
    ]
  }

  return { follow }
}

function messageOf (error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
