import type { OpenConnection } from '../connections/open-connection.ts'
import type { HandlerServices } from './call-adapter.ts'

/**
 * Opens a connection to take orders of its marketplace. First finds out which account it opens,
 * because two connections to one account would make each order twice. Undefined when another
 * connection takes the orders of the account.
 */
export async function openForOrders (
  connectionId: string,
  { connections }: Pick<HandlerServices, 'connections'>
): Promise<OpenConnection | undefined> {
  const opened = await connections.openEnabled(connectionId)
  const connection = await connections.learnAccountForOrders(opened)
  return typeof connection.accountShared === 'string' ? undefined : { ...opened, connection }
}

/** The result of a job that leaves the orders to another connection. */
export const ordersLeft = { skipped: 'another connection to this account takes its orders' }
