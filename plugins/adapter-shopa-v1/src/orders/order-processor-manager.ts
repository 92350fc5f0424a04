import type { OrderProcessorManager } from '@linker/sdk'
import type { ShopClient } from '../client.ts'
import type { ShopContext } from '../config.ts'
import { createChanges } from './changes.ts'
import { createCreation } from './create-order.ts'
import { createReading } from './read-orders.ts'
import { createStates } from './states.ts'

/** Orders of the shop: read, made from those of marketplaces, moved on and cancelled. */
export function createOrderProcessorManager (
  client: ShopClient,
  context: ShopContext
): Required<OrderProcessorManager> {
  const readStates = createStates(client, context)
  return {
    ...createReading(client, context, readStates),
    ...createCreation(client, context, readStates),
    ...createChanges(client, context, readStates)
  }
}
