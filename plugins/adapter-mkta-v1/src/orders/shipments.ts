import { Nullable, RejectedError, splitTrackingNumbers, type HttpClient, type Tracking } from '@linker/sdk'
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
 * Reports the parcels of an order: one for each tracking number. Sending one twice would make two
 * parcels, so the existing ones are read first.
 */
export async function addShipments (
  http: HttpClient,
  externalId: string,
  { carrier, number }: Tracking
): Promise<void> {
  const waybills = new Set(splitTrackingNumbers(number).map(part => part.replaceAll(/\s/g, '')))
  for (const { length } of waybills) {
    if (length > 0 && length <= longestWaybill) continue
    throw new RejectedError(
      `a tracking number has 1 to ${longestWaybill} characters on the marketplace, this one has ${length}`,
      { fields: [{ pointer: '/number', code: 'length', message: `at most ${longestWaybill} characters` }] }
    )
  }
  const present = await readWaybills(http, externalId)
  const missing = [...waybills].filter(waybill => !present.has(waybill))
  if (missing.length === 0) return

  const { lineItems } = parseCheckoutForm(await fetchOrder(http, externalId))
  const lines = lineItems.flatMap(({ id }) => typeof id === 'string' ? [{ id }] : [])
  const chosen = await carrierOf(http, carrier)
  for (const waybill of missing) await addShipment(http, externalId, { ...chosen, waybill, lineItems: lines })
}

async function addShipment (http: HttpClient, externalId: string, shipment: object): Promise<void> {
  const answer = await http.request({
    method: 'POST',
    path: shipmentsPath(externalId),
    body: shipment,
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

async function readWaybills (http: HttpClient, externalId: string): Promise<ReadonlySet<string>> {
  const path = shipmentsPath(externalId)
  const { shipments } = await ofOwnOrder(http, externalId, () => http.get(path, { as: Shipments }))
  return new Set(shipments.flatMap(({ waybill }) => waybill?.replaceAll(/\s/g, '') ?? []))
}

function shipmentsPath (externalId: string): string {
  return `${orderPath(externalId)}/shipments`
}
