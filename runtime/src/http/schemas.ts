import { Type, type TSchema } from '@sinclair/typebox'

/**
 * The id of a row of the hub, in 36 characters: the format alone would also accept `urn:uuid:…`,
 * which PostgreSQL refuses.
 */
export const Id = Type.String({ format: 'uuid', maxLength: 36 })

/** A member that is always there and may be null. */
export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
