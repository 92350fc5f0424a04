import { exampleIds } from '../http/description/example-ids.ts'
import type { Examples } from '../http/description/examples.ts'

export const searchExamples: Examples = {
  bodies: {},
  answers: {
    SearchResult: {
      kind: 'order',
      id: exampleIds.order,
      title: 'A-10001',
      subtitle: 'created · My marketplace',
      connectionId: exampleIds.market,
      matchedBy: 'externalId'
    }
  }
}
