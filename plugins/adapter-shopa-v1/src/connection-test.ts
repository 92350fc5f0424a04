import { AdapterErrorCode, isAdapterError, type TestResult } from '@linker/sdk'
import type { Config } from './config.ts'
import { createLocalTime } from './webservice/local-time.ts'

const always = ['products', 'combinations', 'stock_availables']
const forPrices = ['countries', 'tax_rules', 'taxes']
// Without these resources the connection still works, with fewer functions.
const optional = { product_option_values: 'variants have no names', orders: 'orders cannot be read' }

/**
 * Reads a little of every resource that this connection will read. `read` throws for a resource
 * that the key may not read.
 */
export async function testConnection (
  read: (resource: string) => Promise<unknown>,
  config: Config
): Promise<TestResult> {
  if (config.timeZone !== undefined) createLocalTime(config.timeZone)
  const resources = [...always, ...(config.prices === undefined ? [] : forPrices)]
  const [warnings] = await Promise.all([readOptional(read), ...resources.map(read)])
  return {
    message: `the webservice answers and the key may read ${resources.join(', ')}`,
    warnings: warnings.length === 0 ? undefined : warnings
  }
}

/** Returns a warning for each optional resource that the key may not read. */
async function readOptional (read: (resource: string) => Promise<unknown>): Promise<string[]> {
  const warnings = await Promise.all(Object.entries(optional).map(async ([resource, consequence]) => {
    try {
      await read(resource)
      return []
    } catch (error) {
      if (!isAdapterError(error) || error.code !== AdapterErrorCode.configuration) throw error
      return [`${consequence}: ${error.message}`]
    }
  }))
  return warnings.flat()
}
