import type { OrderProcessorManager } from '@linker/sdk'
import type { ShopClient } from '../client.ts'
import type { ShopContext } from '../config.ts'
import { createChanges } from './changes.ts'
import { createCreation } from './creation.ts'
import { createReading } from './reading.ts'
import { createStates } from './states.ts'
import { createUpdate } from './update.ts'

/**
 * Reads the orders of the shop, makes orders from those of marketplaces, and changes their status.
 */
export function createOrderProcessorManager (
  client: ShopClient,
  context: ShopContext
): Required<OrderProcessorManager> {
  const readStates = createStates(client, context)
  return {
    ...createReading(client, context, readStates),
    ...createCreation(client, context, readStates),
    ...createChanges(client, context, readStates),
    ...createUpdate(client, context, readStates)
  }
}
