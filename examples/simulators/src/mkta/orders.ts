import { randomUUID } from 'node:crypto'
import { formOf, newRevision, totalOf, type CheckoutForm, type PlacedCheckoutForm } from './checkout-form.ts'
import { RestError } from './errors.ts'
import type { Journal, OrderEvent, OrderEventType } from './journal.ts'
import type { Offers } from './offers.ts'
import type { Schedule } from './schedule.ts'

/**
 * An event that a test adds. A past `occurredAt` gives it a smaller id, like that of an event that
 * became visible late. `visibleAfterMs` hides it until the clock has moved on.
 */
export interface NewOrderEvent {
  orderId: string
  type: OrderEventType
  occurredAt?: string
  visibleAfterMs?: number
}

export interface OrderSwitches {
  /**
   * How many writes of fulfilment and tracking numbers an order takes; the next one is answered
   * 422. Default: unlimited, because the marketplace does not publish its limit.
   */
  operationsPerOrder: number
}

export interface OrdersOptions {
  now: () => Date
  schedule: Schedule
  offers: Offers
  journal: Journal
  sellerId: string
  processingMs: () => number
  switches: OrderSwitches
}

/** How long after the purchase a buyer may change the delivery address. */
const addressChangesMs = 3 * 24 * 3_600_000

