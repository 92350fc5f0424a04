import { exampleIds } from '../http/description/example-ids.ts'
import type { Examples } from '../http/description/examples.ts'

export const stockExamples: Examples = {
  bodies: { confirmStock: { variantId: exampleIds.variant } },
  answers: {
    Stock: {
      variantId: exampleIds.variant,
      name: 'Red',
      sku: 'MUG-R',
      ean: '5901234123457',
      quantity: 8,
      reserved: 1,
      isCounted: true,
      isSellable: true,
      confirmedQuantity: null,
      jumpedAt: null,
      sharedStockId: null,
      version: 14,
      missingSince: null,
      updatedAt: '2026-01-31T10:04:00.000Z',
      offers: [{
        offerId: exampleIds.offer,
        connectionId: exampleIds.market,
        wantedQuantity: 7,
        sentQuantity: 7,
        upstreamQuantity: 8,
        drift: 0,
        warnings: []
      }]
    },
    StockConfirmation: { confirmed: 1, jobIds: [exampleIds.job] },
    InventorySweep: {
      id: '0198c3b2-bb3f-7c40-9f51-6c7d8e9fa0b1',
      connectionId: exampleIds.shop,
      status: 'complete',
      problem: null,
      phase: 'done',
      pages: 3,
      seen: 120,
      changed: 2,
      missing: 0,
      startedAt: '2026-01-31T10:00:00.000Z',
      finishedAt: '2026-01-31T10:00:12.000Z'
    }
  }
}
