import type { Examples } from '../http/description/examples.ts'

const adapter = {
  packageName: '@example/adapter-myshop-v1',
  adapterKey: 'myshop.api.v1',
  platformType: 'myshop',
  supportedCapabilities: ['ProductMaster', 'InventoryMaster'],
  displayName: 'My Shop',
  version: '1.4.0',
  state: 'ready',
  isolation: 'worker',
  features: { ProductMaster: ['getProduct', 'listProducts'], InventoryMaster: ['getStock', 'listStock'] },
  isDefault: true,
  permissions: { http: ['${config.baseUrl}'], jobs: ['myshop.*'] },
  jobs: ['myshop.price.syncByExternalId'],
  schedules: [],
  routes: [],
  webhooks: 'hmac',
  budget: { ratePerSecond: 10, burst: 20 },
  authorisation: null,
  conformance: { level: 2, suite: '0.1.0', exempt: ['L2-ERR-06'] },
  usedBy: 1
}
const config = { type: 'object', required: ['baseUrl'], properties: { baseUrl: { type: 'string', format: 'uri' } } }
const credentials = { type: 'object', required: ['apiKey'], properties: { apiKey: { type: 'string', secret: true } } }

export const adapterExamples: Examples = {
  bodies: {
    validateConfig: { config: { baseUrl: 'shop.example' }, credentials: { apiKey: 'the key' } }
  },
  answers: {
    Adapter: adapter,
    readAdapterSchema: { adapterKey: 'myshop.api.v1', version: '1.4.0', config, credentials },
    validateConfig: {
      valid: false,
      errors: [{ pointer: '/config/baseUrl', code: 'format', message: 'must be an address, such as https://…' }],
      warnings: []
    }
  }
}
