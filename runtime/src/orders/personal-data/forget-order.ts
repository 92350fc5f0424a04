import type { SchemaProblem } from '@linker/sdk/host'
import { recordChange } from '../../audit/store.ts'
import { repeatOnConflict } from '../../database/conflict.ts'
import type { Query } from '../../database/database.ts'
import { OrderNotFoundError, OrderStateError } from '../../errors.ts'
import { countJobsWithTexts } from '../../jobs/texts/store.ts'
import { isEnded } from '../status.ts'
import { lockOrder, type OrderRow } from '../store.ts'
import {
  changedDetails,
  findWaitingCommands,
  forgetBuyers,
  jobKeysOf,
  type ForgetOptions,
  type OrderJobTypesOf
} from './forget.ts'
import type { PersonalDataRemoval } from './schemas.ts'
import { lockBuyers, type BuyerRow } from './store.ts'

/**
 * Removes the data of the buyer from an order. Throws `LNK_ORDER_STATE` while the order is open or
 * a command of it has not ended, because either may need the address.
 */
export async function forgetOrder (
  { database, ...events }: ForgetOptions,
  id: string,
  isDryRun: boolean
): Promise<PersonalDataRemoval> {
  return repeatOnConflict(() =>
    database.transaction(async ({ query }) => {
      const order = await lockOrder(query, id)
      const [buyer] = order === undefined ? [] : await lockBuyers(query, [order.id])
      if (order === undefined || buyer === undefined) throw new OrderNotFoundError(id)
      const obstacles = await findObstacles(query, order, buyer)
      const removed = await countData(query, buyer, events.orderJobTypesOf)
      const { externalId, connectionId } = order
      if (isDryRun) {
        const personalDataRemovedAt = isoOrNull(buyer.personalDataRemovedAt)
        return { id: order.id, externalId, deleted: false, personalDataRemovedAt, obstacles, removed }
      }
      if (obstacles.length > 0) throw new OrderStateError(obstacles.map(({ message }) => message).join('; '))
      const removedAt = (await forgetBuyers(query, [buyer], events)).get(order.id) ?? null
      // A repeated request that finds nothing changes nothing.
      if (removed.length > 0 || buyer.personalDataRemovedAt === null) {
        await recordChange(query, {
          action: 'order.forget',
          connectionId,
          objectId: order.id,
          objectName: externalId
        })
      }
      const personalDataRemovedAt = isoOrNull(removedAt)
      return { id: order.id, externalId, deleted: true, personalDataRemovedAt, obstacles: [], removed }
    })
  )
}

async function findObstacles (query: Query, order: OrderRow, buyer: BuyerRow): Promise<SchemaProblem[]> {
  const { id, status } = order
  if (!isEnded(status)) {
    const message = `order '${id}' is ${status}: the hub needs the data of the buyer until the order is shipped, ` +
      'delivered, cancelled or returned'
    return [{ pointer: '/status', code: 'open', message }]
  }
  const command = (await findWaitingCommands(query, [buyer])).get(id)
  if (command === undefined) return []
  const message = `job '${command.id}' (${command.jobType}) of order '${id}' has not ended: cancel it, or try again ` +
    'when it has ended'
  return [{ pointer: '', code: 'job-not-ended', message }]
}

async function countData (
  query: Query,
  order: BuyerRow,
  orderJobTypesOf: OrderJobTypesOf
): Promise<PersonalDataRemoval['removed']> {
  const { snapshot: { buyer, shipping, invoiceAddress, comment }, tracking, parcel, personalDataRemovedAt } = order
  const contacts = Object.values(buyer).length
  const jobKeys = await jobKeysOf(query, [order], orderJobTypesOf)
  const addresses = [shipping.address, invoiceAddress].filter(address => address !== undefined).length
  const rows = [
    { what: 'e-mail address and id of the buyer', count: contacts },
    { what: 'addresses', count: addresses },
    { what: 'pickup points', count: shipping.pickupPointId === undefined ? 0 : 1 },
    { what: 'comments', count: comment === undefined ? 0 : 1 },
    { what: 'tracking numbers', count: [tracking, parcel].filter(found => found !== null).length },
    { what: 'texts of problems', count: personalDataRemovedAt === null ? order.problems.length : 0 },
    { what: 'details of history entries', count: (await changedDetails(query, [order])).length },
    { what: 'texts of ended jobs', count: await countJobsWithTexts(query, jobKeys) }
  ]
  return rows.filter(({ count }) => count > 0)
}

function isoOrNull (time: Date | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}
