import { TransientError, type Address, type Money, type Order, type OrderLine, type Tracking } from '@linker/sdk'
import { formatAmount, divideHalfUp, one, parseDecimal } from '../products/gross-amount.ts'
import { decimalsOf } from '../products/prices.ts'
import type { LocalTime } from '../webservice/local-time.ts'
import { integer, reference, text, type Row } from '../webservice/row.ts'
import { isOfModule } from './creation/carrier.ts'
import { paymentName } from './creation/payment.ts'
import type { ReadState } from './states.ts'

/** The records that the row of an order refers to. */
export interface OrderParts {
  details: readonly Row[]
  delivery: Row | undefined
  invoice: Row | undefined
  customer: Row | undefined
  /** ISO 4217. */
  currency: string
  /** The newest carrier row of the order, and the carrier that it names. */
  carrierRow: Row | undefined
  carrier: Row | undefined
  moduleName: string
  /** Returns the ISO code of a country's id. */
  countryCode: (id: string) => string | undefined
}

/**
 * Reads an order from its row; `undefined` when the shop does not say its lines. Throws when a
 * number or a time cannot be read: an unknown number is not zero, and an unknown time is not 1970.
 */
export function readOrder (
  row: Row,
  parts: OrderParts,
  { readState, time }: { readState: ReadState, time: LocalTime }
): Order | undefined {
  const money = (row: Row, ...names: string[]): Money => ({
    amount: amountOf(row, names, parts.currency),
    currency: parts.currency
  })
  const stateId = reference(row.current_state)
  const state = readState(stateId)
  const changedAt = text(row.date_upd) ?? ''
  const tracking = trackingOf(parts)
  const placedAt = time.toInstant(text(row.date_add) ?? '') ?? time.toInstant(changedAt) ??
    unreadable(row, 'date_add')
  const lines = parts.details.flatMap(detail => lineOf(detail, money))
  if (lines.length === 0) return undefined

  return {
    externalId: reference(row.id),
    status: state.status,
    upstreamStatus: state.name ?? stateId,
    // Add the tracking number: it is a change, but does not update the order's time.
    revision: [changedAt, stateId, ...tracking === undefined ? [] : [tracking.number]].join('/'),
    placedAt: placedAt.toISOString(),
    buyer: { externalId: reference(row.id_customer), email: text(parts.customer?.email) },
    lines,
    total: money(row, 'total_paid_tax_incl', 'total_paid'),
    payment: {
      method: methodOf(row),
      paid: money(row, 'total_paid_real'),
      methodName: text(row.payment)
    },
    shipping: {
      methodId: text(parts.carrier?.id_reference) ?? reference(row.id_carrier),
      methodName: text(parts.carrier?.name),
      price: money(row, 'total_shipping_tax_incl', 'total_shipping'),
      address: addressOf(parts.delivery, parts)
    },
    invoiceAddress: addressOf(parts.invoice, parts),
    tracking
  }
}

function methodOf (row: Row): Order['payment']['method'] {
  if (/cash.?on.?delivery/i.test(`${text(row.module) ?? ''} ${text(row.payment) ?? ''}`)) return 'cash-on-delivery'
  return text(row.payment) === paymentName('deferred') ? 'deferred' : 'prepaid'
}

/** Leaves out a line with quantity 0. */
function lineOf (detail: Row, money: (row: Row, name: string) => Money): OrderLine[] {
  const quantity = integer(detail.product_quantity) ?? unreadable(detail, 'product_quantity')
  if (quantity < 1) return []
  return [{
    externalId: reference(detail.id),
    name: text(detail.product_name) ?? '',
    quantity,
    unitPrice: money(detail, 'unit_price_tax_incl')
  }]
}

function trackingOf ({ carrierRow, carrier = {}, moduleName }: OrderParts): Tracking | undefined {
  const number = text(carrierRow?.tracking_number)
  if (number === undefined) return undefined
  // Buyers do not know the module's own carrier: its name would be a tracking link that leads
  // nowhere.
  return { carrier: isOfModule(carrier, { moduleName }) ? 'other' : text(carrier.name) ?? 'other', number }
}

function addressOf (row: Row | undefined, { countryCode }: OrderParts): Address | undefined {
  const country = countryCode(reference(row?.id_country))
  if (row === undefined || country === undefined) return undefined
  const optional = {
    firstName: text(row.firstname),
    lastName: text(row.lastname),
    company: text(row.company),
    taxId: text(row.vat_number),
    phone: text(row.phone) ?? text(row.phone_mobile)
  }
  return {
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
    street: [text(row.address1), text(row.address2)].filter(Boolean).join(', '),
    postcode: text(row.postcode) ?? '',
    city: text(row.city) ?? '',
    country
  }
}

/** Reads the first of some members that has a value, rounded. */
function amountOf (row: Row, names: readonly string[], currency: string): string {
  const decimals = decimalsOf(currency)
  const name = names.find(name => text(row[name]) !== undefined) ?? names.join(', ')
  const amount = parseDecimal(row[name]) ?? unreadable(row, name)
  return formatAmount(divideHalfUp(amount, one / 10n ** BigInt(decimals)), decimals)
}

function unreadable (row: Row, name: string): never {
  const [of, id] = row.id_order === undefined ? ['order', row.id] : ['a line of order', row.id_order]
  throw new TransientError(`${name} of ${of} ${reference(id)} cannot be read in the shop's answer`)
}
