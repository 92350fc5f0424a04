/** A checkout form in full, as the marketplace sends it. */
export function checkoutForm (members: object = {}) {
  return {
    id: '29738e61-7f6a-11e8-ac45-09db60ede9d6',
    messageToSeller: ' Please call first ',
    buyer,
    payment: {
      id: '0f8f5a4e',
      type: 'ONLINE',
      provider: 'P24',
      finishedAt: '2025-01-02T10:00:00.000Z',
      paidAmount: { amount: '119.99', currency: 'PLN' },
      reconciliation: null,
      features: []
    },
    status: 'READY_FOR_PROCESSING',
    fulfillment: { status: 'NEW', shipmentSummary: { lineItemsSent: 'NONE' } },
    delivery,
    invoice: {
      required: true,
      dueDate: null,
      address: {
        street: 'ul. Prosta 1/2',
        city: 'Warszawa',
        zipCode: '00-001',
        countryCode: 'PL',
        company: {
          name: 'ACME',
          ids: [{ type: 'PL_NIP', value: '1234567890' }],
          vatPayerStatus: 'ACTIVE',
          taxId: '1234567890'
        },
        naturalPerson: null
      }
    },
    lineItems: [lineItem()],
    surcharges: [],
    discounts: [],
    note: null,
    marketplace: { id: 'mkta-pl' },
    summary: { totalToPay: { amount: '119.99', currency: 'PLN' } },
    updatedAt: '2025-01-02T10:00:05.000Z',
    revision: '819b5836',
    ...members
  }
}

export const buyer = {
  id: '555',
  email: ' Hjk2kn6y+2d8f@user.mktamail.example ',
  login: 'buyer_login',
  firstName: 'Anna',
  lastName: 'Nowak',
  companyName: null,
  guest: false,
  personalIdentity: null,
  phoneNumber: '500600700',
  preferences: { language: 'pl-PL' },
  address: { street: 'ul. Kupna 9', city: 'Lublin', postCode: '20-001', countryCode: 'PL' }
}

export const delivery = {
  address: {
    firstName: 'Jan',
    lastName: 'Kowal',
    street: 'ul. Prosta 1/2',
    city: 'Warszawa',
    zipCode: '00-001',
    countryCode: 'PL',
    companyName: null,
    phoneNumber: '600700800',
    modifiedAt: null
  },
  method: { id: '2488f7b7-5d1c-4d65-b85c-4cbcf253fd93', name: 'Courier' },
  pickupPoint: null as object | null,
  cost: { amount: '19.99', currency: 'PLN' } as object | null,
  time: null,
  smart: false,
  cancellation: null,
  calculatedNumberOfPackages: 1
}

export const pickupPoint = {
  id: 'POZ08A',
  name: 'Locker POZ08A',
  description: 'near the shop',
  address: { street: 'ul. Dluga 3', zipCode: '60-001', city: 'Poznan', countryCode: 'PL' }
}

export function lineItem (members: object = {}) {
  return {
    id: '62ae358b-8f65-4fc4-9c77-bedf604a2e2b',
    offer: { id: '7680001234', name: 'Mug blue', external: { id: 'hub-variant-1' }, productSet: null },
    quantity: 1,
    originalPrice: { amount: '110.00', currency: 'PLN' },
    price: { amount: '100.00', currency: 'PLN' },
    reconciliation: null,
    selectedAdditionalServices: [],
    tax: { rate: '23.00', subject: null, exemption: null },
    boughtAt: '2025-01-02T09:55:00.000Z',
    ...members
  }
}
