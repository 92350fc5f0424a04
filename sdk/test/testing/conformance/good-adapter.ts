import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const sdk = fileURLToPath(new URL('../../../', import.meta.url))
const typebox = fileURLToPath(new URL('../../../../node_modules/@sinclair', import.meta.url))
const zoo = fileURLToPath(new URL('../../../../test/fixtures/zoo', import.meta.url))

/** The content of a conforming package, in three parts that a test can spoil. */
export interface AdapterPackage {
  packageJson: Record<string, unknown>
  settings: Record<string, unknown>
  source: string
}

/** How it declares that its platform signs. */
export const declaredProof = `verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'base64',
      signature: { header: 'x-good-signature' },
      signed: ['body']
    },`

const source = `import { defineAdapter, TransientError } from '@linker/sdk'

const text = { type: 'string', minLength: 1 }
const credentials = {
  type: 'object',
  properties: { apiKey: { ...text, secret: true, title: 'API key' } }, required: ['apiKey'],
  additionalProperties: false
}
const config = {
  type: 'object',
  properties: { baseUrl: { ...text, title: 'Address', pattern: '^https?://' } },
  required: ['baseUrl']
}

function read (answer, ...members) {
  const isRead = typeof answer === 'object' && answer !== null && members.every(member => member in answer)
  if (!isRead) throw new TransientError('the platform answered in an unknown form')
  return answer
}

const toProduct = ({ id, name }) => ({
  externalId: String(id),
  name: String(name),
  isActive: true,
  variants: [{ externalId: String(id) }]
})

async function readProduct (client, externalId) {
  const answer = await client.json({ method: 'GET', path: 'products/' + encodeURIComponent(externalId) })
  return toProduct(read(answer, 'id', 'name'))
}

function createProductMaster (client) {
  return {
    async getProduct (externalId) { return readProduct(client, externalId) },
    async listProducts ({ cursor, limit }) {
      const request = { method: 'GET', path: 'products', query: { cursor, limit } }
      const { items, next } = read(await client.json(request), 'items')
      return { items: items.map(toProduct), ...(typeof next === 'string' ? { nextCursor: next } : {}) }
    }
  }
}

function createOrderSource (client) {
  return {
    async listUnread ({ limit }) {
      const { events } = read(await client.json({ method: 'GET', path: 'events', query: { limit } }), 'events')
      return events.map(({ id, order, time }) => ({ eventId: id, orderExternalId: order, occurredAt: time }))
    },
    async acknowledge (events) {
      const ids = events.map(({ eventId }) => eventId)
      read(await client.json({ method: 'POST', path: 'events/read', body: { ids } }))
    },
    async getOrder (externalId) {
      const answer = await client.json({ method: 'GET', path: 'orders/' + encodeURIComponent(externalId) })
      return read(answer, 'externalId', 'lines')
    }
  }
}

const refresh = {
  payload: { type: 'object', properties: { externalId: text }, required: ['externalId'] },
  run: async (client, { payload }) => ({ products: [await createProductMaster(client).getProduct(payload.externalId)] })
}

const authorise = {
  method: 'POST',
  path: '/authorisations',
  auth: 'admin',
  schema: {
    body: {
      type: 'object',
      properties: { connectionName: text, connectionId: text, apiKey: { ...text, secret: true } },
      required: ['connectionName', 'apiKey']
    },
    response: {
      200: {
        type: 'object',
        properties: { authorizationUrl: text, state: text },
        required: ['authorizationUrl', 'state']
      }
    }
  },
  async handler ({ body }, { flows }) {
    const state = await flows.begin(body, { ttlSeconds: 600 })
    return { body: { authorizationUrl: 'https://good.example/consent?state=' + state, state } }
  }
}

const authorised = {
  method: 'GET',
  path: '/authorised',
  auth: 'public',
  async handler ({ query }, { flows, connections }) {
    const create = ({ baseUrl, apiKey }) => {
      const connection = { name: baseUrl, config: { baseUrl }, credentials: { apiKey } }
      return connections.create(connection, { key: baseUrl })
    }
    return { body: await flows.complete(query.state, create) }
  }
}

function connect ({ http, config, credentials }) {
  return http({ baseUrl: config.baseUrl, headers: { 'x-api-key': credentials.apiKey } })
}

export default defineAdapter({
  config,
  credentials,
  connect: context => connect(context),
  test: async client => {
    read(await client.json({ method: 'GET', path: 'me' }), 'name')
    return { message: 'the key is valid' }
  },
  account: async client => {
    const { id, name } = read(await client.json({ method: 'GET', path: 'shop' }), 'id', 'name')
    return { id: String(id), name }
  },
  capabilities: { ProductMaster: createProductMaster, OrderSource: createOrderSource },
  init () {},
  checkConfig: () => [],
  routes: [authorised, authorise],
  authorisation: { path: '/authorisations' },
  webhooks: {
    ${declaredProof}
    source: {
      topic: { header: 'x-good-topic' },
      eventTypes: { 'product/update': 'product.saved', 'cart/update': null },
      externalId: { body: '/id' }
    },
    challenges: [{
      method: 'GET',
      when: [{ query: 'crc_token' }],
      answer: {
        json: { response: { hmac: { of: { query: 'crc_token' }, algorithm: 'sha256', encoding: 'hex' } } },
        headers: { 'x-answer': { text: 'yes' } }
      }
    }]
  },
  jobs: { 'good.product.refresh': refresh }
})
`

