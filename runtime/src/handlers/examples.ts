import { exampleIds } from '../http/description/example-ids.ts'
import type { Examples } from '../http/description/examples.ts'

export const runJobExamples: Examples = {
  bodies: {
    runJob: {
      jobType: 'myshop.price.syncByExternalId',
      connectionId: exampleIds.shop,
      payload: { externalId: '27' }
    }
  },
  answers: { runJob: { jobId: exampleIds.job } }
}
