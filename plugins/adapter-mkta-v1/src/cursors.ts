import { connectionRoute } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import type { ConnectionHost } from './route.ts'

const Answer = Type.Object({
  cursors: Type.Array(Type.Object({ cursorKey: Type.String(), value: Type.String(), updatedAt: Type.String() }))
}, { examples: [{ cursors: [{ cursorKey: 'orders', value: '184467', updatedAt: '2026-01-31T10:04:00.000Z' }] }] })

/**
 * `GET /connections/:connectionId/cursors`: how far the hub has read the marketplace's journals.
 */
export const cursors = connectionRoute({
  method: 'GET',
  path: '/connections/:connectionId/cursors',
  auth: 'read',
  summary: 'How far the journals of the marketplace have been read',
  readsHubOnly: true,
  schema: { response: { 200: Answer } },
  async handler (_request, { connection }: ConnectionHost) {
    const found = await connection.context.cursor.list()
    return { body: { cursors: found.map(({ name, value, updatedAt }) => ({ cursorKey: name, value, updatedAt })) } }
  }
})
