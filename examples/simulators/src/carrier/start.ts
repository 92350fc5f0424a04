import type { Faults } from '../faults.ts'
import type { RequestLog } from '../request-log.ts'
import { createServer } from '../server.ts'
import { createParcels, labelOf, type NewParcel, type Parcel, type ParcelStatus } from './parcels.ts'

export interface CarrierOptions {
  apiKey: string
  /** Default 0: any free port. */
  port?: number
  now?: () => Date
}

export interface CarrierServer {
  baseUrl: string
  requests: RequestLog
  faults: Faults
  parcels: () => readonly Parcel[]
  /** Changes the status of a parcel, as the carrier does when it collects or delivers one. */
  move: (id: string, status: ParcelStatus) => void
  close: () => Promise<void>
}

const text = { type: 'string', minLength: 1 }
const ParcelBody = {
  type: 'object',
  required: ['reference', 'service', 'to', 'contents'],
  additionalProperties: false,
  properties: {
    reference: text,
    service: text,
    to: {
      type: 'object',
      required: ['name', 'street', 'postcode', 'city', 'country'],
      additionalProperties: false,
      properties: {
        name: text,
        street: text,
        postcode: text,
        city: text,
        country: { type: 'string', pattern: '^[A-Z]{2}$' },
        phone: text,
        email: text
      }
    },
    pickupPoint: text,
    cashOnDelivery: { type: 'object', required: ['amount', 'currency'], properties: { amount: text, currency: text } },
    contents: text
  }
}

/**
 * Starts a made-up carrier with a plain JSON API. Its adapter is the example of a package that the
 * hub does not know.
 */
export async function startCarrier (options: CarrierOptions): Promise<CarrierServer> {
  const { apiKey, port = 0, now = () => new Date() } = options
  const { app, requests, faults, listen, close } = createServer({ now, random: Math.random })
  const parcels = createParcels(now)
  const view = ({ id, number, status }: Parcel) => ({
    id,
    number,
    status,
    trackingUrl: `https://parcelo.example/track/${number}`
  })

  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.authorization !== `Bearer ${apiKey}`) {
      return reply.code(401).send({ message: 'this key opens nothing' })
    }
  })
  app.get('/v1/account', async () => ({ id: 'S-1', name: 'Sender' }))
  app.post('/v1/parcels', { schema: { body: ParcelBody } }, async (request, reply) => {
    const { parcel, isNew } = parcels.make(request.body as NewParcel)
    return reply.code(isNew ? 201 : 200).send(view(parcel))
  })
  app.get<{ Params: { id: string } }>('/v1/parcels/:id', async ({ params }, reply) => {
    const parcel = parcels.get(params.id)
    return parcel === undefined ? reply.code(404).send({ message: 'no such parcel' }) : view(parcel)
  })
  app.get<{ Params: { id: string } }>('/v1/parcels/:id/label', async ({ params }, reply) => {
    const parcel = parcels.get(params.id)
    return parcel === undefined
      ? reply.code(404).send({ message: 'no such parcel' })
      : { type: 'application/pdf', content: labelOf(parcel).toString('base64') }
  })
  app.delete<{ Params: { id: string } }>('/v1/parcels/:id', async ({ params }, reply) => {
    const parcel = parcels.get(params.id)
    if (parcel === undefined) return reply.code(404).send({ message: 'no such parcel' })
    if (parcel.status === 'moving' || parcel.status === 'delivered') {
      return reply.code(409).send({ message: `parcel ${parcel.number} is on its way` })
    }
    parcels.move(parcel.id, 'cancelled')
    return view(parcel)
  })

  const url = await listen(port)
  return { baseUrl: `${url}/v1`, requests, faults, parcels: parcels.all, move: parcels.move, close }
}
