import {
  carrierCapability,
  defineAdapter,
  RejectedError,
  type Address,
  type Carrier,
  type Context,
  type HttpClient,
  type NewShipment,
  type ShipmentTracking
} from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'

const Config = Type.Object({ baseUrl: Type.String({ title: 'Address of the API', pattern: '^https?://' }) })
const Credentials = Type.Object({ apiKey: Type.String({ title: 'API key', minLength: 1, secret: true }) })

const Parcel = Type.Object({
  id: Type.String({ minLength: 1 }),
  number: Type.String({ minLength: 1 }),
  status: Type.Union((['ready', 'moving', 'delivered', 'cancelled'] as const).map(status => Type.Literal(status))),
  trackingUrl: Type.String()
})
type Parcel = Static<typeof Parcel>
const Account = Type.Object({ id: Type.String({ minLength: 1 }), name: Type.String({ minLength: 1 }) })
const Label = Type.Object({ type: Type.String({ minLength: 1 }), content: Type.String({ minLength: 1 }) })

const statuses = { ready: 'created', moving: 'in-transit', delivered: 'delivered', cancelled: 'cancelled' } as const

type CarrierContext = Context<Static<typeof Config>, Static<typeof Credentials>>

function createClient ({ http, config, credentials }: CarrierContext): HttpClient {
  return http({ baseUrl: config.baseUrl, auth: { type: 'bearer', token: credentials.apiKey } })
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
      // Declare the request idempotent: when Parcelo knows the sender's reference already, it
      // answers with the first parcel and makes no second one.
      const body = toParcel(shipment, reference)
      const parcel = await client.json({ method: 'POST', path: 'parcels', body, idempotent: true, as: Parcel })
      return { externalId: parcel.id, tracking: toTracking(parcel) }
    },
    async getLabel (externalId) {
      const { type, content } = await client.get(`${pathOf(externalId)}/label`, { as: Label })
      return { mediaType: type, contentBase64: content }
    },
    async getTracking (externalId) {
      const parcel = await client.get(pathOf(externalId), { as: Parcel })
      return { status: statuses[parcel.status], tracking: toTracking(parcel) }
    },
    async cancelShipment (externalId) {
      const { number, status } = await client.json({ method: 'DELETE', path: pathOf(externalId), as: Parcel })
      if (status !== 'cancelled') throw new RejectedError(`Parcelo did not cancel parcel ${number}, which is ${status}`)
    }
  }
}

/**
 * The adapter of the made-up carrier Parcelo, in the form in which a third party publishes it. Its
 * manifest is `linker` in package.json.
 */
export default defineAdapter({
  config: Config,
  credentials: Credentials,
  connect: createClient,
  test: async client => {
    const { name } = await client.get('account', { as: Account })
    return { message: `the key opens the account of ${name}` }
  },
  account: async client => {
    const { id, name } = await client.get('account', { as: Account })
    return { id, name }
  },
  capabilities: { [carrierCapability]: createCarrier }
})
