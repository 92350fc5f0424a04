import { exampleIds } from '../http/description/example-ids.ts'
import type { Examples } from '../http/description/examples.ts'

const variant = {
  id: exampleIds.variant,
  productId: exampleIds.product,
  externalId: '101',
  name: 'Red',
  sku: 'MUG-R',
  ean: '5901234123457',
  price: { amount: '12.90', currency: 'EUR' },
  regularPrice: { amount: '14.90', currency: 'EUR' },
  isSellable: true,
  imageUrls: ['https://shop.example/img/101.jpg'],
  missingSince: null
}

export const catalogExamples: Examples = {
  bodies: {},
  answers: {
    Variant: variant,
    Product: {
      id: exampleIds.product,
      connectionId: exampleIds.shop,
      externalId: '27',
      name: 'Mug',
      description: '<p>Holds 300 ml.</p>',
      isActive: true,
      imageUrls: ['https://shop.example/img/27.jpg'],
      missingSince: null,
      variants: [variant],
      createdAt: '2026-01-31T10:00:00.000Z',
      updatedAt: '2026-01-31T10:00:00.000Z'
    }
  }
}
