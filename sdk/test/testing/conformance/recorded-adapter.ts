import type { Recording } from '@linker/sdk/host'
import { orderChanges } from '../../../src/testing/conformance/samples.ts'
import type { AdapterPackage } from './good-adapter.ts'

type Exchange = Recording['exchanges'][number]

/** A package with recorded calls, which a test can spoil. */
export interface RecordedPackage extends AdapterPackage {
  recordings: Record<string, Recording>
}

const source = `import { defineAdapter, TransientError, WriteUnderWayError } from '@linker/sdk'

const text = { type: 'string', minLength: 1 }

function read (answer, ...members) {
  const isRead = typeof answer === 'object' && answer !== null && members.every(member => member in answer)
  if (!isRead) throw new TransientError('the platform answered in an unknown form')
  return answer
}

const toProduct = ({ id, name }) => ({
  externalId: String(id),
  name, isActive: true,
  variants: [{ externalId: String(id) }]
})

function createProductMaster (client) {
  return {
    async getProduct (externalId) {
      return toProduct(read(await client.http.get('products/' + externalId), 'id', 'name'))
    },
    async listProducts ({ cursor, limit }) {
      const { items, next } = read(await client.http.get('products', { query: { cursor, limit } }), 'items')
      return { items: items.map(toProduct), ...(typeof next === 'string' ? { nextCursor: next } : {}) }
    }
  }
}

function createOrderProcessorManager (client) {
  async function findOrder (reference) {
    const { items } = read(await client.http.get('orders', { query: { reference } }), 'items')
    return items.length === 0 ? null : { externalId: String(items[0].id) }
  }

  const send = async reference => {
    const { id } = read(await client.http.json({ method: 'POST', path: 'orders', body: { reference } }), 'id')
    return { externalId: String(id) }
  }

  return {
    getOrder: async () => { throw new TransientError('not of interest here') },
    findOrder,
    async createOrder (order, { reference }) {
      return await findOrder(reference) ?? send(reference)
    },
    async updateOrder (externalId, changes) {
      const { street, isShipped } = read(await client.http.get('orders/' + externalId), 'street', 'isShipped')
      const names = Object.keys(changes)
      const wanted = changes.address.to.street
      const refused = names.filter(name => isShipped || name !== 'address')
      if (!isShipped && street !== wanted) {
        await client.http.json({ method: 'POST', path: 'orders/' + externalId + '/addresses', body: { wanted } })
      }
      return { notApplied: refused.map(what => ({ what, reason: 'the shop does not change it' })) }
    }
  }
}

function createOrderSource (client) {
  return {
    async listUnread () {
      const { items } = read(await client.http.get('events'), 'items')
      return items.map(({ id, order, at }) => ({ eventId: id, orderExternalId: order, occurredAt: at }))
    },
    acknowledge: async () => {},
    getOrder: async () => { throw new TransientError('not of interest here') }
  }
}

function createMarketplace ({ context: { kv, jobs }, http }) {
  return {
    listOffers: async () => ({ items: [] }),
    async updateOfferQuantity ({ externalId, quantity }) {
      if (await kv.get('open/' + externalId)) throw new WriteUnderWayError('the write before is open')
      await kv.set('open/' + externalId, true)
      const body = { externalId, quantity }
      const { command } = read(await http.json({ method: 'POST', path: 'commands', body }), 'command')
      await jobs.enqueue('recorded.command.check', { externalId, command }, { key: command, delayMs: 1_000 })
      return { applied: ['stock'], frozen: [] }
    },
    listOrderEvents: async () => ({ items: [] }),
    getOrder: async () => { throw new TransientError('not of interest here') }
  }
}

const checkCommand = {
  payload: { type: 'object', properties: { externalId: text, command: text }, required: ['externalId', 'command'] },
  async run ({ context: { kv, jobs }, http }, { id, payload: { externalId, command } }) {
    const { isDone } = read(await http.get('commands/' + command), 'isDone')
    if (isDone) await kv.delete('open/' + externalId)
    else await jobs.enqueue('recorded.command.check', { externalId, command }, { key: id, delayMs: 1_000 })
    return {}
  }
}

export default defineAdapter({
  config: { type: 'object', properties: { baseUrl: { ...text, title: 'Address' } }, required: ['baseUrl'] },
  credentials: {
    type: 'object',
    properties: { apiKey: { ...text, secret: true, title: 'Key' } },
    required: ['apiKey']
  },
  connect: context => ({
    context,
    http: context.http({
      baseUrl: context.config.baseUrl,
      headers: { 'x-api-key': context.credentials.apiKey }
    })
  }),
  account: async () => ({ id: '1', name: 'Recorded' }),
  capabilities: {
    ProductMaster: createProductMaster,
    OrderProcessorManager: createOrderProcessorManager,
    OrderSource: createOrderSource,
    Marketplace: createMarketplace
  },
  jobs: { 'recorded.command.check': checkCommand }
})
`

