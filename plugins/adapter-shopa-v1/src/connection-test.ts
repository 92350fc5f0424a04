import { AdapterErrorCode, isAdapterError, type TestResult } from '@linker/sdk'
import type { Config } from './config.ts'
import { createLocalTime } from './local-time.ts'

const always = ['products', 'combinations', 'stock_availables']
const forPrices = ['countries', 'tax_rules', 'taxes']
const forNames = 'product_option_values'

/** Reads a little of everything that this connection will read. `read` fails for a resource that the key may not. */
export async function testConnection (read: (resource: string) => Promise<unknown>, config: Config): Promise<TestResult> {
  if (config.timeZone !== undefined) createLocalTime(config.timeZone)
  const resources = [...always, ...(config.prices === undefined ? [] : forPrices)]
  const [warnings] = await Promise.all([warningsAboutNames(read), ...resources.map(read)])
  return { message: `the webservice answers and the key may read ${resources.join(', ')}`, ...(warnings.length === 0 ? {} : { warnings }) }
}

async function warningsAboutNames (read: (resource: string) => Promise<unknown>): Promise<string[]> {
  try {
    await read(forNames)
    return []
  } catch (error) {
    if (!isAdapterError(error) || error.code !== AdapterErrorCode.configuration) throw error
    return [`variants have no names: ${error.message}`]
  }
}