/** A small adapter to which every check applies, and which passes them all. */
export function goodAdapter (): AdapterPackage {
  return {
    packageJson: {
      name: '@acme/adapter-good-v1',
      version: '1.0.0',
      type: 'module',
      keywords: ['linker-adapter'],
      engines: { linker: '^0.1.0' },
      exports: './index.js',
      files: ['index.js', 'linker.conformance.json'],
      peerDependencies: { '@linker/sdk': '^0.1.0' },
      linker: {
        adapterKey: 'good.api.v1',
        platformType: 'good',
        displayName: 'Good',
        capabilities: ['ProductMaster', 'OrderSource'],
        permissions: { http: ['${config.baseUrl}'], jobs: ['good.*'], routes: true, connections: true }
      }
    },
    settings: {
      deliveries: [{
        secret: 'webhook-secret-of-the-good-shop',
        headers: {
          'content-type': 'application/json',
          'x-good-topic': 'product/update',
          'x-good-signature': 'jDwZXhD91eITyRZqqZrzBM29uWCAKTVbeLPnidV+hZE='
        },
        body: '{"id":27}',
        at: '2026-01-31T12:00:00Z',
        events: [{ topic: 'product/update', eventType: 'product.saved', externalId: '27' }]
      }],
      challenges: [{
        method: 'GET',
        query: 'crc_token=token-27',
        secret: 'webhook-secret-of-the-good-shop',
        answer: {
          body: '{ "response": "88c6f68ca8b934ee866e77f2621d0b287d6c11e5f220cc2cd0d407d8089773d5" }',
          headers: { 'X-Answer': 'yes' }
        }
      }],
      config: { baseUrl: '{origin}/api' },
      credentials: { apiKey: 'good-api-key-0123456789-abcdef' },
      accounts: [{ id: 7, name: 'Good' }, { id: 8, name: 'Better' }],
      arguments: { 'good.product.refresh': [{ externalId: '27' }] }
    },
    source
  }
}

/**
 * Writes the package and `extra` files to a folder of its own, with `@linker/sdk` and TypeBox
 * installed.
 */
export async function writeAdapter (
  { packageJson, settings, source: code }: AdapterPackage,
  extra: Readonly<Record<string, string>> = {}
): Promise<{ directory: string, remove(): Promise<void> }> {
  const { directory, remove } = await makeFolder()
  const files = {
    'package.json': JSON.stringify(packageJson),
    'linker.conformance.json': JSON.stringify(settings),
    'index.js': code,
    ...extra
  }
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(directory, name, '..'), { recursive: true })
    await writeFile(join(directory, name), content)
  }
  return { directory, remove }
}

/** Copies one of the bad adapters from the hub's tests. */
export async function copyOfZoo (name: string): Promise<{ directory: string, remove(): Promise<void> }> {
  const folder = await makeFolder()
  await cp(join(zoo, name), folder.directory, { recursive: true })
  return folder
}

// Put the package below the installed SDK, as in a project: anything in its own node_modules is
// then a bundled copy.
async function makeFolder (): Promise<{ directory: string, remove(): Promise<void> }> {
  const project = await mkdtemp(join(tmpdir(), 'linker-conformance-'))
  const directory = join(project, 'adapter')
  await mkdir(join(project, 'node_modules', '@linker'), { recursive: true })
  await mkdir(directory)
  await symlink(sdk, join(project, 'node_modules', '@linker', 'sdk'))
  await symlink(typebox, join(project, 'node_modules', '@sinclair'))
  return { directory, remove: () => rm(project, { recursive: true, force: true }) }
}
