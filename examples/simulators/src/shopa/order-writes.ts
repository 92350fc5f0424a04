import { PlainError, webserviceError } from './errors.ts'
import type { OrderHooks, Orders } from './orders.ts'
import type { Row } from './product-rows.ts'
import type { ResourceName } from './resources.ts'
import type { RowChange, State } from './state.ts'

/** Functions that create records of the resources where a new record is more than a row. */
export type Creators = Partial<Record<ResourceName, (change: RowChange) => Row>>

// "Remote payment accepted": the state of every order that comes through the webservice.
const remotePayment = 11

/** Makes the creators. `paymentModules` holds the modules that are installed and active. */
export function createCreators (
  state: State,
  orders: Orders,
  { paymentModules, hooks, timestamp }: {
    paymentModules: { has: (name: string) => boolean },
    hooks: OrderHooks,
    timestamp: () => string
  }
): Creators {
  const nextId = (resource: ResourceName) => state.tables[resource].nextId()

  function createOrder ({ fields }: RowChange): Row {
    const { id_cart: cartId, total_paid: amountPaid, module, payment } = fields
    if (!paymentModules.has(String(module))) {
      // PHP stops, and a shop in production says nothing.
      throw new PlainError(500, '')
    }
    return orders.place({
      cartId: Number(cartId),
      stateId: remotePayment,
      amountPaid: String(amountPaid),
      module: String(module),
      payment: String(payment)
    }, hooks)
  }

  function createHistory ({ fields }: RowChange): Row {
    refuseUnknown('order_states', fields.id_order_state, 'OrderHistory->id_order_state')
    refuseUnknown('orders', fields.id_order, 'OrderHistory->id_order')
    return orders.changeState(Number(fields.id_order), Number(fields.id_order_state), hooks)
  }

  function createCustomer ({ fields, associations = {} }: RowChange): Row {
    const at = timestamp()
    return state.addSupporting('customers', {
      id: nextId('customers'),
      fields: { ...fields, date_add: at, date_upd: at },
      associations
    })
  }

  function refuseUnknown (resource: ResourceName, id: unknown, property: string): void {
    if (state.tables[resource].get(Number(id)) === undefined) throw invalid(property)
  }

  return { orders: createOrder, order_histories: createHistory, customers: createCustomer }
}

function invalid (property: string): Error {
  return webserviceError(400, 84, `Validation error: "Property ${property} is not valid"`)
}
