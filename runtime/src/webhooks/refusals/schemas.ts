import { Type, type Static } from '@sinclair/typebox'
import { Nullable } from '../../http/schemas.ts'

export const RefusalView = Type.Object({
  code: Type.String({ description: 'Code of the problem that the senders got' }),
  count: Type.Integer({ description: 'Refused deliveries since `firstAt`' }),
  firstAt: Type.String({ format: 'date-time' }),
  lastAt: Type.String({ format: 'date-time' }),
  lastDetail: Nullable(Type.String({
    description: 'Explanation in the last answer; null when it could repeat what the sender sent'
  })),
  remedy: Type.String({ description: 'What to do about it' })
}, { $id: 'WebhookRefusal' })
export type RefusalView = Static<typeof RefusalView>
