import { Type } from '@sinclair/typebox'

/**
 * The id of a row of the hub, in the one form in which ids are written here: the bare format would
 * also take `urn:uuid:…`, which PostgreSQL refuses.
 */
export const Id = Type.String({ format: 'uuid', maxLength: 36 })
