import {
  carrierCapability,
  defineAdapter,
  RejectedError,
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
const Account = Type.Object({ name: Type.String() })
const Label = Type.Object({ type: Type.String({ minLength: 1 }), content: Type.String({ minLength: 1 }) })

const statuses = { ready: 'created', moving: 'in-transit', delivered: 'delivered', cancelled: 'cancelled' } as const

type CarrierContext = Context<Static<typeof Config>, Static<typeof Credentials>>

function createClient ({ http, config, credentials }: CarrierContext): HttpClient {
  return http({ baseUrl: config.baseUrl, auth: { type: 'bearer', token: credentials.apiKey } })
}

/**
 * Returns the body of an answer if it has the form that this adapter knows. `request` names the
 * request in the error.
 */
function parseAnswer<Schema extends TSchema> (schema: Schema, request: string, body: unknown): Static<Schema> {
  if (!Value.Check(schema, body)) throw new TransientError(`Parcelo answered ${request} in an unknown form`)
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
      // Declare the request idempotent: when Parcelo knows the sender's reference already, it
      // answers with the first parcel and makes no second one.
      const body = toParcel(shipment, reference)
      const answer = await client.json({ method: 'POST', path: 'parcels', body, idempotent: true })
      const parcel = parseAnswer(Parcel, 'POST parcels', answer)
      return { externalId: parcel.id, tracking: toTracking(parcel) }
    },
    async getLabel (externalId) {
      const answer = await client.json({ method: 'GET', path: `${pathOf(externalId)}/label` })
      const { type, content } = parseAnswer(Label, 'GET parcels/{id}/label', answer)
      return { mediaType: type, contentBase64: content }
    },
    async getTracking (externalId) {
      const answer = await client.json({ method: 'GET', path: pathOf(externalId) })
      const parcel = parseAnswer(Parcel, 'GET parcels/{id}', answer)
      return { status: statuses[parcel.status], tracking: toTracking(parcel) }
    },
    async cancelShipment (externalId) {
      const answer = await client.json({ method: 'DELETE', path: pathOf(externalId) })
      const { number, status } = parseAnswer(Parcel, 'DELETE parcels/{id}', answer)
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
    const { name } = parseAnswer(Account, 'GET account', await client.json({ method: 'GET', path: 'account' }))
    return { message: `the key opens the account of ${name}` }
  },
  capabilities: { [carrierCapability]: createCarrier }
})