const get = (path: string, query: Record<string, string>, body: unknown): Exchange => ({
  request: { method: 'GET', path: `/api/${path}`, ...(Object.keys(query).length === 0 ? {} : { query }) },
  answer: { status: 200, body }
})
export const post = (id: number): Exchange => ({
  request: { method: 'POST', path: '/api/orders', body: { reference: 'linker-1' } },
  answer: { status: 201, body: { id } }
})
export const found = (...ids: number[]): Exchange =>
  get('orders', { reference: 'linker-1' }, { items: ids.map(id => ({ id })) })

const shopOrder = (id: number, street: string, isShipped: boolean): Exchange =>
  get(`orders/${id}`, {}, { street, isShipped })
const newAddress = (id: number): Exchange => ({
  request: { method: 'POST', path: `/api/orders/${id}/addresses`, body: { wanted: 'Polna 2' } },
  answer: { status: 201, body: { id: 8 } }
})
/** The calls of an update: of an order that is open, and of one that is shipped. */
export const openUpdate = [shopOrder(71, 'Prosta 1', false), newAddress(71), shopOrder(71, 'Polna 2', false)]
export const lateUpdate = [shopOrder(72, 'Prosta 1', true), newAddress(72)]

const command = (quantity: number, command: string): Exchange => ({
  request: { method: 'POST', path: '/api/commands', body: { externalId: '7', quantity } },
  answer: { status: 202, body: { command } }
})

/** An adapter that passes every check of level 3. */
export function recordedAdapter (): RecordedPackage {
  return {
    packageJson: {
      name: '@acme/adapter-recorded-v1',
      version: '1.0.0',
      type: 'module',
      keywords: ['linker-adapter'],
      engines: { linker: '^0.1.0' },
      exports: './index.js',
      files: ['index.js', 'linker.conformance.json', 'fixtures'],
      peerDependencies: { '@linker/sdk': '^0.1.0' },
      linker: {
        adapterKey: 'recorded.api.v1',
        platformType: 'recorded',
        displayName: 'Recorded',
        capabilities: ['ProductMaster', 'OrderProcessorManager', 'OrderSource', 'Marketplace'],
        permissions: { http: ['${config.baseUrl}'], jobs: ['recorded.command.check'] }
      }
    },
    settings: {
      config: { baseUrl: '{origin}/api' },
      credentials: { apiKey: 'recorded-api-key-0123456789' },
      fixtures: [
        { call: 'ProductMaster.listProducts', arguments: [{ limit: 2 }], recording: 'fixtures/products.json' },
        { call: 'OrderProcessorManager.createOrder', recording: 'fixtures/order.json', runs: 2 },
        { call: 'OrderSource.listUnread', recording: 'fixtures/events.json' },
        {
          call: 'Marketplace.updateOfferQuantity',
          arguments: [{ externalId: '7', quantity: 8, commandId: 'a' }],
          whileOpen: [{ externalId: '7', quantity: 2, commandId: 'b' }],
          recording: 'fixtures/quantities.json'
        },
        {
          call: 'OrderProcessorManager.updateOrder',
          arguments: ['71', orderChanges],
          recording: 'fixtures/update.json',
          runs: 2
        },
        {
          call: 'OrderProcessorManager.updateOrder',
          arguments: ['72', orderChanges],
          recording: 'fixtures/late-update.json'
        }
      ]
    },
    recordings: {
      'fixtures/products.json': {
        exchanges: [
          get('products', { limit: '2' }, {
            items: [{ id: 1, name: 'Mug' }, { id: 2, name: 'Lamp' }],
            next: 'position-2'
          }),
          get('products', { limit: '2', cursor: 'position-2' }, {
            items: [{ id: 3, name: 'Cup' }, { id: 4, name: 'Jar' }],
            next: 'position-4'
          }),
          get('products', { limit: '2', cursor: 'position-4' }, { items: [{ id: 5, name: 'Box' }] })
        ]
      },
      'fixtures/order.json': { exchanges: [found(), post(71), found(71)] },
      'fixtures/quantities.json': {
        exchanges: [
          command(8, 'c-8'),
          get('commands/c-8', {}, { isDone: false }),
          get('commands/c-8', {}, { isDone: true }),
          command(2, 'c-2')
        ]
      },
      'fixtures/update.json': { exchanges: openUpdate },
      'fixtures/late-update.json': { exchanges: lateUpdate.slice(0, 1) },
      'fixtures/events.json': {
        recordedAt: '2026-01-31T12:00:00Z',
        exchanges: [get('events', {}, { items: [{ id: 'event-1', order: '71', at: '2026-01-31T11:00:00Z' }] })]
      }
    },
    source
  }
}

export const filesOf = ({ recordings }: RecordedPackage): Record<string, string> =>
  Object.fromEntries(Object.entries(recordings).map(([file, recording]) => [file, JSON.stringify(recording)]))
