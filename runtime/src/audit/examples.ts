import { exampleIds } from '../http/description/example-ids.ts'
import type { Examples } from '../http/description/examples.ts'

export const auditExamples: Examples = {
  bodies: {},
  answers: {
    AuditEntry: {
      id: '0198c3b0-9c1d-7a2e-8d3f-4a5b6c7d8e9f',
      createdAt: '2026-01-31T10:05:00.000Z',
      actor: { kind: 'token', name: 'ada', tokenId: exampleIds.token },
      requestId: exampleIds.request,
      action: 'connection.update',
      connectionId: exampleIds.shop,
      objectId: null,
      objectName: 'My shop',
      changes: [
        { pointer: '/config/language', from: 'de', to: 'en' },
        { pointer: '/credentials', isSecret: true }
      ]
    }
  }
}
