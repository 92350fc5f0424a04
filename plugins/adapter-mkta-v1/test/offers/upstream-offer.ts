/** An offer in full, as the marketplace sends it. */
export function upstreamOffer (members: object = {}) {
  return {
    id: '7680001234',
    name: 'Mug blue',
    category: { id: '257931' },
    sellingMode: {
      format: 'BUY_NOW',
      price: { amount: '100.00', currency: 'PLN' },
      minimalPrice: null,
      startingPrice: null
    },
    stock: { available: 8, sold: 2 },
    publication: {
      status: 'ACTIVE',
      startingAt: null,
      endedAt: null,
      marketplaces: { base: { id: 'mkta-pl' }, additional: [] }
    },
    external: { id: 'SKU-27-R' },
    ...members
  }
}
