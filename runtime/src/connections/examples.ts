import { exampleIds } from '../http/description/example-ids.ts'
import type { Examples } from '../http/description/examples.ts'

const actor = { kind: 'token', name: 'ada', tokenId: exampleIds.token }
const from = { adapterKey: 'myshop.api.v1', adapterVersion: '1.4.0' }
const to = { adapterKey: 'myshop.api.v1', adapterVersion: '1.5.0' }
const own = { ratePerSecond: 2, burst: 5 }

const connection = {
  id: exampleIds.shop,
  platformType: 'myshop',
  name: 'My shop',
  status: 'active',
  statusReason: null,
  config: { baseUrl: 'https://shop.example', language: 'en' },
  settings: { confirmStockJump: 500, orderPollDays: 30 },
  effectiveConfig: { baseUrl: 'https://shop.example', language: 'en', imageType: 'large' },
  credentialsRef: 'db:myshop_1769853600000_f908cfa5-1eca-4902-a1e3-7c256255b4fa',
  adapterKey: 'myshop.api.v1',
  adapterVersion: '1.4.0',
  capabilities: ['ProductMaster', 'InventoryMaster', 'OrderProcessorManager'],
  account: { name: 'shop.example', takesOrders: true },
  ordersSince: null,
  pauses: [],
  webhooksConfigured: true,
  createdAt: '2026-01-31T10:00:00.000Z',
  updatedAt: '2026-01-31T10:05:00.000Z'
}

const move = {
  from: { ...from, version: '1.4.0' },
  to: { ...to, version: '1.5.0' },
  changes: {
    config: [{ pointer: '/language', from: 'en', to: 'en-GB' }],
    capabilities: { lost: [], gained: ['ProductMaster'] },
    permissions: { grown: [], dropped: [] },
    migrations: [{ from: '1.4.0', to: '1.5.0', direction: 'up', isReversible: true }],
    events: [{ eventType: 'price.changed', to: 'myshop.price.syncByExternalId' }]
  },
  warnings: [],
  applied: true
}

const upstream = {
  connectionId: exampleIds.shop,
  budget: {
    declared: { ratePerSecond: 10, burst: 20 },
    own: { ...own, reason: 'the cash desk uses the same account', by: actor, since: '2026-01-31T10:02:11.400Z' },
    learnt: null,
    effective: own
  },
  throttledUntil: null,
  rest: null,
  breaker: { state: 'closed', openedAt: null, openUntil: null, openings: 0, failure: null },
  areas: []
}

const deletion = {
  id: exampleIds.shop,
  name: 'My shop',
  platformType: 'myshop',
  deleted: true,
  obstacles: [],
  openOrders: 0,
  cancelledJobs: 2,
  removed: [{ what: 'credentials', count: 1 }, { what: 'products', count: 120 }],
  kept: [{ what: 'orders', count: 37 }, { what: 'jobs', count: 210 }]
}

export const connectionExamples: Examples = {
  bodies: {
    createConnection: {
      name: 'My shop',
      platformType: 'myshop',
      config: { baseUrl: 'https://shop.example', language: 'en' },
      credentials: { apiKey: 'the key from the settings of the shop' }
    },
    updateConnection: { name: 'My shop in Berlin', config: { language: null }, settings: { orderPollDays: 30 } },
    replaceCredentials: { credentials: { apiKey: 'the new key' } },
    moveConnection: { adapterVersion: '1.5.0', dryRun: true },
    rollBackMove: { dryRun: true },
    setCursor: { value: '184467' },
    invokeCapability: { capability: 'InventoryMaster', method: 'getStock', args: ['27'], dryRun: true },
    setBudget: { ...own, reason: 'the cash desk uses the same account' },
    pauseConnection: { reason: 'the shop moves to another server', until: '2026-01-31T12:00:00.000Z' },
    disableConnection: { reason: 'the shop closed for good' },
    takeOverConnection: { connectionId: '0198c3b1-aa2e-7b3f-8e40-5b6c7d8e9fa1' },
    resumeConnection: { capabilities: ['OrderProcessorManager'] }
  },
  answers: {
    ConnectionHealth: {
      id: exampleIds.shop,
      name: 'My shop',
      platformType: 'myshop',
      status: 'active',
      statusReason: null,
      pauses: [],
      breaker: null,
      adapterKey: 'myshop.api.v1',
      adapterVersion: '1.4.0',
      lastSuccessAt: '2026-01-31T10:04:02.100Z',
      lastFailureAt: null,
      lastFailureCode: null,
      waiting: 0,
      dead: 0,
      succeededPerHour: Array.from({ length: 24 }, (_, hour) => 40 + hour),
      failedPerHour: Array.from({ length: 24 }, () => 0),
      createdAt: '2026-01-02T08:00:00.000Z'
    },
    Connection: connection,
    ConnectionTest: {
      success: true,
      status: 200,
      message: 'The platform accepts the credentials',
      latencyMs: 182,
      checks: [{ name: 'credentials', ok: true, ms: 180 }]
    },
    Move: move,
    PastMove: {
      id: '0198c3b1-aa2e-7b3f-8e40-5b6c7d8e9fa0',
      movedAt: '2026-01-31T10:30:00.000Z',
      movedBy: actor,
      from,
      to,
      rolledBackAt: null
    },
    Cursor: { cursorKey: 'orders', value: '184467', updatedAt: '2026-01-31T10:04:00.000Z' },
    Upstream: upstream,
    Invocation: {
      adapter: 'myshop.api.v1@1.4.0',
      dryRun: true,
      success: true,
      value: [{ productExternalId: '27', variantExternalId: '27', quantity: 5 }],
      latencyMs: 41,
      requests: [
        { at: '2026-01-31T10:04:02.100Z', method: 'GET', path: '/products/27/stock', status: 200, ms: 38, sent: true }
      ],
      effects: { cursors: {}, jobs: [] }
    },
    ConnectionDeletion: deletion,
    TakeOver: {
      taken: [
        { what: 'orders', count: 37 },
        { what: 'links of offers', count: 120 },
        { what: 'cursors', count: 1 }
      ]
    },
    DeletedConnection: {
      id: exampleIds.shop,
      name: 'My shop',
      platformType: 'myshop',
      adapterKey: 'myshop.api.v1',
      createdAt: '2026-01-31T10:00:00.000Z',
      deletedAt: '2026-02-28T09:00:00.000Z'
    }
  }
}
