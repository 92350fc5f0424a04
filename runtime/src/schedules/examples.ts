import { exampleIds } from '../http/description/example-ids.ts'
import type { Examples } from '../http/description/examples.ts'

export const scheduleExamples: Examples = {
  bodies: { updateSchedule: { every: '30m', enabled: true } },
  answers: {
    Schedule: {
      connectionId: exampleIds.shop,
      name: 'myshop-price-poll',
      every: '30m',
      enabled: true,
      job: 'myshop.prices.poll',
      nextAt: '2026-01-31T10:30:00.000Z',
      lastJobId: exampleIds.job,
      lastJobStatus: 'succeeded'
    }
  }
}
