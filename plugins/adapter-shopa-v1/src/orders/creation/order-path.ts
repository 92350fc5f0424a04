import { AdapterErrorCode, ConfigurationError, isAdapterError } from '@linker/sdk'
import type { ShopClient } from '../../client.ts'
import type { ShopContext } from '../../config.ts'
import { createModule, type OpenModule } from '../../module-client.ts'

/**
 * Returns the function that opens the shop-side module; `undefined`: the webservice makes orders.
 */
export function createOrderPath (client: ShopClient, context: ShopContext): () => Promise<OpenModule | undefined> {
  const { config, log } = context
  if (config.orderPath === 'webservice') return async () => undefined
  const module = createModule(client, context)

  async function open (): Promise<OpenModule> {
    const opened = await module.open()
    if (opened === undefined) {
      const remedy = 'install the webhooks of this connection, or set credentials.moduleSecret'
      throw new ConfigurationError(`Webhook secret not found: ${remedy}`)
    }
    return opened
  }

  async function openWhereInstalled (): Promise<OpenModule | undefined> {
    try {
      return await module.open()
    } catch (error) {
      if (!isAdapterError(error) || error.code !== AdapterErrorCode.configuration) throw error
      log.warn(
        { reason: error.message },
        'the key may not read the webhook secret, so the webservice makes the order: set config.orderPath to choose'
      )
      return undefined
    }
  }

  return config.orderPath === 'module' ? open : openWhereInstalled
}
