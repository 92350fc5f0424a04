import type { Field } from './fields.ts'
import type { Value } from './product-rows.ts'
import { resources, type ResourceName } from './resources.ts'

/**
 * Returns the columns that a replacing write empties when it leaves them out: a stock row loses its
 * shop, a product its barcode. The shop itself sets times and computed members.
 */
export function emptyFields (resource: ResourceName): Record<string, Value> {
  const emptied = Object.entries(resources[resource].fields).filter(([, { type, computed }]) =>
    type !== 'date' && computed !== true
  )
  return Object.fromEntries(emptied.map(([name, { type }]) => [name, emptyValue(type)]))
}

function emptyValue (type: Field['type']): Value {
  if (type === 'localised') return {}
  if (type === 'decimal') return '0.000000'
  return type === 'text' ? '' : '0'
}
