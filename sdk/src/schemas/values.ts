import { Type, type Static, type TNull, type TOptional, type TSchema, type TUnion } from '@sinclair/typebox'

/** The id of an object on its platform. Always a string, whatever type the platform sends. */
export const ExternalId = Type.String({ minLength: 1, maxLength: 1023 })

/**
 * `amount` is a decimal string with a dot (`"119.99"`), `currency` an ISO 4217 code. Never a float,
 * never minor units.
 */
export const Money = Type.Object({
  amount: Type.String({ pattern: '^-?[0-9]{1,12}(\\.[0-9]{1,6})?$' }),
  currency: Type.String({ pattern: '^[A-Z]{3}$' })
}, { additionalProperties: false })
export type Money = Static<typeof Money>

/** A member of a platform's answer that may be absent or null. */
export const Nullable = <Schema extends TSchema>(schema: Schema): TOptional<TUnion<[Schema, TNull]>> =>
  Type.Optional(Type.Union([schema, Type.Null()]))

/** ISO 8601 with a zone. Adapters must convert a platform's local times. */
export const Timestamp = Type.String({ minLength: 20, maxLength: 40 })

/** One page of a listing. No `nextCursor` means the end. Cursors are opaque to the runtime. */
export interface Page<Item> {
  items: Item[]
  nextCursor?: string
}
/** The hub refuses a page with more than `limit` items, or with the stock of more products. */
export interface PageRequest {
  cursor?: string
  limit: number
}

/**
 * One field that the platform refused or would refuse. `pointer` is a JSON pointer into the data
 * sent, `''` for all of it.
 */
export const FieldError = Type.Object({ pointer: Type.String(), code: Type.String(), message: Type.String() }, {
  additionalProperties: false
})
export type FieldError = Static<typeof FieldError>
