import { Nullable, type Address } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'

export const UpstreamAddress = Type.Object({
  type: Nullable(Type.String()),
  firstName: Nullable(Type.String()),
  lastName: Nullable(Type.String()),
  companyName: Nullable(Type.String()),
  nip: Nullable(Type.String()),
  address: Nullable(Type.String()),
  street: Nullable(Type.String()),
  buildingNumber: Nullable(Type.String()),
  flatNumber: Nullable(Type.String()),
  zip: Nullable(Type.String()),
  city: Nullable(Type.String()),
  country: Nullable(Type.String()),
  phone: Nullable(Type.String())
})
type UpstreamAddress = Static<typeof UpstreamAddress>

export interface OrderAddresses {
  deliveryAddress?: UpstreamAddress | null
  invoiceAddress?: UpstreamAddress | null
}

/**
 * Returns the address of the parcel. When the buyer left it empty and chose a pickup point, the
 * address of the point takes its place, or else the invoice address.
 */
export function deliveryAddressOf (
  { deliveryAddress, invoiceAddress }: OrderAddresses,
  pickupPlace: UpstreamAddress | undefined
): Address | undefined {
  const own = toAddress(deliveryAddress)
  if (own !== undefined || pickupPlace === undefined) return own
  const place = toAddress(pickupPlace) ?? toAddress(invoiceAddress)
  if (place === undefined) return undefined
  const { street, postcode, city, country } = place
  return { ...recipientOf(invoiceAddress), ...recipientOf(deliveryAddress), street, postcode, city, country }
}

/** Returns the invoice address, of a company or of a person. */
export function invoiceAddressOf ({ invoiceAddress }: OrderAddresses): Address | undefined {
  const address = toAddress(invoiceAddress)
  if (address === undefined) return undefined
  const { firstName, lastName, company, taxId, ...place } = address
  switch (invoiceAddress?.type) {
    case 'company':
      return { ...texts({ company, taxId }), ...place }
    case 'person':
      return { ...texts({ firstName, lastName }), ...place }
    default:
      return address
  }
}

/** Returns undefined for an address to which no parcel can be sent. */
function toAddress (upstream: UpstreamAddress | null | undefined): Address | undefined {
  const { address, street, buildingNumber, flatNumber, zip, city, country } = upstream ?? {}
  const number = [clean(buildingNumber), clean(flatNumber)].filter(Boolean).join('/')
  const line = clean(address) ?? clean(`${street ?? ''} ${number}`)
  const place = clean(city)
  // The marketplace writes country codes in lower case.
  const code = clean(country)?.toUpperCase() ?? ''
  if (line === undefined || place === undefined || !/^[A-Z]{2}$/.test(code)) return undefined
  return {
    ...recipientOf(upstream),
    ...texts({ taxId: upstream?.nip }),
    street: line,
    postcode: clean(zip) ?? '',
    city: place,
    country: code
  }
}

type Recipient = Pick<Address, 'firstName' | 'lastName' | 'company' | 'phone'>

function recipientOf (upstream: UpstreamAddress | null | undefined): Recipient {
  const { firstName, lastName, companyName, phone } = upstream ?? {}
  return texts({ firstName, lastName, company: companyName, phone })
}

type Texts<Name extends string> = Readonly<Record<Name, string | null | undefined>>

function texts<Name extends string> (members: Texts<Name>): { [Member in Name]?: string } {
  const filled = Object.entries<string | null | undefined>(members).flatMap(([name, value]) =>
    clean(value) === undefined ? [] : [[name, clean(value)]]
  )
  return Object.fromEntries(filled)
}

function clean (text: string | null | undefined): string | undefined {
  const trimmed = text?.trim()
  return trimmed === '' ? undefined : trimmed
}
