import { Type, type Static } from '@sinclair/typebox'
import { AuditActor, MemberChanges } from '../../audit/schemas.ts'
import { Id, Nullable } from '../../http/schemas.ts'
import { AdapterKey, AdapterVersion, WaitSeconds, Warning } from '../schemas.ts'

const DryRun = Type.Boolean({ default: false, description: 'Answers the same but changes nothing' })

export const MoveBody = Type.Object({
  adapterKey: Type.Optional(AdapterKey),
  adapterVersion: AdapterVersion,
  dryRun: DryRun,
  confirm: Type.Boolean({
    default: false,
    description: 'Accepts lost capabilities, new permissions and irreversible migrations'
  }),
  test: Type.Boolean({ default: true, description: 'Tests the connection with the new version first' }),
  waitSeconds: WaitSeconds
}, { additionalProperties: false })
export type MoveBody = Static<typeof MoveBody>

export const RollbackBody = Type.Object({ dryRun: DryRun, waitSeconds: WaitSeconds }, { additionalProperties: false })
export type RollbackBody = Static<typeof RollbackBody>

const Pin = Type.Object({
  adapterKey: Type.String(),
  adapterVersion: Type.Union([Type.String(), Type.Null()], {
    description: 'As stored: exact version, range or `latest`'
  })
})
export type Pin = Static<typeof Pin>

const Side = Type.Object({
  ...Pin.properties,
  version: Type.Union([Type.String(), Type.Null()], {
    description: 'Loaded version that fits; null when none does'
  })
})

const Names = Type.Array(Type.String())

export const Move = Type.Object({
  from: Side,
  to: Side,
  changes: Type.Object({
    config: MemberChanges,
    capabilities: Type.Object({ lost: Names, gained: Names }),
    permissions: Type.Object({ grown: Names, dropped: Names }, {
      description: 'Each continues a sentence that begins with "it may"'
    }),
    migrations: Type
      .Array(Type.Object({
        from: Type.String(),
        to: Type.String(),
        direction: Type.Union([Type.Literal('up'), Type.Literal('down')]),
        isReversible: Type.Boolean()
      })),
    events: Type.Array(
      Type.Object({
        eventType: Type.String(),
        from: Type.Optional(Type.String({ description: 'Type of the job before the move' })),
        to: Type.Optional(Type.String({ description: 'Type of the job after the move' }))
      }),
      {
        description:
          'Types of webhook events that start another job. `from` is absent when events of the type are ignored now, ' +
          '`to` when they will be'
      }
    )
  }),
  warnings: Type.Array(Warning, {
    description:
      '`capability-lost`, `permission-grown` and `one-way` need a confirmation. `newer-major`: a newer major is ' +
      'installed under another key. `not-loaded`: a newer version is installed, which a restart of the hub loads, or ' +
      'which did not load'
  }),
  applied: Type.Boolean()
}, { $id: 'Move' })
export type Move = Static<typeof Move>

export const PastMove = Type.Object({
  id: Id,
  movedAt: Type.String({ format: 'date-time' }),
  movedBy: Type.Union([AuditActor, Type.Null()], {
    description: 'Null: not known, because an older version of the hub made the move'
  }),
  from: Pin,
  to: Type.Union([Pin, Type.Null()], {
    description: 'Null: not known, because an older version of the hub made the move'
  }),
  rolledBackAt: Nullable(Type.String({ format: 'date-time' }))
}, { $id: 'PastMove' })
export type PastMove = Static<typeof PastMove>
