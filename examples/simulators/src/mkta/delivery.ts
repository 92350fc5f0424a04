import type { FastifyInstance } from 'fastify'
import type { Query } from '../request-log.ts'
import type { Authorise } from './authorise.ts'
import { RestError } from './errors.ts'
import type { Money } from './money.ts'
import { acceptsAny } from './query.ts'

interface PriceRange {
  min: string
  max: string
  currency: string
}
interface Period {
  from: string
  to: string
}

/** A row of the marketplace's dictionary. */
export interface DeliveryMethod {
  id: string
  name: string
  marketplaces: string[]
  paymentPolicy: 'IN_ADVANCE' | 'CASH_ON_DELIVERY'
  shippingRatesConstraints: {
    allowed: boolean,
    maxQuantityPerPackage: { max: number },
    firstItemRate: PriceRange,
    nextItemRate: PriceRange,
    shippingTime: { default: Period, customizable: boolean }
  }
}

/** A price list of the seller, with the methods that it uses. */
export interface ShippingRates {
  id: string
  name: string
  marketplaces: Array<{ id: string }>
  features: { isFulfillment: boolean }
  rates: ShippingRate[]
  lastModified: string
}

interface ShippingRate {
  deliveryMethod: { id: string }
  maxQuantityPerPackage: number
  /** Absent when it is not set. */
  maxPackageWeight?: { value: string, unit: 'KILOGRAM' }
  firstItemRate: Money
  nextItemRate: Money
  shippingTime: Period
}

export interface Delivery {
  deliveryMethods: DeliveryMethod[]
  shippingRates: ShippingRates[]
}

export const standardRatesId = '758fcd59-fbfa-4453-ae07-4800d72c2ca5'

const courier = { id: '2488f7b7-5d1c-4d65-b85c-4cbcf253fd93', name: 'Courier' }
const courierCod = { id: '845efe05-0c96-47fc-8a7b-5a0b0e9cfd83', name: 'Courier, cash on delivery' }
const locker = { id: '685d8b40-2571-4111-8937-9220b1710d4c', name: 'Locker' }
const abroad = { id: '1b6c1d1b-7d6c-4c0b-9a53-4df3e5f0a3d2', name: 'Courier abroad' }

/** Makes four methods on two marketplaces, and one price list with two of them. */
export function createDelivery (lastModified: string): Delivery {
  const zloty = (amount: string) => ({ amount, currency: 'PLN' })
  const rate = (id: string, amount: string) => ({
    deliveryMethod: { id },
    maxQuantityPerPackage: 1,
    maxPackageWeight: { value: '30.000', unit: 'KILOGRAM' as const },
    firstItemRate: zloty(amount),
    nextItemRate: zloty('0.00'),
    shippingTime: { from: 'PT24H', to: 'PT48H' }
  })
  return {
    deliveryMethods: [
      methodOf(courier, ['mkta-pl'], 'IN_ADVANCE'),
      methodOf(courierCod, ['mkta-pl'], 'CASH_ON_DELIVERY'),
      methodOf(locker, ['mkta-pl', 'mkta-cz'], 'IN_ADVANCE'),
      methodOf(abroad, ['mkta-cz'], 'IN_ADVANCE')
    ],
    shippingRates: [{
      id: standardRatesId,
      name: 'Standard',
      marketplaces: [{ id: 'mkta-pl' }],
      features: { isFulfillment: false },
      rates: [rate(courier.id, '19.99'), rate(locker.id, '9.99')],
      lastModified
    }]
  }
}

function methodOf (
  method: { id: string, name: string },
  marketplaces: string[],
  paymentPolicy: DeliveryMethod['paymentPolicy']
): DeliveryMethod {
  const range = { min: '0.00', max: '50.00', currency: 'PLN' }
  return {
    ...method,
    marketplaces,
    paymentPolicy,
    shippingRatesConstraints: {
      allowed: true,
      maxQuantityPerPackage: { max: 999_999 },
      firstItemRate: range,
      nextItemRate: range,
      shippingTime: { default: { from: 'PT24H', to: 'PT24H' }, customizable: true }
    }
  }
}

export interface DeliveryRoutes {
  delivery: Delivery
  isSeller: (id: string) => boolean
}

export function registerDelivery (
  app: FastifyInstance,
  { delivery: { deliveryMethods, shippingRates }, isSeller }: DeliveryRoutes,
  authorise: Authorise
): void {
  const read = 'mkta:api:sale:offers:read'

  app.get<{ Querystring: Query }>('/sale/delivery-methods', async request => {
    authorise(request, read)
    const { query } = request
    if (query.marketplace === undefined) return { deliveryMethods: [] }
    const found = deliveryMethods.filter(({ marketplaces }) => acceptsAny(query, 'marketplace', marketplaces))
    return { deliveryMethods: found }
  })

  app.get<{ Querystring: Query }>('/sale/shipping-rates', async request => {
    const own = isSeller(authorise(request, read)) ? shippingRates : []
    const found = own.filter(({ marketplaces }) =>
      acceptsAny(request.query, 'marketplace', marketplaces.map(({ id }) => id))
    )
    return {
      shippingRates: found.map(({ id, name, marketplaces, features }) => ({ id, name, marketplaces, features }))
    }
  })

  app.get<{ Params: { id: string } }>('/sale/shipping-rates/:id', async request => {
    const { id } = request.params
    const found = isSeller(authorise(request, read)) ? shippingRates.find(rates => rates.id === id) : undefined
    if (found === undefined) throw new RestError(404, { code: 'NotFound', message: `Shipping rates ${id} not found` })
    const { name, rates, lastModified } = found
    return { id, name, rates, lastModified }
  })
}
