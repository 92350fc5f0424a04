import type { SchemaProblem } from '@linker/sdk/host'
import { ConnectionSettings, settingDefaults, type SettingsPatch } from './schema.ts'

type SettingName = keyof ConnectionSettings

/** A connection has a setting when it has one of these capabilities. */
const capabilitiesFor: Readonly<Record<SettingName, readonly string[]>> = {
  sellsInactive: ['OfferManager', 'Marketplace'],
  shipsWithin: ['OrderSource', 'Marketplace'],
  confirmStockJump: ['InventoryMaster'],
  orderPollDays: ['OrderProcessorManager']
}

const names = Object.keys(capabilitiesFor) as SettingName[]

function fits (name: SettingName, capabilities: readonly string[]): boolean {
  return capabilitiesFor[name].some(capability => capabilities.includes(capability))
}

/** The JSON Schema of the settings that a connection with these capabilities has. */
export function settingsSchemaFor (capabilities: readonly string[]): Record<string, unknown> {
  const own = names.filter(name => fits(name, capabilities))
  return {
    type: 'object',
    properties: Object.fromEntries(own.map(name => [name, {
      ...ConnectionSettings.properties[name],
      ...name in settingDefaults ? { default: settingDefaults[name as keyof typeof settingDefaults] } : {}
    }])),
    additionalProperties: false
  }
}

/** Returns a problem for each member that a connection with these capabilities cannot have. */
export function findMisfits (settings: SettingsPatch, capabilities: readonly string[]): SchemaProblem[] {
  // A member that is removed may belong to a capability that is gone.
  return names.filter(name => (settings[name] ?? null) !== null && !fits(name, capabilities)).map(name => ({
    pointer: `/settings/${name}`,
    code: 'capability',
    message: `needs the capability ${capabilitiesFor[name].join(' or ')}; the connection has ${
      capabilities.join(', ') || 'none'
    }`
  }))
}

/** Returns the settings after a patch: null removes a member, so that its default holds again. */
export function mergeSettings (current: ConnectionSettings, patch: SettingsPatch): ConnectionSettings {
  const merged = Object.entries({ ...current, ...patch }).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(merged)
}
