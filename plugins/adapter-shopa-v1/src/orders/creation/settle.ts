import type { CreatedOrder } from '@linker/sdk'
import type { ShopClient } from '../../client.ts'
import type { ShopContext } from '../../config.ts'
import { parseDecimal } from '../../products/gross-amount.ts'
import { reference, text, type Row } from '../../webservice/row.ts'
import { newestCarrierRow, readOrderRow, replaceCarrierRow, setState } from '../changes.ts'
import { isPermanent, paymentError, type ReadState } from '../states.ts'
import { readPins } from './cart.ts'
import type { Progress, ProgressStore } from './progress.ts'

/** Finishes an order that the shop has made. It may be repeated: each step looks first. */
export function createSettle (
  client: ShopClient,
  { log }: ShopContext,
  { progressStore, readStates }: { progressStore: ProgressStore, readStates: () => Promise<ReadState> }
) {
  /**
   * Reports a step that can never succeed as a problem of the order: the order exists, so its
   * creation did not fail.
   */
  async function attempt (step: () => Promise<void>): Promise<string[]> {
    try {
      await step()
      return []
    } catch (error) {
      if (!isPermanent(error)) throw error
      return [error.message]
    }
  }

  async function correctShipping (orderId: string, { net, gross }: Progress['plan']['shipping']): Promise<void> {
    const row = await newestCarrierRow(client, orderId)
    if (row === undefined || isSame(row.shipping_cost_tax_incl, gross)) return
    await replaceCarrierRow(client, row, { shipping_cost_tax_incl: gross, shipping_cost_tax_excl: net })
  }

  async function reachState (orderId: string, current: string, wanted: string): Promise<void> {
    const { status } = (await readStates())(current)
    // Leave a later state: somebody in the shop may have moved the order on.
    const isOpen = status === 'pending' || status === 'processing'
    if (current !== wanted && isOpen) await setState(client, orderId, wanted)
  }

  async function dropPins (cartId: string): Promise<void> {
    try {
      for (const id of await readPins(client, cartId)) await client.remove('specific_prices', id)
    } catch (error) {
      log.warn(
        { reason: error instanceof Error ? error.message : '' },
        'prices of a cart stay in the shop until they expire'
      )
    }
  }

  return async function settle (reference: string, progress: Progress & { orderId: string }): Promise<CreatedOrder> {
    const { cartId, orderId, plan, problems } = progress
    if (problems !== undefined) return created(orderId, problems)
    await progressStore.set(reference, progress)

    const [row, shippingProblems] = await Promise.all([
      readOrderRow(client, orderId),
      attempt(() => correctShipping(orderId, plan.shipping)),
      dropPins(cartId)
    ])
    const stateProblems = await attempt(() => reachState(orderId, text(row.current_state) ?? '0', plan.stateId))
    const found = [...differences(row, plan), ...shippingProblems, ...stateProblems]
    await progressStore.set(reference, { ...progress, problems: found })
    return created(orderId, found)
  }
}

function differences (row: Row, { total }: Progress['plan']): string[] {
  const paid = text(row.total_paid_tax_incl) ?? text(row.total_paid)
  return [
    ...reference(row.current_state) === paymentError ? ['the shop marked the order with a payment error'] : [],
    ...isSame(paid, total) ? [] : [`its total in the shop is ${paid ?? 'unknown'}, the buyer paid ${total}`],
    ...reference(row.id_carrier) === '0' ? ['it has no carrier in the shop'] : []
  ]
}

function isSame (left: unknown, right: string): boolean {
  return parseDecimal(left) === parseDecimal(right)
}

function created (externalId: string, problems: readonly string[]): CreatedOrder {
  return problems.length === 0 ? { externalId } : { externalId, problems: [...problems] }
}
