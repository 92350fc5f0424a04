import { exampleIds } from '../http/description/example-ids.ts'
import type { Examples } from '../http/description/examples.ts'

const { shop, market, variant, order, job } = exampleIds
const money = (amount: string) => ({ amount, currency: 'EUR' })
const placedAt = '2026-01-31T09:58:00.000Z'
const jobIds = { jobIds: [job] }

const summary = {
  id: order,
  connectionId: market,
  externalId: 'A-10001',
  status: 'created',
  sourceStatus: 'processing',
  upstreamStatus: 'paid',
  total: money('33.79'),
  reserved: 0,
  handledElsewhere: null,
  problems: [],
  destination: { connectionId: shop, externalId: '5012', status: 'processing' },
  tracking: null,
  placedAt,
  createdAt: '2026-01-31T10:00:00.000Z',
  updatedAt: '2026-01-31T10:00:04.000Z',
  personalDataRemovedAt: null
}

const address = {
  firstName: 'Anna',
  lastName: 'Nowak',
  street: 'Example Street 1',
  postcode: '10115',
  city: 'Berlin',
  country: 'DE'
}

const snapshot = {
  externalId: 'A-10001',
  status: 'processing',
  upstreamStatus: 'paid',
  revision: '7',
  placedAt,
  buyer: { email: 'anna@example.com' },
  lines: [{ externalId: '1', offerExternalId: 'MUG-R-1', name: 'Red mug', quantity: 2, unitPrice: money('14.90') }],
  total: money('33.79'),
  payment: { method: 'prepaid', paid: money('33.79'), methodName: 'Card' },
  shipping: { methodId: 'courier', methodName: 'Courier', price: money('3.99'), address }
}

export const orderExamples: Examples = {
  bodies: {
    retryOrders: { filter: { connectionId: market, status: ['failed'] }, dryRun: true }
  },
  answers: {
    OrderSummary: summary,
    Order: {
      ...summary,
      waitsFor: null,
      snapshot,
      changes: [],
      lines: [{ externalId: '1', offerExternalId: 'MUG-R-1', quantity: 2, variantId: variant }],
      history: [{ at: '2026-01-31T10:00:00.000Z', event: 'ingested', detail: { status: 'ready', revision: '7' } }]
    },
    PersonalDataRemoval: {
      id: order,
      externalId: 'A-10001',
      deleted: true,
      personalDataRemovedAt: '2026-08-01T10:00:00.000Z',
      obstacles: [],
      removed: [{ what: 'jobs', count: 4 }]
    },
    OrderRetrySummary: {
      dryRun: true,
      matched: 3,
      eligible: 1,
      retried: 0,
      remaining: 0,
      next: null,
      skipped: [{ reason: 'created', count: 2 }],
      byGroup: [{ connectionId: market, status: 'failed', code: 'not-created', count: 1 }],
      sample: [{ ...summary, status: 'failed', reserved: 2, problems: ['Country DE is not active'] }],
      atMost: false
    },
    retryOrder: jobIds,
    cancelOrder: jobIds,
    releaseOrder: jobIds,
    sweepOrders: { jobId: job }
  }
}
