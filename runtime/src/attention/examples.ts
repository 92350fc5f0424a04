import { exampleIds } from '../http/description/example-ids.ts'
import type { Examples } from '../http/description/examples.ts'

const { shop } = exampleIds

export const attentionExamples: Examples = {
  bodies: {},
  answers: {
    AttentionItem: {
      key: `connection-error:${shop}`,
      kind: 'connection-error',
      severity: 'error',
      since: '2026-01-31T10:00:01.250Z',
      count: 1,
      connectionId: shop,
      connectionName: 'My shop',
      title: "'My shop' is in error",
      detail: 'The platform refuses the credentials. Replace them: `linker connections credentials "My shop"`.',
      target: `/connections/${shop}/diagnostics`
    }
  }
}
