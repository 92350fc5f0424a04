import {
  carrierCapability,
  defineAdapter,
  ExternalId,
  RejectedError,
  type Address,
  type Carrier,
  type Context,
  type HttpClient,
  type NewShipment,
  type ShipmentTracking
} from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'

/** The settings of a connection. The hub shows both schemas as a form and checks the input. */
const Config = Type.Object({
  baseUrl: Type.String({ title: 'Address of the API', pattern: '^https?://', examples: ['https://api.example.com'] })
})
const Credentials = Type.Object({
  apiKey: Type.String({
    title: 'API key',
    description: "From the platform's settings for developers",
    minLength: 1,
    secret: true
  })
})

/** The answers of the platform: the members that this adapter reads. */
const Account = Type.Object({ id: Type.String({ minLength: 1 }), name: Type.String({ minLength: 1 }) })
const Parcel = Type.Object({
  id: ExternalId,
  number: Type.String({ minLength: 1 }),
  state: Type.Union([
    Type.Literal('ready'),
    Type.Literal('moving'),
    Type.Literal('delivered'),
    Type.Literal('cancelled')
  ])
})
type Parcel = Static<typeof Parcel>
const Label = Type.Object({ type: Type.String({ minLength: 1 }), content: Type.String({ minLength: 1 }) })

const statuses = { ready: 'created', moving: 'in-transit', delivered: 'delivered', cancelled: 'cancelled' } as const

type PlatformContext = Context<Static<typeof Config>, Static<typeof Credentials>>

function createClient ({ http, config, credentials }: PlatformContext): HttpClient {
  return http({ baseUrl: config.baseUrl, auth: { type: 'bearer', token: credentials.apiKey } })
}

const pathOf = (externalId: string): string => `parcels/${encodeURIComponent(externalId)}`

function nameOf ({ company, firstName, lastName }: Address): string {
  return company ?? [firstName, lastName].filter(Boolean).join(' ')
}

function toParcel (shipment: NewShipment, reference: string) {
  const { methodId, recipient, email, pickupPointId, cashOnDelivery, weightGrams, contents } = shipment
  const { street, postcode, city, country, phone } = recipient
  return {
    reference,
    service: methodId,
    to: { name: nameOf(recipient), street, postcode, city, country, phone, email },
    pickupPoint: pickupPointId,
    cashOnDelivery,
    weightGrams,
    contents
  }
}

function toTracking (connection: Context['connection'], { number }: Parcel): ShipmentTracking['tracking'] {
  return { carrier: connection.platformType, number }
}

function createCarrier (client: HttpClient, { connection }: PlatformContext): Carrier {
  return {
    async createShipment (shipment, { reference }) {
      // It is idempotent: for a reference that it knows, the platform answers the first parcel.
      const body = toParcel(shipment, reference)
      const parcel = await client.json({ method: 'POST', path: 'parcels', body, idempotent: true, as: Parcel })
      return { externalId: parcel.id, tracking: toTracking(connection, parcel) }
    },
    async getLabel (externalId) {
      const { type, content } = await client.get(`${pathOf(externalId)}/label`, { as: Label })
      return { mediaType: type, contentBase64: content }
    },
    async getTracking (externalId) {
      const parcel = await client.get(pathOf(externalId), { as: Parcel })
      return { status: statuses[parcel.state], tracking: toTracking(connection, parcel) }
    },
    async cancelShipment (externalId) {
      const { number, state } = await client.json({ method: 'DELETE', path: pathOf(externalId), as: Parcel })
      if (state !== 'cancelled') throw new RejectedError(`the carrier did not cancel parcel ${number}: it is ${state}`)
    }
  }
}

/** A carrier that makes parcels of orders. Its identity is `linker` in package.json. */
export default defineAdapter({
  config: Config,
  credentials: Credentials,
  connect: createClient,
  test: async client => {
    const { name } = await client.get('account', { as: Account })
    return { message: `the key opens the account of ${name}` }
  },
  // The id must be that of the account: the same for every key, and after a change of its name.
  account: async client => {
    const { id, name } = await client.get('account', { as: Account })
    return { id, name }
  },
  capabilities: { [carrierCapability]: createCarrier }
})
