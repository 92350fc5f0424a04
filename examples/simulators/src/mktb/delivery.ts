import type { FastifyInstance } from 'fastify'
import type { Query } from '../request-log.ts'
import { ShopApiError } from './errors.ts'

/** A row of the marketplace's dictionary. Orders name its id. */
export interface DeliveryMethod {
  id: string
  name: string
  cod: boolean
  vendor: string
}

export interface PriceList {
  id: number
  /** `*` is the list for offers that name no list. */
  name: string
  prices: Array<{
    deliveryMethod: { id: string, deliveryTime: { unit: 'days', minPeriod: number, maxPeriod: number } },
    /** Minor units. */
    basePrice: number,
    nextItemPrice: number,
    limit: number
  }>
  createdAt: string
  updatedAt: string
}

export interface Delivery {
  deliveryMethods: DeliveryMethod[]
  priceLists: PriceList[]
}

/** Makes the dictionary, and one price list with three of its methods. */
export function createDelivery (createdAt: string): Delivery {
  const deliveryMethods = [
    ['courier', 'Courier', 'dhl'],
    ['courierCod', 'Courier, cash on delivery', 'dhl'],
    ['dpd', 'Courier DPD', 'dpd'],
    ['dpdCod', 'Courier DPD, cash on delivery', 'dpd'],
    ['paczkomat', 'Parcel locker', 'inpost'],
    ['mktbLocker', 'Locker', 'inpost'],
    ['odbiorOsobisty', 'Collection in person', 'selfPickup']
  ].map(([id = '', name = '', vendor = '']) => ({ id, name, cod: id.endsWith('Cod'), vendor }))
  const prices = [['dpd', 1499], ['dpdCod', 1999], ['mktbLocker', 999]] as const
  return {
    deliveryMethods,
    priceLists: [{
      id: 1,
      name: '*',
      prices: prices.map(([id, basePrice]) => ({
        deliveryMethod: { id, deliveryTime: { unit: 'days', minPeriod: 1, maxPeriod: 2 } },
        basePrice,
        nextItemPrice: 0,
        limit: 5
      })),
      createdAt,
      updatedAt: createdAt
    }]
  }
}

/** Whether the shop delivers under this name of a price list. */
export function hasPrices ({ priceLists }: Delivery, wanted: string): boolean {
  return priceLists.some(({ name, prices }) => name === wanted && prices.length > 0)
}

export function registerDelivery (app: FastifyInstance, { deliveryMethods, priceLists }: Delivery): void {
  app.get('/dictionaries/deliveryMethods', async () => deliveryMethods)

  app.get<{ Params: { priceList: string } }>('/dictionaries/deliveryMethods/:priceList', async ({ params }) => {
    const priceList = priceLists.find(({ name }) => name === params.priceList)
    if (priceList === undefined) {
      throw new ShopApiError(404, 'NotFoundError', `Price list "${params.priceList}" not found`)
    }
    return deliveryMethods.filter(({ id }) => priceList.prices.some(({ deliveryMethod }) => deliveryMethod.id === id))
  })

  app.get('/dictionaries/deliveryVendors', async () => [...new Set(deliveryMethods.map(({ vendor }) => vendor))])

  app.get('/delivery/priceLists', async () => priceLists.map(({ id, name }) => ({ id, name })))

  app.get<{ Querystring: Query }>('/delivery/priceListsDetails', async ({ query }) => {
    const wants = (wanted: string | string[] | undefined, value: string) =>
      wanted === undefined || [wanted].flat().includes(value)
    return priceLists.filter(({ id, name }) => wants(query.id, String(id)) && wants(query.name, name))
  })
}