/** Makes the store of the seller's checkout forms, whose changes go to the journal. */
export function createOrders ({ now, schedule, offers, journal, sellerId, processingMs, switches }: OrdersOptions) {
  const forms = new Map<string, CheckoutForm>()
  const operations = new Map<string, number>()
  /** The live orders whose id answers 404, and until when. */
  const hiddenUntil = new Map<string, number>()
  let placed = 0

  function place (wanted: PlacedCheckoutForm): string {
    placed += 1
    const form = formOf(wanted, { time: now().toISOString(), number: placed, offerOf: offers.stored })
    const lines = wanted.lines.map(({ offerId, quantity }) => ({
      offerId,
      quantity,
      available: offers.stored(offerId)?.stock.available
    }))
    const short = lines.find(({ quantity, available }) => available !== undefined && available < quantity)
    if (short !== undefined) throw new Error(`the marketplace has only ${short.available} of '${short.offerId}'`)
    for (const { offerId, quantity, available } of lines) {
      if (available !== undefined) offers.sell(offerId, quantity)
    }
    forms.set(form.id, form)
    if (form.status !== 'CANCELLED') addEvent({ orderId: form.id, type: form.status })
    return form.id
  }

  function addEvent ({ orderId, ...event }: NewOrderEvent): string {
    const { buyer, lineItems, revision, marketplace } = existing(orderId)
    const { id, email, login, guest, preferences } = buyer
    return journal.add({
      ...event,
      order: {
        seller: { id: sellerId },
        buyer: { id, email, login, guest, preferences },
        lineItems,
        checkoutForm: { id: orderId, revision },
        marketplace
      }
    })
  }

  function events (): OrderEvent[] {
    schedule.catchUp()
    return journal.events()
  }

  function existing (id: string): CheckoutForm {
    const form = forms.get(id)
    if (form === undefined) throw new Error(`the marketplace has no checkout form '${id}'`)
    return form
  }

  function pay (id: string): void {
    const { payment, summary } = existing(id)
    write(id, {
      status: 'READY_FOR_PROCESSING',
      payment: { ...payment, finishedAt: now().toISOString(), paidAmount: summary.totalToPay }
    })
    addEvent({ orderId: id, type: 'READY_FOR_PROCESSING' })
  }

  // Keep updatedAt and revision: the marketplace may not change them when an order is cancelled.
  function cancel (id: string, type: 'BUYER_CANCELLED' | 'AUTO_CANCELLED' = 'BUYER_CANCELLED'): void {
    forms.set(id, { ...existing(id), status: 'CANCELLED' })
    addEvent({ orderId: id, type })
  }

  function modify (id: string, members: Partial<CheckoutForm>): void {
    write(id, members)
    addEvent({ orderId: id, type: 'BUYER_MODIFIED' })
  }

  function changeAddress (id: string, members: Record<string, unknown>): void {
    schedule.catchUp()
    const { delivery, fulfillment, lineItems } = existing(id)
    const isTaken = fulfillment.status !== 'NEW' || fulfillment.shipmentSummary.lineItemsSent !== 'NONE'
    if (isTaken) throw new Error(`the seller has taken order '${id}' on: its address stays`)
    const boughtAt = Math.min(...lineItems.map(line => Date.parse(line.boughtAt)))
    if (now().getTime() > boughtAt + addressChangesMs) throw new Error(`the address of order '${id}' is final by now`)
    const address = { ...delivery.address as object, ...members, modifiedAt: now().toISOString() }
    modify(id, { delivery: { ...delivery, address } })
  }

  function hide (id: string, ms: number): void {
    existing(id)
    hiddenUntil.set(id, now().getTime() + ms)
  }

  function join (ids: readonly string[]): string {
    const [first, ...others] = ids.map(existing)
    if (first === undefined || others.length === 0) throw new Error('a joint payment needs at least two checkout forms')
    const lineItems = [first, ...others].flatMap(form => form.lineItems)
    const id = randomUUID()
    forms.set(id, { ...first, id, lineItems, summary: { totalToPay: totalOf(lineItems) } })
    for (const old of ids) forms.delete(old)
    pay(id)
    return id
  }

  function write (id: string, members: Partial<CheckoutForm>): void {
    forms.set(id, {
      ...existing(id),
      ...members,
      id,
      updatedAt: now().toISOString(),
      revision: newRevision()
    })
  }

  /** Accepts a status at once; reads show it after `processingMs`. */
  function fulfil (form: CheckoutForm, status: CheckoutForm['fulfillment']['status'], revision: unknown): void {
    if (revision !== undefined && revision !== form.revision) {
      throw new RestError(409, {
        code: 'CheckoutFormRevisionConflict',
        message: `Revision ${String(revision)} is not the newest`,
        path: 'checkoutForm.revision'
      })
    }
    if (status === 'RETURNED') {
      throw new RestError(422, {
        code: 'SellerOrdersStoreUnprocessableEntityException',
        message: 'RETURNED cannot be set by the seller',
        path: 'status'
      })
    }
    countOperation(form.id)
    const announce = (): unknown => addEvent({ orderId: form.id, type: 'FULFILLMENT_STATUS_CHANGED' })
    writeLater(form.id, fulfillment => ({ ...fulfillment, status }), announce)
  }

  /** Sets how much of the form has a tracking number; reads show it after `processingMs`. */
  function markSent (id: string, lineItemsSent: CheckoutForm['fulfillment']['shipmentSummary']['lineItemsSent']): void {
    writeLater(id, fulfillment => ({ ...fulfillment, shipmentSummary: { lineItemsSent } }))
  }

  function writeLater (
    id: string,
    change: (before: CheckoutForm['fulfillment']) => CheckoutForm['fulfillment'],
    afterwards?: () => unknown
  ): void {
    schedule.plan(now().getTime() + processingMs(), () => {
      const current = forms.get(id)
      if (current === undefined) return
      forms.set(id, { ...current, fulfillment: change(current.fulfillment) })
      afterwards?.()
    })
  }

  /** Counts a write. Throws when the order takes no more writes. */
  function countOperation (id: string): void {
    const count = (operations.get(id) ?? 0) + 1
    if (count > switches.operationsPerOrder) {
      throw new RestError(422, {
        code: 'SellerOrdersStoreUnprocessableEntityException',
        message: `The limit of ${switches.operationsPerOrder} operations of order ${id} is exceeded`
      })
    }
    operations.set(id, count)
  }

  function getOwned (id: string, seller: string): CheckoutForm {
    const form = forms.get(id)
    const isHidden = now().getTime() < (hiddenUntil.get(id) ?? 0)
    if (form === undefined || seller !== sellerId || isHidden) {
      throw new RestError(404, { code: 'CHECKOUT_FORM_NOT_FOUND', message: `Checkout form ${id} not found` })
    }
    return form
  }

  function stored (id: string): CheckoutForm | undefined {
    schedule.catchUp()
    return forms.get(id)
  }

  return {
    place,
    addEvent,
    events,
    pay,
    cancel,
    modify,
    changeAddress,
    hide,
    join,
    fulfil,
    markSent,
    countOperation,
    getOwned,
    stored,
    isSeller: (id: string) => id === sellerId,
    all: () => [...forms.values()]
  }
}

export type Orders = ReturnType<typeof createOrders>
