import type { Schemas } from '@linker/client'
import { versionsOf } from './versions.ts'

type Connection = Pick<Schemas['Connection'], 'adapterKey' | 'adapterVersion' | 'capabilities'>
type Adapter = Schemas['Adapter']

export type Tab = 'overview' | 'settings' | 'adapter' | 'webhooks' | 'schedules' | 'routing'

/** Capabilities that bring orders; only such connections have routing rules. */
const bringOrders = ['OrderSource', 'Marketplace']

/** The loaded adapter that serves a connection, as far as the list of adapters tells it. */
export function adapterOf (
  { adapterKey, adapterVersion }: Pick<Connection, 'adapterKey' | 'adapterVersion'>,
  adapters: readonly Adapter[]
): Adapter | undefined {
  const found = adapters.filter(adapter => adapter.adapterKey === adapterKey && adapter.isolation !== null)
  const [newest] = versionsOf(adapterKey, adapters)
  return found.find(({ version }) => version === adapterVersion) ?? found.find(({ version }) => version === newest)
}

/** The tabs of a connection, without those that would be empty for it. */
export function tabsOf (
  connection: Connection,
  adapters: readonly Adapter[]
): readonly (readonly [tab: Tab, label: string])[] {
  const adapter = adapterOf(connection, adapters)
  return [
    ['overview', 'Overview'],
    ['settings', 'Settings'],
    ['adapter', 'Adapter'],
    ...(adapter === undefined || adapter.webhooks !== null ? [['webhooks', 'Webhooks']] as const : []),
    ['schedules', 'Schedules'],
    ...(connection.capabilities.some(name => bringOrders.includes(name)) ? [['routing', 'Routing']] as const : [])
  ]
}
