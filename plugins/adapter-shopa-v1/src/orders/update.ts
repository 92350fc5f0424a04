import { RejectedError, type Address, type OrderChanges, type OrderProcessorManager } from '@linker/sdk'
import type { ShopClient } from '../client.ts'
import type { ShopContext } from '../config.ts'
import { readAll } from '../webservice/paging.ts'
import { recordXml } from '../webservice/record-xml.ts'
import { reference, text, type Row } from '../webservice/row.ts'
import { changeOrder, readOrderRow } from './changes.ts'
import {
  addressMembers,
  openAddressBook,
  pickupPointIn,
  pickupPointLine,
  storedMembers,
  type Members
} from './creation/address.ts'
import { createCountries } from './creation/country.ts'
import { messageText, shortenMessage } from './creation/validators.ts'
import { isPermanent, type ReadState } from './states.ts'

type Name = keyof OrderChanges
type Column = typeof both[number]

const both = ['id_address_delivery', 'id_address_invoice'] as const
const [delivery, invoice] = both

/** The shop prices an order once, from its cart: its lines, payment, total and carrier stay. */
const fixed: ReadonlySet<Name> = new Set(['lines', 'payment', 'total', 'shippingMethod'])

/**
 * Changes an order that is not shipped: its addresses, by new rows that take the place of the old
 * ones, and the words of the buyer, by a message of the order. Each step looks first, so that a
 * repeat changes nothing.
 */
export function createUpdate (
  client: ShopClient,
  context: ShopContext,
  readStates: () => Promise<ReadState>
): Required<Pick<OrderProcessorManager, 'updateOrder'>> {
  const findCountry = createCountries(client, context)

  async function findDelivery (row: Row, { address, pickupPointId }: OrderChanges): Promise<string> {
    const current = await client.get('addresses', reference(row.id_address_delivery)) ?? {}
    const extra = pickupPointId === undefined ? pickupPointIn(current) : pickupPointLine(pickupPointId.to)
    return address === undefined ? addAddress(row, storedMembers(current, extra)) : findAddress(row, address.to, extra)
  }

  async function findAddress (row: Row, address: Address, extra?: string): Promise<string> {
    return addAddress(row, addressMembers(address, await findCountry(address.country), extra))
  }

  /** Returns the id of the customer's address with these members, which may be a new one. */
  async function addAddress (row: Row, members: Members): Promise<string> {
    const add = await openAddressBook(client, { id: reference(row.id_customer), isNew: false })
    return add(members)
  }

  async function writeAddress (row: Row, columns: readonly Column[], addressId: string): Promise<void> {
    const id = reference(row.id)
    const hasAddress = (row: Row) => columns.every(column => reference(row[column]) === addressId)
    if (hasAddress(row)) return
    const changed = Object.fromEntries(columns.map(column => [column, addressId]))
    await changeOrder(client, id, changed)
    if (!hasAddress(await readOrderRow(client, id))) {
      throw new RejectedError('the shop took the new address and still shows the old one')
    }
  }

  /** Writes a message of the order, unless the newest one that begins like it says the same. */
  async function writeMessage (row: Row, beginning: string, rest: string): Promise<void> {
    const id = reference(row.id)
    const message = shortenMessage(messageText(`${beginning}${rest}`))
    const rows = await readAll(client, 'messages', { 'filter[id_order]': `[${id}]`, display: 'full' })
    const earlier = rows.filter(one => reference(one.id_order) === id).map(one => text(one.message))
    if (earlier.findLast(one => one?.startsWith(beginning.trimEnd())) === message) return
    const members = { id_order: id, id_customer: reference(row.id_customer), message, private: '0' }
    await client.add('messages', recordXml('message', members))
  }

  return {
    async updateOrder (externalId, changes) {
      const names = Object.keys(changes) as Name[]
      const row = await readOrderRow(client, externalId)
      const { status } = (await readStates())(reference(row.current_state))
      if (status !== 'pending' && status !== 'processing') return all(names, `the order is ${status} in the shop`)
      const { invoiceAddress, pickupPointId, comment } = changes
      // Without an invoice address of its own, the order has its delivery address in both columns.
      const isShared = invoiceAddress === undefined &&
        reference(row.id_address_invoice) === reference(row.id_address_delivery)
      const steps: [names: readonly Name[], step: () => Promise<void>][] = [
        [
          names.filter(name => name === 'address' || name === 'pickupPointId'),
          async () => writeAddress(row, isShared ? both : [delivery], await findDelivery(row, changes))
        ],
        [
          invoiceAddress === undefined ? [] : ['invoiceAddress'],
          async () => invoiceAddress && writeAddress(row, [invoice], await findAddress(row, invoiceAddress.to))
        ],
        // The message of the order's creation still names the point of before.
        [
          pickupPointId === undefined ? [] : ['pickupPointId'],
          async () => pickupPointId && writeMessage(row, 'Pickup point is now ', pickupPointId.to ?? 'none')
        ],
        [
          comment === undefined ? [] : ['comment'],
          async () => comment && writeMessage(row, 'The buyer changed the comment: ', comment.to)
        ]
      ]
      const { notApplied } = all(names.filter(name => fixed.has(name)), 'the shop does not change them in an order')
      for (const [wanted, step] of steps) {
        const names = wanted.filter(name => !notApplied.some(({ what }) => what === name))
        if (names.length === 0) continue
        try {
          await step()
        } catch (error) {
          if (!isPermanent(error)) throw error
          notApplied.push(...all(names, error.message).notApplied)
        }
      }
      return { notApplied }
    }
  }
}

function all (names: readonly Name[], reason: string) {
  return { notApplied: names.map(what => ({ what, reason })) }
}
