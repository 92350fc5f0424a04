import { Nullable, RejectedError, type HttpClient, type Tracking } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { parseAs, parseBody } from '../read-answer.ts'
import { carrierOf } from './carriers.ts'
import { fetchOrder, ofOwnOrder } from './fetch.ts'
import { orderPath } from './path.ts'
import { parseCheckoutForm } from './read.ts'

const longestWaybill = 64

const Shipments = Type.Object({ shipments: Type.Array(Type.Object({ waybill: Nullable(Type.String()) })) })
const Shipment = Type.Object({ id: Type.String() })

/**
 * Reports a parcel. Sending it twice would make two parcels, so the existing ones are read first.
 */
export async function addShipment (http: HttpClient, externalId: string, { carrier, number }: Tracking): Promise<void> {
  const waybill = number.replaceAll(/\s/g, '')
  if (waybill === '' || waybill.length > longestWaybill) {
    throw new RejectedError(
      `a tracking number has 1 to ${longestWaybill} characters on the marketplace, this one has ${waybill.length}`,
      { fields: [{ pointer: '/number', code: 'length', message: `at most ${longestWaybill} characters` }] }
    )
  }
  if (await isThere(http, externalId, waybill)) return

  const { lineItems } = parseCheckoutForm(await fetchOrder(http, externalId))
  const lines = lineItems.flatMap(({ id }) => typeof id === 'string' ? [{ id }] : [])
  const answer = await http.request({
    method: 'POST',
    path: shipmentsPath(externalId),
    body: { ...await carrierOf(http, carrier), waybill, lineItems: lines },
    accept: [409]
  })
  if (answer.status === 409) {
    throw new RejectedError(
      `the marketplace takes the tracking number of order ${externalId} in no further order: too many have it`,
      { status: 409 }
    )
  }
  parseAs(Shipment, parseBody(answer.body), 'the parcel')
}

async function isThere (http: HttpClient, externalId: string, waybill: string): Promise<boolean> {
  const path = shipmentsPath(externalId)
  const { shipments } = await ofOwnOrder(http, externalId, () => http.get(path, { as: Shipments }))
  return shipments.some(shipment => shipment.waybill?.replaceAll(/\s/g, '') === waybill)
}

function shipmentsPath (externalId: string): string {
  return `${orderPath(externalId)}/shipments`
}
