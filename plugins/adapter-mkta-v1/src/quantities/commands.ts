import { connectionRoute, RejectedError } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import type { ConnectionHost } from '../route.ts'
import { ChangeRecord, listChanges } from './changes.ts'
import { CommandStatus } from './command.ts'

const Query = Type.Object({
  status: Type.Optional(CommandStatus),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  cursor: Type.Optional(Type.String({ maxLength: 100, description: 'From the `Link` of the page before' }))
}, { additionalProperties: false })

const cursorForm = /^\d{15}-[0-9a-f]{24}$/

const Answer = Type.Array(ChangeRecord, {
  examples: [[{
    id: '9f506172-8394-5ea5-8fb6-d027e138f249',
    commandId: 'a0617283-94a5-5fb6-90c7-e138f24a035b',
    offerId: '7680123456',
    quantity: 7,
    status: 'succeeded',
    error: null,
    createdAt: '2026-01-31T10:04:00.000Z',
    updatedAt: '2026-01-31T10:04:20.000Z'
  }]]
})

/**
 * `GET /connections/:connectionId/commands`: the quantities of the last 30 days and their results,
 * newest first.
 */
export const commands = connectionRoute({
  method: 'GET',
  path: '/connections/:connectionId/commands',
  auth: 'read',
  summary: 'Quantity commands of the last 30 days, newest first',
  readsHubOnly: true,
  schema: { query: Query, response: { 200: Answer } },
  async handler ({ query: { status, limit, cursor } }, { connection }: ConnectionHost) {
    if (cursor !== undefined && !cursorForm.test(cursor)) {
      throw new RejectedError('`cursor` does not come from a `Link` of this route')
    }
    const filter = { limit, ...(status === undefined ? {} : { status }) }
    const { changes, nextCursor } = await listChanges(connection.context.kv, { status, limit, cursor })
    if (nextCursor === undefined) return { body: changes }
    const next = new URLSearchParams({ ...filter, limit: String(limit), cursor: nextCursor })
    return { headers: { link: `<?${next}>; rel="next"` }, body: changes }
  }
})
