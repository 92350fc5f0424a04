import { Type, type Static } from '@sinclair/typebox'
import { Id } from '../../http/schemas.ts'
import { cursorKeyPattern } from '../../text-patterns.ts'
import { WaitSeconds } from '../schemas.ts'

export const CursorParams = Type.Object({
  id: Id,
  key: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: cursorKeyPattern,
    description: 'Name of the cursor, as the list shows it'
  })
})

export const CursorChangeQuery = Type.Object({ waitSeconds: WaitSeconds }, { additionalProperties: false })

export const CursorBody = Type.Object({
  value: Type.String({
    minLength: 1,
    maxLength: 65_536,
    description: 'A position of the platform. The hub cannot check it: the next reading goes on from there'
  }),
  create: Type.Boolean({
    default: false,
    description: 'Also sets a cursor that the connection does not have yet'
  })
}, { additionalProperties: false })

export const CursorView = Type.Object({
  cursorKey: Type.String(),
  value: Type.String(),
  updatedAt: Type.String({ format: 'date-time' })
}, { $id: 'Cursor' })
export type CursorView = Static<typeof CursorView>
