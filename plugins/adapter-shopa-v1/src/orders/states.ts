import { AdapterErrorCode, isAdapterError, type Order, type OrderStatusChange } from '@linker/sdk'
import type { ShopClient } from '../client.ts'
import type { Config, ShopContext } from '../config.ts'
import { readAll } from '../webservice/paging.ts'
import { isSet, localized, reference, type Row } from '../webservice/row.ts'

export const paymentError = '8'

// The ids of a default install. Owners add states, so any other state is read by its flags.
const cancelled = '6'
const refunded = '7'
const delivered = '5'
const defaults = { processing: '2', shipped: '4', delivered, cancelled }
const keepMs = 10 * 60_000

export interface OrderState {
  status: Order['status']
  name: string | undefined
}
export type ReadState = (stateId: string) => OrderState

/** Returns the id of the shop's state for one of the hub's statuses. */
export function stateIdOf (config: Config, status: OrderStatusChange): string {
  return config.orderStates?.[status] ?? defaults[status]
}

/** Returns the function that reads the shop's order states, at most every ten minutes. */
export function createStates (client: ShopClient, { config, clock }: ShopContext): () => Promise<ReadState> {
  let known: { states: Promise<ReadState>, until: number } | undefined

  async function read (): Promise<ReadState> {
    const rows = await readAll(client, 'order_states', { display: 'full', language: config.languageId })
    const stateOf = (row: Row) => ({ status: statusOf(row, config), name: localized(row.name, config.languageId) })
    const states = new Map(rows.map(row => [reference(row.id), stateOf(row)]))
    return id => states.get(id) ?? { status: statusOf({ id }, config), name: undefined }
  }

  return () => {
    const now = clock.now().getTime()
    if (known === undefined || known.until <= now) {
      known = { states: read(), until: now + keepMs }
      known.states.catch(() => {
        known = undefined
      })
    }
    return known.states
  }
}

function statusOf (row: Readonly<Record<string, unknown>>, config: Config): Order['status'] {
  const id = reference(row.id)
  if ([cancelled, stateIdOf(config, 'cancelled')].includes(id)) return 'cancelled'
  if (id === refunded) return 'returned'
  if ([delivered, stateIdOf(config, 'delivered')].includes(id)) return 'delivered'
  if (isSet(row.shipped)) return 'shipped'
  return isSet(row.paid) ? 'processing' : 'pending'
}

/** Whether an error means that a retry cannot help. */
export function isPermanent (error: unknown): error is Error {
  const codes: readonly string[] = [
    AdapterErrorCode.rejected,
    AdapterErrorCode.notFound,
    AdapterErrorCode.configuration
  ]
  return isAdapterError(error) && codes.includes(error.code)
}
