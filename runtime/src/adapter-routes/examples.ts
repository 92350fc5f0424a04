import type { Examples } from '../http/description/examples.ts'

const adapter = {
  packageName: '@example/adapter-myshop-v1',
  adapterKey: 'myshop.api.v1',
  platformType: 'myshop',
  supportedCapabilities: ['ProductMaster', 'InventoryMaster'],
  displayName: 'My Shop',
  version: '1.4.0',
  links: { help: 'https://docs.myshop.example/linker', keys: 'https://myshop.example/admin/keys' },
  icon: '/adapters/myshop.api.v1/versions/1.4.0/icon',
  hasChangelog: true,
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
const settings = {
  type: 'object',
  properties: { confirmStockJump: { type: 'integer', title: 'Confirm a jump of stock', unit: 'pieces' } }
}
const credentials = { type: 'object', required: ['apiKey'], properties: { apiKey: { type: 'string', secret: true } } }

export const adapterExamples: Examples = {
  bodies: {
    validateConfig: { config: { baseUrl: 'shop.example' }, credentials: { apiKey: 'the key' } }
  },
  answers: {
    Adapter: adapter,
    readAdapterSchema: { adapterKey: 'myshop.api.v1', version: '1.4.0', config, settings, credentials },
    readAdapterIcon: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M6 11h20l2 17H4z"/></svg>',
    readAdapterChangelog: '# 1.4.0\n\n- reads prices with tax\n',
    validateConfig: {
      valid: false,
      errors: [{ pointer: '/config/baseUrl', code: 'format', message: 'must be an address, such as https://…' }],
      warnings: []
    }
  }
}
