import { exampleIds } from '../http/description/example-ids.ts'
import type { Examples } from '../http/description/examples.ts'

const carrier = '0198c3a1-4b8e-7d20-9c63-8f7ba03e4d52'
const rules = {
  items: [{
    sourceDeliveryMethodId: 'courier',
    processorKind: 'hub_managed_carrier',
    processorConnectionId: carrier
  }]
}

export const fulfilmentExamples: Examples = {
  bodies: { replaceRoutingRules: rules },
  answers: {
    RoutingCandidate: {
      processorKind: 'hub_managed_carrier',
      processorConnectionId: carrier,
      displayName: 'My carrier',
      reason: 'the connection is disabled'
    },
    RoutingRules: rules,
    Route: {
      processorKind: 'hub_managed_carrier',
      processorConnectionId: carrier,
      explanation: "a rule gives the delivery method 'courier' to 'My carrier'"
    },
    Shipment: {
      orderId: exampleIds.order,
      connectionId: carrier,
      status: 'created',
      externalId: '5',
      tracking: { carrier: 'parcels', number: 'PRC000000005', url: 'https://parcels.example/PRC000000005' },
      problem: null,
      createdAt: '2026-01-31T10:10:00.000Z',
      updatedAt: '2026-01-31T10:10:02.000Z'
    },
    listDeliveryMethods: [{ id: 'courier', name: 'Courier' }]
  }
}
