import { RejectedError } from '@linker/sdk'
import type { OpenConnection } from '../connections/open-connection.ts'
import type { OrderRow } from '../orders/store.ts'
import type { HandlerServices } from './call-adapter.ts'
import type { HandledJob } from './kept-effects.ts'

/** Opens the shop that an order is for. Throws `RejectedError` when the job is for another one. */
export async function openShop (
  job: HandledJob,
  { connections }: HandlerServices,
  order: OrderRow
): Promise<OpenConnection> {
  if (order.destinationConnectionId === null || order.destinationConnectionId !== job.connectionId) {
    throw new RejectedError(`order ${order.id} is for another shop than that of the job`)
  }
  return connections.openEnabled(order.destinationConnectionId)
}
