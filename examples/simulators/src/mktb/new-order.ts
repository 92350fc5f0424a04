import type { Delivery } from './delivery.ts'
import type { Order, OrderDelivery, OrderItem, PickupPlace, PlacedLine } from './order.ts'
import type { Products } from './products.ts'

// Ignore a product that the simulator does not have: tests use it for an offer that is older than
// the hub.
export function takeStock (products: Products, lines: readonly PlacedLine[]): void {
  const wanted = Map.groupBy(lines, ({ externalId }) => externalId)
  const sold = [...wanted].flatMap(([externalId, linesOfProduct]) => {
    const product = products.stored(externalId)
    if (product === undefined) return []
    const pieces = linesOfProduct.reduce((sum, { quantity }) => sum + quantity, 0)
    return [{ product, stock: product.stock - pieces }]
  })
  const short = sold.find(({ stock }) => stock < 0)
  if (short !== undefined) {
    throw new Error(`the marketplace has only ${short.product.stock} of '${short.product.externalId}'`)
  }
  for (const { product, stock } of sold) products.update(product, { stock, overrideFrozen: true })
}

export function itemOf (products: Products, line: PlacedLine, id: number): OrderItem {
  const product = products.stored(line.externalId)
  const unitPrice = line.unitPrice ?? product?.price ?? 10_000
  const known = ['weight', 'ean', 'sku', 'taxRate'].flatMap(name => {
    const value = product?.[name]
    return value === undefined || value === null ? [] : [[name, value]]
  })
  return {
    id,
    unitPrice,
    name: product?.name ?? line.externalId,
    slug: product?.slug ?? 'item',
    ...Object.fromEntries(known),
    ...line
  }
}

export function deliveryOf (
  { deliveryMethods, priceLists }: Delivery,
  wanted: Partial<OrderDelivery> = {}
): OrderDelivery {
  const { typeId = 'dpd' } = wanted
  const method = deliveryMethods.find(({ id }) => id === typeId)
  const price = priceLists.flatMap(({ prices }) => prices).find(({ deliveryMethod }) => deliveryMethod.id === typeId)
  return {
    name: method?.name ?? typeId,
    typeId,
    price: price?.basePrice ?? 1_499,
    cod: method?.cod ?? false,
    sourceMarket: 'pl',
    targetMarket: 'pl',
    ...method?.vendor === 'inpost' ? { pickupPlace: locker } : {},
    ...wanted
  }
}

const locker: PickupPlace = {
  id: 5,
  externalId: 'POZ08A',
  heading: 'Locker POZ08A',
  type: 'locker',
  provider: 'inpost',
  name: 'POZ08A',
  address: 'ul. Dluga 3',
  city: 'Poznan',
  country: 'pl',
  open24h: true,
  zip: '60-001'
}

export function buyerOf (number: number): NonNullable<Order['user']> {
  const home = {
    firstName: 'Anna',
    lastName: 'Nowak',
    address: 'ul. Prosta 1/2',
    street: 'ul. Prosta',
    buildingNumber: '1',
    flatNumber: '2',
    zip: '00-001',
    city: 'Warszawa',
    country: 'pl'
  }
  return {
    email: `Buyer${number}@example.com`,
    deliveryAddress: { ...home, phone: '500600700' },
    invoiceAddress: { type: 'person', ...home }
  }
}
