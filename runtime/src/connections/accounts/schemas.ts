import { Type } from '@sinclair/typebox'

export const TakeOverBody = Type.Object({
  connectionId: Type.String({ format: 'uuid', description: 'The id of the deleted connection' })
}, { additionalProperties: false })

export const TakeOverResult = Type.Object({
  taken: Type.Array(Type.Object({ what: Type.String(), count: Type.Integer() }))
}, { $id: 'TakeOver' })
