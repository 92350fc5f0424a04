import { RejectedError, type NewOrder } from '@linker/sdk'
import { createHash, randomBytes } from 'node:crypto'
import type { ShopClient } from '../../client.ts'
import type { ShopContext } from '../../config.ts'
import { recordXml } from '../../webservice/record-xml.ts'
import { associatedIds, isSet, reference, text } from '../../webservice/row.ts'
import { customerName } from './validators.ts'

// The guest group of a default install.
const guestGroup = '2'

/**
 * Finds the buyer as a customer of the shop: the first active one with that e-mail that is in a
 * group, else a new guest. Two orders of one buyer at the same time make one customer.
 */
export async function findOrAddCustomer (
  client: ShopClient,
  { config, locks }: ShopContext,
  order: NewOrder
): Promise<{ id: string, isNew: boolean }> {
  const email = order.buyer.email?.trim().toLowerCase() ?? ''
  if (!/^[^\s@|[\]]+@[^\s@|[\]]+$/.test(email)) {
    throw new RejectedError('the order has no e-mail address of its buyer that the shop accepts')
  }
  const hash = createHash('sha256').update(email).digest('hex').slice(0, 32)

  return locks.run(`customer:${hash}`, async () => {
    const query = { 'filter[email]': `[${email}]`, display: 'full', sort: '[id_ASC]' }
    const rows = await client.list('customers', query)
    // Skip a customer in no group: the order would get carrier 0 and free shipping.
    const usable = rows.filter(row => isSet(row.active) && !isSet(row.deleted))
    const known = usable.find(row =>
      text(row.email)?.toLowerCase() === email && associatedIds(row, 'groups').length > 0
    )
    return known === undefined
      ? { id: await client.add('customers', guestXml(order, email, config.languageId ?? '1')), isNew: true }
      : { id: reference(known.id), isNew: false }
  })
}

function guestXml ({ shipping, invoiceAddress }: NewOrder, email: string, languageId: string): string {
  const address = shipping.address ?? invoiceAddress
  return recordXml('customer', {
    id_default_group: guestGroup,
    id_lang: languageId,
    passwd: randomBytes(18).toString('base64url'),
    lastname: customerName(address?.lastName, 'Customer'),
    firstname: customerName(address?.firstName, 'Guest'),
    email,
    active: '1',
    is_guest: '1'
    // Write the group here as well: a default group alone is no membership.
  }, { groups: { entry: 'group', rows: [{ id: guestGroup }] } })
}
