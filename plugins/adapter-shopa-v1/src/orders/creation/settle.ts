import type { CreatedOrder } from '@linker/sdk'
import type { ShopClient } from '../../client.ts'
import type { ShopContext } from '../../config.ts'
import { reference, type Row } from '../../webservice/row.ts'
import { newestCarrierRow, readOrderRow, setState } from '../changes.ts'
import { backorders, isPermanent, paymentError, type ReadState } from '../states.ts'
import { readPins } from './cart.ts'
import { correctCarrierRow, correctTotals, isSame, removePayments, totalOf } from './corrections.ts'
import type { Plan, Progress, ProgressStore } from './progress.ts'

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
  async function attempt (
    step: () => Promise<boolean>,
    consequence = ''
  ): Promise<{ isChanged: boolean, problems: string[] }> {
    try {
      return { isChanged: await step(), problems: [] }
    } catch (error) {
      if (!isPermanent(error)) throw error
      return { isChanged: false, problems: [consequence + error.message] }
    }
  }

  /**
   * Sets the wanted state. Leaves a state that the shop sets by itself: a paid one on top of a
   * payment error books the total again, and a backorder says that a piece is missing.
   */
  async function reachState (orderId: string, current: string, wanted: string): Promise<boolean> {
    if (current === wanted || current === paymentError || backorders.includes(current)) return false
    const { status } = (await readStates())(current)
    // Leave a later state: somebody in the shop may have moved the order on.
    if (status === 'pending' || status === 'processing') await setState(client, orderId, wanted)
    return false
  }

  /** Makes the steps in their order. `isChanged`: the order must be read again. */
  async function finish (row: Row, orderId: string, plan: Plan) {
    const { isUnpaid = false, total, currency = '' } = plan
    const booked = `the shop booked a payment of ${total} ${currency}, which the buyer has not paid yet`
    let carrierRow: Row | undefined
    const steps = [
      await attempt(async () => {
        carrierRow = await newestCarrierRow(client, orderId)
        return correctCarrierRow(client, carrierRow, plan)
      }),
      await attempt(() => correctTotals(client, row, plan)),
      await attempt(() => reachState(orderId, reference(row.current_state), plan.stateId)),
      await attempt(async () => isUnpaid && removePayments(client, row), `${booked}: delete it in the shop: `)
    ]
    return {
      carrierRow,
      isChanged: steps.some(({ isChanged }) => isChanged),
      problems: steps.flatMap(({ problems }) => problems)
    }
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

  async function readBoth (orderId: string): Promise<{ row: Row, carrierRow: Row | undefined }> {
    const [row, carrierRow] = await Promise.all([readOrderRow(client, orderId), newestCarrierRow(client, orderId)])
    return { row, carrierRow }
  }

  return async function settle (name: string, progress: Progress & { orderId: string }): Promise<CreatedOrder> {
    const { cartId, orderId, plan, problems } = progress
    if (problems !== undefined) return created(orderId, problems)
    await progressStore.set(name, progress)

    const [row] = await Promise.all([readOrderRow(client, orderId), dropPins(cartId)])
    // Remember the shop's own total before it is corrected: a repeat would not find it again.
    const shopTotal = progress.shopTotal ?? totalOf(row)
    await progressStore.set(name, { ...progress, shopTotal })
    const { carrierRow, isChanged, problems: failures } = await finish(row, orderId, plan)
    const left = isChanged ? await readBoth(orderId) : { row, carrierRow }
    const found = [...plan.problems ?? [], ...differences(left, plan, shopTotal), ...failures]
    await progressStore.set(name, { ...progress, shopTotal, problems: found })
    return created(orderId, found)
  }
}

function differences (
  { row, carrierRow }: { row: Row, carrierRow: Row | undefined },
  { total, stateId, carrier }: Plan,
  shopTotal: string | undefined
): string[] {
  const stateNow = reference(row.current_state)
  const taken = reference(row.id_carrier)
  const isOther = carrier !== undefined && ![carrier.id, carrier.ofCart, '0'].includes(taken)
  const isLeft = carrier !== undefined && carrierRow !== undefined && reference(carrierRow.id_carrier) !== carrier.id
  const computed = `the shop computed a total of ${shopTotal ?? 'an unknown amount'}, the buyer's is ${total}`
  return [
    ...stateNow === paymentError
      ? [`the shop marked the order with a payment error: ${computed}. A paid state would book a second payment`]
      : [],
    ...isSame(totalOf(row), total)
      ? []
      : [`its total in the shop is ${totalOf(row) ?? 'unknown'}, the buyer's is ${total}`],
    ...backorders.includes(stateNow) && stateNow !== stateId
      ? ['it is short of stock: the shop put it on backorder']
      : [],
    ...taken === '0' ? ['it has no carrier in the shop'] : [],
    ...isOther ? [`the shop took carrier ${taken} instead of '${carrier.name}': does it serve this address?`] : [],
    ...isLeft ? [`its carrier in the shop is not '${carrier.name}'`] : []
  ]
}

function created (externalId: string, problems: readonly string[]): CreatedOrder {
  return problems.length === 0 ? { externalId } : { externalId, problems: [...problems] }
}
