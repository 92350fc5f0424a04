/** An order in full, as the marketplace sends it. */
export function upstreamOrder (members: object = {}) {
  return {
    id: '250102x10002',
    externalOrderId: 'hub-1',
    status: 'purchased',
    user: {
      email: ' Anna+mktb@Example.com ',
      deliveryAddress: {
        firstName: 'Anna',
        lastName: 'Nowak',
        companyName: 'ACME',
        address: 'ul. Prosta 1/2',
        street: 'ul. Prosta',
        buildingNumber: '1',
        flatNumber: '2',
        zip: '00-001',
        city: 'Warszawa',
        country: 'pl',
        phone: '500600700'
      },
      invoiceAddress: {
        type: 'company',
        firstName: 'Anna',
        street: 'ul. Prosta',
        buildingNumber: '1',
        flatNumber: '2',
        zip: '00-001',
        city: 'Warszawa',
        country: 'pl',
        companyName: 'ACME',
        nip: '1234567890'
      }
    },
    items: [{
      id: 1,
      externalId: 'hub-variant-1',
      quantity: 1,
      weight: 400,
      unitPrice: 10_000,
      unitPriceBeforeRebate: 11_000,
      name: 'Mug',
      slug: 'mug',
      ean: '5901234123457',
      sku: 'SKU-27-R',
      taxRate: 'TAX_23'
    }],
    currency: 'PLN',
    rebate: { id: 9, name: 'WINTER', code: 'X1' },
    delivery: { name: 'Locker', typeId: 'mktbLocker', price: 1_999, cod: false, pickupPlace },
    comment: 'call first',
    totalPrice: 11_999,
    deliveryTracking: { status: 'preparing', vendor: 'inpost', trackingNumber: '620000' },
    payment: { id: 77, status: 'COMPLETED' },
    returns: [],
    calculatedParcelsCount: 1,
    sellerStatus: 'created',
    created: '2025-01-02T10:00:00.000Z',
    updated: '2025-01-02T10:05:00.000Z',
    purchasedAt: '2025-01-02T11:05:00+01:00',
    cursor: '1735812300;250102x10002',
    ...members
  }
}

export const pickupPlace = {
  id: 5,
  externalId: 'POZ08A',
  heading: 'Locker POZ08A',
  type: 'locker',
  provider: 'inpost',
  name: 'POZ08A',
  address: 'ul. Dluga 3',
  city: 'Poznan',
  country: 'pl',
  open24h: true,
  zip: '60-001'
}
