import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { refused } from '../support/command.ts'
import { runLinker } from '../support/hub-process.ts'
import { buildTestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import type { ForeignPackage } from '../support/project.ts'

const name = '@acme/adapter-pantry-v1'
const apiKey = 'the-key-of-the-pantry'

/** Lists its stock in pages of two, and sets it. Its platform hands out tokens. */
const pantry: ForeignPackage = {
  manifest: {
    name,
    version: '1.0.0',
    engines: { linker: '^0.1.0' },
    linker: {
      adapterKey: 'pantry.api.v1',
      platformType: 'pantry',
      displayName: 'Pantry',
      capabilities: ['InventoryMaster'],
      permissions: { http: ['${config.baseUrl}'] }
    }
  },
  source: `
    import { defineAdapter } from '@linker/sdk'
    export default defineAdapter({
      config: { type: 'object', properties: { baseUrl: { type: 'string' } } },
      credentials: {
        type: 'object',
        properties: {
          apiKey: { type: 'string', secret: true },
          accessToken: { type: 'string', secret: true },
          expiresAt: { type: 'string' }
        }
      },
      connect ({ http, config, credentials, oauth }) {
        const baseUrl = config.baseUrl
        const refresh = async stored => {
          const body = new URLSearchParams({ client_secret: credentials.apiKey })
          const { data } = await http({ baseUrl }).json({ method: 'POST', path: 'token', body })
          return { ...stored, accessToken: data.sid, expiresAt: '2999-01-01T00:00:00Z' }
        }
        const token = rejected => oauth.accessToken(refresh, { rejected })
        return http({ baseUrl, retries: 0, auth: { type: 'bearer', token } })
      },
      account: async () => undefined,
      capabilities: {
        InventoryMaster: client => ({
          getStock: async id => [await client.get('stock/' + id)],
          async listStock ({ cursor, limit }) {
            const { items, next } = await client.get('stock', { query: { limit, cursor } })
            return { items, ...(next === undefined ? {} : { nextCursor: next }) }
          },
          async setStock (change) {
            await client.request({ method: 'PUT', path: 'stock/' + change.variantExternalId, body: change })
          }
        })
      }
    })`
}

async function startPantry (t: Test): Promise<{ baseUrl: string, writes: string[] }> {
  const writes: string[] = []
  let tokens = 0
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    if (request.method === 'PUT') writes.push(body)
    if (request.url === '/token') return response.end(JSON.stringify({ data: { sid: `token-number-${++tokens}` } }))
    if (request.url === '/stock/404') return response.writeHead(404).end()
    const { searchParams } = new URL(request.url ?? '', 'http://pantry.test')
    const level = { productExternalId: '1', variantExternalId: '1', quantity: 5 }
    const seller = { email: 'seller@pantry.test', echo: [apiKey, request.headers.authorization] }
    response.end(JSON.stringify(searchParams.has('limit')
      ? { items: [level], seller, ...(searchParams.has('cursor') ? {} : { next: 'page-2' }) }
      : { ...level, seller }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, writes }
}

for (const isolation of ['inline', 'worker'] as const) {
  t.test(`linker record, ${isolation}`, async t => {
    const { baseUrl, writes } = await startPantry(t)
    const config = { adapters: [{ use: name, isolation }] }
    const hub = await buildTestHub(t, { mode: cheapestMode(process.env), packages: [pantry], config })
    await hub.call('POST', '/connections', {
      body: { name: 'Pantry', platformType: 'pantry', config: { baseUrl }, credentials: { apiKey } }
    })
    const folder = join(t.testdir(), 'fixtures')
    const linker = (...args: string[]) =>
      runLinker(
        ['record', ...args, '--connection', 'Pantry', '--to', folder, '--url', hub.url, '--token', hub.keys.admin],
        hub.directory
      )
    const read = async (method: string) => readFile(join(folder, `InventoryMaster.${method}.json`), 'utf8')

    t.test('the pages of a listing are in one file, with the renewal of the token and without a secret', async t => {
      const { code, stdout } = await linker('InventoryMaster.listStock', '{"limit":2}', '--pages', '5')
      const text = await read('listStock')

      t.equal(code, 0)
      t.match(
        stdout,
        /InventoryMaster\.listStock\.json: 3 requests\. Read the file .*"call": "InventoryMaster\.listStock"/s
      )
      t.match(JSON.parse(text), {
        recordedAt: /^\d{4}-/,
        exchanges: [
          {
            request: { method: 'POST', path: '/token', form: { client_secret: '[redacted]' } },
            answer: { status: 200, body: { data: { sid: '[redacted]' } } }
          },
          {
            request: { method: 'GET', path: '/stock', query: { limit: '2' } },
            answer: {
              body: {
                items: [{ variantExternalId: '1', quantity: 5 }],
                seller: { email: 'person1@example.com', echo: ['[redacted]', 'Bearer [redacted]'] },
                next: 'page-2'
              }
            }
          },
          { request: { query: { limit: '2', cursor: 'page-2' } }, answer: { status: 200 } }
        ]
      })
      t.notMatch(text, /the-key-of|token-number|pantry\.test|authorization/)
    })

    t.test('an existing file is kept, unless it is to be replaced', async t => {
      refused(t, await linker('InventoryMaster.listStock', '{"limit":2}'), /listStock\.json is there already/)
      t.match(await linker('InventoryMaster.listStock', '{"limit":2}', '--replace'), {
        code: 0,
        stdout: /: 1 request\./
      })
    })

    t.test('a method that writes is called only when that is allowed', async t => {
      const change = '{"productExternalId":"1","variantExternalId":"1","quantity":3}'
      refused(t, await linker('InventoryMaster.setStock', change), /InventoryMaster\.setStock writes to the platform/)
      t.strictSame(writes, [])
      const { code, stdout } = await linker('InventoryMaster.setStock', change, '--allow-writes', '--twice')

      t.equal(code, 0)
      t.match(stdout, /2 requests.*"runs": 2/s)
      t.equal(writes.length, 2)
      t.match(JSON.parse(await read('setStock')).exchanges, [{ request: { method: 'PUT', body: { quantity: 3 } } }, {}])
    })

    t.test('a call that fails leaves no file behind', async t => {
      refused(t, await linker('InventoryMaster.getStock', '404'), /the call failed, .*: LNK_ADAPTER_NOT_FOUND/)
      t.notOk(existsSync(join(folder, 'InventoryMaster.getStock.json')))
    })
  })
}
