import { AdapterErrorCode, isAdapterError, type VariantOption } from '@linker/sdk'
import type { ShopClient } from '../client.ts'
import type { ShopContext } from '../config.ts'
import { readByIds } from '../webservice/paging.ts'
import { associatedIds, localized, reference, text, type Row } from '../webservice/row.ts'

const askAgainMs = 60 * 60_000

/** The name of a combination (`Red, L`) and its options, if the shop says them. */
export interface VariantNames {
  name?: string
  options?: VariantOption[]
}
export type ReadVariantNames = (combination: Row) => VariantNames

/**
 * Returns the function that reads the options of some combinations, in two requests. When the key
 * may not read them, only the names are missing.
 */
export function createVariantNames (
  client: ShopClient,
  { config, clock, log }: ShopContext
): (combinations: readonly Row[]) => Promise<ReadVariantNames> {
  const refusedUntilMs = new Map<string, number>()

  async function readRows (resource: string, ids: readonly string[], display: string): Promise<Row[]> {
    if (ids.length === 0 || clock.now().getTime() < (refusedUntilMs.get(resource) ?? 0)) return []
    try {
      return await readByIds(client, resource, ids, { display, language: config.languageId })
    } catch (error) {
      if (!isAdapterError(error) || error.code !== AdapterErrorCode.configuration) throw error
      refusedUntilMs.set(resource, clock.now().getTime() + askAgainMs)
      log.warn({ reason: error.message }, 'option names cannot be read, variants are read without them')
      return []
    }
  }

  return async combinations => {
    const valueIds = [...new Set(combinations.flatMap(optionIds))]
    const values = await readRows('product_option_values', valueIds, '[id,id_attribute_group,name]')
    const groupIds = [...new Set(values.map(row => reference(row.id_attribute_group)))].filter(id => id !== '0')
    const groups = await readRows('product_options', groupIds, '[id,name,public_name]')
    const groupNames = new Map(groups.map(row => [
      reference(row.id),
      localized(row.public_name, config.languageId) ?? localized(row.name, config.languageId)
    ]))
    const options = new Map(values.map(row => [reference(row.id), {
      name: groupNames.get(reference(row.id_attribute_group)),
      value: localized(row.name, config.languageId)
    }]))
    return combination => namesOf(optionIds(combination).map(id => options.get(id)))
  }
}

interface Option {
  name: string | undefined
  value: string | undefined
}

// Half a name would be wrong: "Red" for the red variant in L.
function namesOf (own: readonly (Option | undefined)[]): VariantNames {
  const values = own.map(option => option?.value).filter(value => value !== undefined)
  if (own.length === 0 || values.length < own.length) return {}
  const options = own.flatMap(option =>
    option?.name === undefined || option.value === undefined ? [] : [{ name: option.name, value: option.value }]
  )
  return { name: text(values.join(', ')), options: options.length < own.length ? undefined : options }
}

function optionIds (combination: Row): string[] {
  return associatedIds(combination, 'product_option_values')
}
