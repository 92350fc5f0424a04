import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable } from '../../http/schemas.ts'

export const RemovalQuery = Type.Object({
  dryRun: Type.Boolean({
    default: false,
    description: 'Changes nothing; answers what would be removed and what stands in the way'
  })
}, { additionalProperties: false })

export const PersonalDataRemoval = Type.Object({
  id: Id,
  externalId: Type.String({ description: 'Id of the order at its marketplace' }),
  deleted: Type.Boolean({ description: 'False for a dry run' }),
  personalDataRemovedAt: Nullable(Type.String({ format: 'date-time' })),
  obstacles: Type.Array(Type.Object({ pointer: Type.String(), code: Type.String(), message: Type.String() }), {
    description: 'What stands in the way; empty when the data are removed'
  }),
  removed: Type.Array(Type.Object({ what: Type.String(), count: Type.Integer() }))
}, { $id: 'PersonalDataRemoval' })
export type PersonalDataRemoval = Static<typeof PersonalDataRemoval>
