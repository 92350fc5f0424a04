import { RejectedError, type Address, type NewOrder } from '@linker/sdk'
import { createHash } from 'node:crypto'
import type { ShopClient } from '../../client.ts'
import { recordXml } from '../../webservice/record-xml.ts'
import { isSet, reference, text, type Row } from '../../webservice/row.ts'
import type { Country } from './country.ts'
import { addressText, cityName, companyName, personName, phoneNumber, postcodeFor } from './validators.ts'

/**
 * Returns the delivery and invoice addresses of an order. A missing one is replaced by the other.
 */
export function addressesOf ({ shipping, invoiceAddress }: NewOrder): { delivery: Address, invoice: Address } {
  const delivery = shipping.address ?? invoiceAddress
  if (delivery === undefined) throw new RejectedError('the order has no address')
  return { delivery, invoice: invoiceAddress ?? delivery }
}

export type Members = Record<typeof compared[number], string>
const compared = [
  'id_country',
  'company',
  'lastname',
  'firstname',
  'vat_number',
  'address1',
  'address2',
  'postcode',
  'city',
  'phone'
] as const

/**
 * Builds the columns of an address in the form that the shop's validators accept. `extra` is a
 * second line, such as a pickup point.
 */
export function addressMembers (address: Address, country: Country, extra?: string): Members {
  const street = addressText(address.street, 256)
  const rest = street.slice(128).trim()
  return {
    id_country: country.id,
    company: companyName(address.company),
    lastname: personName(address.lastName, 'Customer'),
    firstname: personName(address.firstName, 'Guest'),
    vat_number: addressText(address.taxId, 32),
    // The shop needs a street and a city, and an order to a pickup point may have neither.
    address1: street.slice(0, 128).trim() || '-',
    address2: secondLine(extra, rest),
    postcode: postcodeFor(address.postcode, country.postcodeFormat, country.isoCode),
    city: cityName(address.city) || '-',
    phone: phoneNumber(address.phone)
  }
}

/** The columns of an address that the shop has, with another second line. */
export function storedMembers (row: Row, extra?: string): Members {
  const before = text(row.address2) ?? ''
  const rest = before.slice(pickupPointIn(row)?.length ?? 0).replace(/^, /, '')
  const columns = compared.map(name => [name, text(row[name]) ?? ''])
  return { ...Object.fromEntries(columns) as Members, address2: secondLine(extra, rest) }
}

function secondLine (extra: string | undefined, rest: string): string {
  return addressText([extra, rest].filter(Boolean).join(', '), 128)
}

/** The line that names a pickup point for staff. */
export function pickupPointLine (id: string | undefined): string | undefined {
  return id === undefined ? undefined : `Pickup point ${id}`
}

/** Returns the line of the pickup point in an address of the shop. */
export function pickupPointIn (row: Row): string | undefined {
  return /^Pickup point [^,]+/.exec(text(row.address2) ?? '')?.[0]
}

/**
 * Returns the function that finds the id of a customer's address: an existing one with the same
 * content, or else a new one.
 */
export async function openAddressBook (
  client: ShopClient,
  { id: customerId, isNew }: { id: string, isNew: boolean }
): Promise<(members: Members) => Promise<string>> {
  const rows = isNew
    ? []
    : await client.list('addresses', {
      'filter[id_customer]': `[${customerId}]`,
      display: 'full',
      sort: '[id_DESC]',
      limit: 100
    })
  const usable = rows.filter(row => reference(row.id_customer) === customerId && !isSet(row.deleted))
  const known = new Map(usable.map(row => [hashOf(row), Promise.resolve(reference(row.id))]))

  function add (hash: string, members: Members): Promise<string> {
    const alias = `ship-${hash.slice(0, 6)}`
    return client.add('addresses', recordXml('address', { id_customer: customerId, alias, ...members }))
  }

  return members => {
    const hash = hashOf(members)
    const id = known.get(hash) ?? add(hash, members)
    known.set(hash, id)
    return id
  }
}

function hashOf (row: Row): string {
  const values = compared.map(name => (text(row[name]) ?? '').toLowerCase().replaceAll(/[\s.-]+/g, ' '))
  return createHash('sha256').update(JSON.stringify(values)).digest('hex')
}
