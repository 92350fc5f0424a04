import { AdapterErrorCode, ConfigurationError, isAdapterError, type Order, type OrderStatusChange } from '@linker/sdk'
import type { ShopClient } from '../client.ts'
import type { Config, ShopContext } from '../config.ts'
import { readAll } from '../webservice/paging.ts'
import { isSet, localized, reference, type Row } from '../webservice/row.ts'
import type { Unpaid } from './creation/payment.ts'

/** The shop sets it when it computed another total than the order was paid with. */
export const paymentError = '8'
/** The shop sets them when a line is short of stock: paid and not paid. */
export const backorders: readonly string[] = ['9', '12']

// The ids of a default install. Owners add states, so any other state is read by its flags.
const cancelled = '6'
const refunded = '7'
const delivered = '5'
const defaults = { processing: '2', shipped: '4', delivered, cancelled, cashOnDelivery: '13', deferred: '10' }
const keepMs = 10 * 60_000

export interface OrderState {
  status: Order['status']
  name: string | undefined
  /** Whether the first such state of an order books its total as a payment. */
  isPaid: boolean
  /** Whether a new order in this state books a payment. */
  isLogable: boolean
}
export type ReadState = (stateId: string) => OrderState

/** Returns the id of the shop's state for one of the hub's statuses, or for orders not paid. */
export function stateIdOf (config: Config, status: OrderStatusChange | Unpaid): string {
  return config.orderStates?.[status] ?? defaults[status]
}

/** Returns the function that reads the shop's order states, at most every ten minutes. */
export function createStates (client: ShopClient, { config, clock }: ShopContext): () => Promise<ReadState> {
  let known: { states: Promise<ReadState>, until: number } | undefined

  async function read (): Promise<ReadState> {
    const rows = await readAll(client, 'order_states', { display: 'full', language: config.languageId })
    const stateOf = (row: Row): OrderState => ({
      status: statusOf(row, config),
      name: localized(row.name, config.languageId),
      isPaid: isSet(row.paid),
      isLogable: isSet(row.logable)
    })
    const states = new Map(rows.map(row => [reference(row.id), stateOf(row)]))
    return id => states.get(id) ?? stateOf({ id })
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
  if ([stateIdOf(config, 'cashOnDelivery'), stateIdOf(config, 'deferred')].includes(id)) return 'processing'
  return isSet(row.paid) ? 'processing' : 'pending'
}

/**
 * Returns the id of the state of new orders that are not paid. Refuses one that would book a
 * payment.
 */
export function unpaidState (config: Config, unpaid: Unpaid, readState: ReadState): string {
  const id = stateIdOf(config, unpaid)
  const { name, isPaid, isLogable } = readState(id)
  const setting = `state ${id} (config.orderStates.${unpaid})`
  if (name === undefined) throw new ConfigurationError(`the shop has no order ${setting}`)
  if (isPaid || isLogable) {
    throw new ConfigurationError(`${setting} books a payment in the shop: name one that does not count as paid`)
  }
  return id
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
