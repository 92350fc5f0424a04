import { Nullable, type Address } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'

const Text = Nullable(Type.String())

/**
 * An address in any of the marketplace's forms. The buyer's address has a `postCode`, the others
 * have a `zipCode`. With a pickup point the address may be empty.
 */
const UpstreamAddress = Type.Object({
  firstName: Text,
  lastName: Text,
  companyName: Text,
  street: Text,
  city: Text,
  postCode: Text,
  zipCode: Text,
  countryCode: Text,
  phoneNumber: Text
})
type UpstreamAddress = Static<typeof UpstreamAddress>

export const Buyer = Type.Object({
  id: Text,
  email: Text,
  firstName: Text,
  lastName: Text,
  companyName: Text,
  phoneNumber: Text,
  address: Nullable(UpstreamAddress)
})
type Buyer = Static<typeof Buyer>

export const Delivery = Type.Object({
  address: Nullable(UpstreamAddress),
  pickupPoint: Nullable(Type.Object({ id: Text, address: Nullable(UpstreamAddress) }))
})

const Company = Type.Object({
  name: Text,
  taxId: Text,
  ids: Nullable(Type.Array(Type.Object({ value: Text })))
})
const NaturalPerson = Type.Object({ firstName: Text, lastName: Text })

export const Invoice = Type.Object({
  required: Nullable(Type.Boolean()),
  address: Nullable(Type.Composite([
    UpstreamAddress,
    Type.Object({ company: Nullable(Company), naturalPerson: Nullable(NaturalPerson) })
  ]))
})

/**
 * Returns the address of the parcel. When the buyer left it empty, the address of the pickup point
 * or the buyer's own address takes its place, under the buyer's name.
 */
export function deliveryAddressOf (
  { address, pickupPoint }: Static<typeof Delivery>,
  buyer: Buyer | undefined
): Address | undefined {
  const place = placeOf(address) ?? placeOf(pickupPoint?.address) ?? placeOf(buyer?.address)
  return place === undefined ? undefined : { ...recipientOf(buyer), ...recipientOf(address), ...place }
}

/**
 * Returns the address of the invoice, of a company or of a person; without one the buyer's own.
 * Never the address of the parcel, where others may live.
 */
export function invoiceAddressOf (
  { required, address }: Static<typeof Invoice>,
  buyer: Buyer | undefined
): Address | undefined {
  const place = placeOf(address)
  if (required === false || place === undefined) {
    const own = placeOf(buyer?.address)
    return own === undefined ? undefined : { ...recipientOf(buyer), ...own }
  }
  const { company, naturalPerson } = address ?? {}
  if (company !== undefined && company !== null) {
    // The marketplace gives `taxId` up in favour of `ids`.
    const taxId = company.ids?.map(({ value }) => clean(value)).find(value => value !== undefined)
    return { ...texts({ company: company.name, taxId: taxId ?? company.taxId }), ...place }
  }
  return {
    ...recipientOf(address),
    ...texts({ firstName: naturalPerson?.firstName, lastName: naturalPerson?.lastName }),
    ...place
  }
}

type Place = Pick<Address, 'street' | 'postcode' | 'city' | 'country'>

/** Returns undefined for an address to which no parcel can be sent. */
function placeOf (upstream: UpstreamAddress | null | undefined): Place | undefined {
  const street = clean(upstream?.street)
  const city = clean(upstream?.city)
  const country = clean(upstream?.countryCode)?.toUpperCase() ?? ''
  if (street === undefined || city === undefined || !/^[A-Z]{2}$/.test(country)) return undefined
  return { street, postcode: clean(upstream?.zipCode) ?? clean(upstream?.postCode) ?? '', city, country }
}

type UpstreamRecipient = Pick<UpstreamAddress, 'firstName' | 'lastName' | 'companyName' | 'phoneNumber'>
type Recipient = Pick<Address, 'firstName' | 'lastName' | 'company' | 'phone'>

function recipientOf (upstream: UpstreamRecipient | null | undefined): Recipient {
  const { firstName, lastName, companyName, phoneNumber } = upstream ?? {}
  return texts({ firstName, lastName, company: companyName, phone: phoneNumber })
}

type Texts<Name extends string> = Readonly<Record<Name, string | null | undefined>>

function texts<Name extends string> (members: Texts<Name>): { [Member in Name]?: string } {
  const filled = Object.entries<string | null | undefined>(members).flatMap(([name, value]) =>
    clean(value) === undefined ? [] : [[name, clean(value)]]
  )
  return Object.fromEntries(filled)
}

export function clean (text: string | null | undefined): string | undefined {
  const trimmed = text?.trim()
  return trimmed === '' ? undefined : trimmed
}
