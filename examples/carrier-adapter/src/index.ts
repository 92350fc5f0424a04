import {
  carrierCapability,
  defineAdapter,
  TransientError,
  type Address,
  type Carrier,
  type Context,
  type HttpClient,
  type NewShipment,
  type ShipmentTracking
} from '@linker/sdk'
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

const Config = Type.Object({ baseUrl: Type.String({ pattern: '^https?://' }) })
const Credentials = Type.Object({ apiKey: Type.String({ minLength: 1, secret: true }) })

const Parcel = Type.Object({
  id: Type.String({ minLength: 1 }),
  number: Type.String({ minLength: 1 }),
  status: Type.Union((['ready', 'moving', 'delivered', 'cancelled'] as const).map(status => Type.Literal(status))),
  trackingUrl: Type.String()
})
type Parcel = Static<typeof Parcel>
const Label = Type.Object({ type: Type.String({ minLength: 1 }), content: Type.String({ minLength: 1 }) })

const statuses = { ready: 'created', moving: 'in-transit', delivered: 'delivered', cancelled: 'cancelled' } as const

type CarrierContext = Context<Static<typeof Config>, Static<typeof Credentials>>

function createClient ({ http, config, credentials }: CarrierContext): HttpClient {
  return http({ baseUrl: config.baseUrl, auth: { type: 'bearer', token: credentials.apiKey } })
}

function check<Schema extends TSchema> (schema: Schema, body: unknown): Static<Schema> {
  if (!Value.Check(schema, body)) throw new TransientError('Parcelo answered in an unknown form')
  return body
}

function toTracking ({ number, trackingUrl }: Parcel): ShipmentTracking['tracking'] {
  return { carrier: 'parcelo', number, url: trackingUrl }
}

function toRecipient (
  { firstName, lastName, company, street, postcode, city, country, phone }: Address,
  email: string | undefined
) {
  return {
    name: company ?? [firstName, lastName].filter(Boolean).join(' '),
    street,
    postcode,
    city,
    country,
    phone,
    email
  }
}

function toParcel (
  { methodId, recipient, email, pickupPointId, cashOnDelivery, contents }: NewShipment,
  reference: string
) {
  return {
    reference,
    service: methodId,
    to: toRecipient(recipient, email),
    pickupPoint: pickupPointId,
    cashOnDelivery,
    contents
  }
}

const pathOf = (externalId: string): string => `parcels/${encodeURIComponent(externalId)}`

function createCarrier (client: HttpClient): Carrier {
  return {
    async createShipment (shipment, { reference }) {
      // Declare the request idempotent: Parcelo knows a parcel by the sender's reference and
      // answers a repeat with the first parcel.
      const body = toParcel(shipment, reference)
      const parcel = check(Parcel, await client.json({ method: 'POST', path: 'parcels', body, idempotent: true }))
      return { externalId: parcel.id, tracking: toTracking(parcel) }
    },
    async getLabel (externalId) {
      const { type, content } = check(Label, await client.json({ method: 'GET', path: `${pathOf(externalId)}/label` }))
      return { mediaType: type, contentBase64: content }
    },
    async getTracking (externalId) {
      const parcel = check(Parcel, await client.json({ method: 'GET', path: pathOf(externalId) }))
      return { status: statuses[parcel.status], tracking: toTracking(parcel) }
    },
    async cancelShipment (externalId) {
      check(Parcel, await client.json({ method: 'DELETE', path: pathOf(externalId) }))
    }
  }
}

/** A carrier with its own API, as a third party publishes it. Identity: package.json#linker. */
export default defineAdapter({
  config: Config,
  credentials: Credentials,
  connect: createClient,
  test: async client => {
    const { name } = check(Type.Object({ name: Type.String() }), await client.json({ method: 'GET', path: 'account' }))
    return { message: `the key opens the account of ${name}` }
  },
  capabilities: { [carrierCapability]: createCarrier }
})
