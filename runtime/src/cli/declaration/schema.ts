import { everyPattern } from '@linker/sdk/host/text'
import { Type, type Static } from '@sinclair/typebox'
import { SettingsPatch } from '../../connections/settings/schema.ts'

const Text = Type.String({ minLength: 1 })
const Pieces = Type.Integer({ minimum: 0 })
const strict = { additionalProperties: false }

const Schedule = Type.Object({
  every: Type.Optional(Type.String({ pattern: everyPattern.source })),
  enabled: Type.Optional(Type.Boolean())
}, strict)

const Rule = Type.Object({
  sourceDeliveryMethodId: Text,
  processorKind: Type.Union([
    Type.Literal('hub_managed_carrier'),
    Type.Literal('source_brokered'),
    Type.Literal('omp_fulfilled')
  ]),
  /** The connection of the carrier, by its name. */
  carrier: Type.Optional(Text)
}, strict)
export type DeclaredRule = Static<typeof Rule>

const Connection = Type.Object({
  name: Text,
  platformType: Text,
  adapterKey: Type.Optional(Text),
  /** For its creation: another connection opens the same account and takes its orders. */
  allowSameAccount: Type.Optional(Type.Boolean()),
  capabilities: Type.Optional(Type.Array(Text)),
  config: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  settings: Type.Optional(SettingsPatch),
  schedules: Type.Optional(Type.Record(Type.String(), Schedule)),
  routingRules: Type.Optional(Type.Array(Rule))
}, strict)
export type DeclaredConnection = Static<typeof Connection>

/** A variant by its SKU, by its EAN, or by its ids in the shop that masters it. */
const Variant = Type.Object({
  sku: Type.Optional(Text),
  ean: Type.Optional(Text),
  connection: Type.Optional(Text),
  productExternalId: Type.Optional(Text),
  externalId: Type.Optional(Text)
}, { ...strict, minProperties: 1 })
export type DeclaredVariant = Static<typeof Variant>

const Offer = Type.Object({
  /** The marketplace, by the name of its connection. */
  connection: Text,
  externalId: Text,
  variant: Variant,
  buffer: Type.Optional(Pieces),
  maxListed: Type.Optional(Type.Union([Pieces, Type.Null()]))
}, strict)
export type DeclaredOffer = Static<typeof Offer>

/** The file that `linker export` writes and `linker apply` reads. It holds no credentials. */
export const Declaration = Type.Object({
  version: Type.Literal(1),
  connections: Type.Optional(Type.Array(Connection)),
  offers: Type.Optional(Type.Array(Offer))
}, strict)
export type Declaration = Static<typeof Declaration>
