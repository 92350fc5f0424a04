import type { SchemaProblem } from '@linker/sdk/host'
import { recordChange } from '../../audit/store.ts'
import type { Connection } from '../../connections/entity.ts'
import { findConnections } from '../../connections/store.ts'
import { repeatOnConflict } from '../../database/conflict.ts'
import type { Database, Query } from '../../database/database.ts'
import { OrderNotFoundError, OrderStateError } from '../../errors.ts'
import { adapterJobType } from '../../jobs/define-job.ts'
import { exclusionKeyOf } from '../../jobs/identity.ts'
import { countEndedJobs } from '../../jobs/texts/store.ts'
import { isEnded } from '../status.ts'
import { lockOrder, type OrderRow } from '../store.ts'
import { changedDetails, findWaitingCommands, forgetBuyers, jobKeysOf } from './forget.ts'
import type { PersonalDataRemoval } from './schemas.ts'
import { lockBuyers, type BuyerRow } from './store.ts'

/** Returns the job types of adapters that read the orders of a connection. */
export type OrderJobTypesOf = (connection: Connection) => readonly string[]

/** What higher folders know of the events about an order. */
export interface OrderEvents {
  orderJobTypesOf: OrderJobTypesOf
  /** Removes what senders wrote into events about an object that started no job. */
  removeEventTexts(query: Query, connectionId: string, externalId: string): Promise<void>
}

export interface ForgetOptions extends OrderEvents {
  database: Pick<Database, 'transaction'>
}

/**
 * Removes the data of the buyer from an order. Throws `LNK_ORDER_STATE` while the order is open or
 * a command of it has not ended, because either may need the address.
 */
export async function forgetOrder (
  { database, orderJobTypesOf, removeEventTexts }: ForgetOptions,
  id: string,
  isDryRun: boolean
): Promise<PersonalDataRemoval> {
  return repeatOnConflict(() =>
    database.transaction(async ({ query }) => {
      const order = await lockOrder(query, id)
      const [buyer] = order === undefined ? [] : await lockBuyers(query, [order.id])
      if (order === undefined || buyer === undefined) throw new OrderNotFoundError(id)
      const obstacles = await findObstacles(query, order, buyer)
      const moreKeys = await readingKeysOf(query, buyer, orderJobTypesOf)
      const removed = await countData(query, buyer, moreKeys)
      const { externalId, connectionId } = order
      if (isDryRun) {
        const personalDataRemovedAt = isoOrNull(buyer.personalDataRemovedAt)
        return { id: order.id, externalId, deleted: false, personalDataRemovedAt, obstacles, removed }
      }
      if (obstacles.length > 0) throw new OrderStateError(obstacles.map(({ message }) => message).join('; '))
      for (const object of objectsOf(buyer)) await removeEventTexts(query, object.connectionId, object.externalId)
      const removedAt = (await forgetBuyers(query, [buyer], moreKeys)).get(order.id) ?? null
      await recordChange(query, {
        action: 'order.forget',
        connectionId,
        objectId: order.id,
        objectName: externalId
      })
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

interface PlatformObject {
  connectionId: string
  externalId: string
}

/** The order at its marketplace and in its shop. */
function objectsOf (order: BuyerRow): PlatformObject[] {
  const { connectionId, externalId, destinationConnectionId, destinationExternalId } = order
  return destinationConnectionId === null || destinationExternalId === null
    ? [{ connectionId, externalId }]
    : [{ connectionId, externalId }, { connectionId: destinationConnectionId, externalId: destinationExternalId }]
}

/** The keys of the jobs by which adapters read the order at its marketplace and in its shop. */
async function readingKeysOf (query: Query, order: BuyerRow, orderJobTypesOf: OrderJobTypesOf): Promise<string[]> {
  const objects = objectsOf(order)
  const found = await findConnections(query, objects.map(({ connectionId }) => connectionId))
  const connections = new Map(found.map(connection => [connection.id, connection]))
  return objects.flatMap(({ connectionId, externalId }) => {
    const connection = connections.get(connectionId)
    if (connection === undefined) return []
    return orderJobTypesOf(connection).map(jobType =>
      exclusionKeyOf(adapterJobType(), { jobType, connectionId, payload: { externalId }, idempotencyKey: '' })
    )
  })
}

async function countData (
  query: Query,
  order: BuyerRow,
  moreKeys: readonly string[]
): Promise<PersonalDataRemoval['removed']> {
  const { snapshot: { buyer, shipping, invoiceAddress, comment }, tracking, parcel, personalDataRemovedAt } = order
  const contacts = Object.values(buyer).length
  const addresses = [shipping.address, invoiceAddress].filter(address => address !== undefined).length
  const rows = [
    { what: 'e-mail address and id of the buyer', count: contacts },
    { what: 'addresses', count: addresses },
    { what: 'pickup points', count: shipping.pickupPointId === undefined ? 0 : 1 },
    { what: 'comments', count: comment === undefined ? 0 : 1 },
    { what: 'tracking numbers', count: [tracking, parcel].filter(found => found !== null).length },
    { what: 'texts of problems', count: personalDataRemovedAt === null ? order.problems.length : 0 },
    { what: 'details of history entries', count: (await changedDetails(query, [order])).length },
    { what: 'texts of ended jobs', count: await countEndedJobs(query, [...jobKeysOf(order), ...moreKeys]) }
  ]
  return rows.filter(({ count }) => count > 0)
}

function isoOrNull (time: Date | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}
