import { exampleIds } from '../../http/description/example-ids.ts'
import type { Examples } from '../../http/description/examples.ts'

const { market, product, variant, offer, job, anotherJob } = exampleIds
const price = { amount: '14.90', currency: 'EUR' }
const batchId = '0198c3b4-dd51-7e62-9173-8e9fa0b1c2d3'

export const listingExamples: Examples = {
  bodies: {
    createOffer: {
      variantId: variant,
      price,
      publishImmediately: true,
      overrides: { title: 'Red mug, 300 ml', dispatchTime: { unit: 'day', period: 1 } }
    },
    createProductOffers: { price, publishImmediately: false },
    updateOfferFields: { price, title: 'Red mug, 300 ml' },
    createOffers: {
      connectionId: market,
      items: [{ variantId: variant, price }, { productId: product }],
      defaults: { publishImmediately: true }
    }
  },
  answers: {
    JobReference: { jobId: job },
    OfferCreation: { variantId: variant, offerId: offer, status: 'DRAFT', jobId: job },
    BatchCreation: {
      batchId,
      jobIds: [job],
      skipped: [{ item: { productId: product }, variantId: variant, offerId: offer, reason: 'already listed' }]
    },
    OfferBatch: {
      id: batchId,
      connectionId: market,
      status: 'failed',
      total: 1,
      succeeded: 0,
      failed: 1,
      items: [{
        item: { variantId: variant },
        variantId: variant,
        offerId: offer,
        jobId: job,
        status: 'dead',
        problem: { code: 'LNK_ADAPTER_REJECTED', message: 'the category needs the parameter Material' }
      }],
      createdAt: '2026-01-31T10:00:00.000Z'
    },
    retryBatch: { jobIds: [job, anotherJob] }
  }
}
