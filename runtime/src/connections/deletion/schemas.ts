import { Type, type Static } from '@sinclair/typebox'
import { Id } from '../../http/schemas.ts'
import { WaitSeconds, Warning } from '../schemas.ts'

export const DeletionQuery = Type.Object({
  dryRun: Type.Boolean({
    default: false,
    description: 'Changes nothing; answers what would be deleted and what stands in the way'
  }),
  force: Type.Boolean({ default: false, description: 'Deletes the connection although it has open orders' }),
  waitSeconds: WaitSeconds
}, { additionalProperties: false })

const Rows = Type.Array(Type.Object({ what: Type.String(), count: Type.Integer() }))

export const Deletion = Type.Object({
  id: Id,
  name: Type.String(),
  platformType: Type.String(),
  deleted: Type.Boolean({ description: 'False for a dry run' }),
  obstacles: Type.Array(Warning, { description: 'What stands in the way; empty when it is deleted' }),
  openOrders: Type.Integer({ description: 'Orders that still need the connection; they stay as they are' }),
  cancelledJobs: Type.Integer({ description: 'Jobs that wait and end as `cancelled`' }),
  removed: Rows,
  kept: Rows
}, { $id: 'ConnectionDeletion' })
export type Deletion = Static<typeof Deletion>

export const DeletedConnection = Type.Object({
  id: Id,
  name: Type.String(),
  platformType: Type.String(),
  adapterKey: Type.String(),
  createdAt: Type.String({ format: 'date-time' }),
  deletedAt: Type.String({ format: 'date-time' })
}, { $id: 'DeletedConnection' })
export type DeletedConnection = Static<typeof DeletedConnection>

export const DeletedQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
  takeOverBy: Type.Optional(Type.String({
    format: 'uuid',
    description: 'Only those that this connection can take over: they opened its account, and it has not taken ' +
      'over their orders yet'
  }))
}, { additionalProperties: false })
export type DeletedQuery = Static<typeof DeletedQuery>
