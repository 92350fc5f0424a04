export interface OrderLine {
  externalId: string
  offerExternalId: string | null
  quantity: number
  variantId: string | null
  name: string
  price: string
}

interface OrderLike {
  lines: readonly Omit<OrderLine, 'name' | 'price'>[]
  snapshot: {
    lines: readonly { externalId: string, name: string, unitPrice: { amount: string, currency: string } }[]
  }
}

/** The lines of an order with the name and price that the marketplace showed for each. */
export function linesOf ({ lines, snapshot }: OrderLike): OrderLine[] {
  const shown = new Map(snapshot.lines.map(line => [line.externalId, line]))
  return lines.map(line => {
    const { name = '', unitPrice } = shown.get(line.externalId) ?? {}
    return { ...line, name, price: unitPrice === undefined ? '' : `${unitPrice.amount} ${unitPrice.currency}` }
  })
}

interface Address {
  firstName?: string
  lastName?: string
  company?: string
  street: string
  postcode: string
  city: string
  country: string
}

/** An address in one line. */
export function addressLine ({ firstName, lastName, company, street, postcode, city, country }: Address): string {
  return [
    [firstName, lastName].filter(Boolean).join(' '),
    company,
    street,
    `${postcode} ${city}`,
    country
  ].filter(Boolean).join(', ')
}
