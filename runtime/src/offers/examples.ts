import { exampleIds } from '../http/description/example-ids.ts'
import type { Examples } from '../http/description/examples.ts'

const { market, variant, offer, job } = exampleIds
const names = { name: 'Red', sku: 'MUG-R', ean: '5901234123457' }
const price = { amount: '14.90', currency: 'EUR' }
const shown = { upstreamStatus: 'active', title: 'Red mug, 300 ml', price }

const linked = {
  id: offer,
  connectionId: market,
  variantId: variant,
  variant: names,
  externalId: 'MUG-R-1',
  status: 'ACTIVE',
  ...shown,
  quantity: 7,
  upstreamQuantity: 7,
  buffer: 1,
  maxListed: null,
  frozenFields: [],
  warnings: [],
  problems: [],
  lastSyncedAt: '2026-01-31T10:00:00.000Z',
  createdAt: '2026-01-30T08:00:00.000Z',
  updatedAt: '2026-01-31T10:00:00.000Z'
}

const explanation = {
  offerId: offer,
  externalId: 'MUG-R-1',
  variant: { id: variant, ...names },
  connection: { id: market, name: 'My marketplace' },
  verdict: 'within-lag',
  sentence: 'The marketplace got the quantity 7 four minutes ago and shows it after 20 minutes at most.',
  contributing: [],
  chain: [
    { step: 'master', quantity: 8, at: '2026-01-31T10:03:00.000Z' },
    { step: 'after-reservations', quantity: 1, at: null },
    { step: 'wanted', quantity: 7, at: '2026-01-31T10:03:00.000Z' },
    { step: 'written', quantity: 7, at: '2026-01-31T10:04:00.000Z', jobId: job },
    { step: 'shown', quantity: 8, at: '2026-01-31T10:00:00.000Z' }
  ],
  price: {
    basis: 'price',
    offer: { amount: '39.90', currency: 'PLN' },
    price: { amount: '39.90', currency: 'PLN' },
    regularPrice: { amount: '49.90', currency: 'PLN' },
    sentence: "The offer has 39.90 PLN, as shop 'My shop' with its promotion; without it the price is 49.90 PLN."
  },
  evidence: { at: '2026-01-31T10:04:00.000Z', until: '2026-01-31T10:24:00.000Z', jobId: job },
  nextAction: {
    sentence: 'Wait until then. Then let the hub read the offer.',
    command: `linker offers refresh ${offer}`,
    call: { method: 'POST', path: `/offers/${offer}/refresh`, body: null }
  },
  checkedAt: '2026-01-31T10:08:00.000Z'
}

const marketplaceOffer = {
  externalId: 'MUG-R-1',
  ...names,
  name: undefined,
  ...shown,
  reference: null,
  status: 'ACTIVE',
  quantity: 7,
  readAt: '2026-01-31T10:00:00.000Z',
  link: {
    state: 'certain',
    offerId: null,
    variant: null,
    suggestions: [{ variantId: variant, ...names, matchedBy: 'sku', certain: true, reason: 'only-match' }]
  }
}

export const offerExamples: Examples = {
  bodies: {
    linkOffer: { connectionId: market, variantId: variant, externalId: 'MUG-R-1', buffer: 1 },
    limitOffer: { buffer: 2, maxListed: 50 },
    linkMarketplaceOffers: { dryRun: true, filter: { q: 'mug' } },
    reconcileStock: { connectionId: market, dryRun: true }
  },
  answers: {
    Offer: linked,
    UnlinkedOffer: {
      id: '0198c3b3-cc40-7d51-8062-7d8e9fa0b1c2',
      connectionId: market,
      externalId: 'PLATE-1',
      reference: null,
      sku: 'PLATE',
      ean: null,
      status: 'ACTIVE',
      ...shown,
      title: 'Plate',
      quantity: 3,
      seenAt: '2026-01-31T10:00:00.000Z',
      createdAt: '2026-01-30T08:00:00.000Z'
    },
    OfferExplanation: explanation,
    MarketplaceOffer: marketplaceOffer,
    MarketplaceLinkSummary: {
      dryRun: true,
      matched: 4,
      eligible: 1,
      linked: 0,
      skipped: [{ reason: 'no-match', count: 2 }, { reason: 'several-offers', count: 1 }],
      sample: [{ externalId: 'MUG-R-1', title: shown.title, variantId: variant, ...names, matchedBy: 'sku' }],
      readAt: '2026-01-31T10:00:00.000Z',
      next: null,
      atMost: false
    },
    ReconcilePreview: {
      connectionId: market,
      complete: true,
      seen: 120,
      changes: [{ externalId: 'MUG-R-1', from: 9, to: 7 }],
      changed: 1,
      keeps: [{ externalId: 'PLATE-1', from: 3, to: 5, because: 'frozen' }],
      kept: 1,
      linked: 0,
      missing: 0,
      missingVariants: [],
      held: false
    },
    refreshOffer: { jobId: job },
    reconcileStock: { jobIds: [job, exampleIds.anotherJob] }
  }
}
