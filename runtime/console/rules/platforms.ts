import type { Schemas } from '@linker/client'

type Adapter = Schemas['Adapter']

/** An adapter that serves connections now. */
export type Serving = Adapter & { adapterKey: string, platformType: string, version: string }

export interface Platform {
  platformType: string
  name: string
  /** The adapter that a connection gets when nobody chooses one. */
  usual: Serving
  /** All that serve the platform, the usual one first. */
  choices: readonly Serving[]
}

const serves: ReadonlySet<string> = new Set(['ready', 'degraded'])

export function isServing (adapter: Adapter): adapter is Serving {
  return serves.has(adapter.state) && adapter.adapterKey !== null && adapter.platformType !== null &&
    adapter.version !== null
}

/** The platforms to which a connection can be made, by their names. */
export function platformsOf (adapters: readonly Adapter[]): readonly Platform[] {
  const byType = Map.groupBy(adapters.filter(isServing), ({ platformType }) => platformType)
  return [...byType].flatMap(([platformType, found]) => {
    const choices = found.toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault))
    const [usual] = choices
    return usual === undefined ? [] : [{ platformType, name: usual.displayName ?? platformType, usual, choices }]
  }).toSorted((a, b) => a.name.localeCompare(b.name))
}

const doings: Readonly<Record<string, string>> = {
  ProductMaster: 'brings the products',
  InventoryMaster: 'holds the stock',
  OrderProcessorManager: 'takes orders over',
  OfferManager: 'sells offers',
  Marketplace: 'sells offers and brings orders',
  OrderSource: 'brings orders'
}

/** Says in words which work a connection with these capabilities does. */
export function doingsOf (capabilities: readonly string[]): string {
  const known = [...new Set(capabilities.flatMap(name => doings[name] ?? []))]
  return known.length === 0 ? capabilities.join(', ') : known.join(', ')
}
