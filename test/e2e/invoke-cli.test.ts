import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { refused } from '../support/command.ts'
import { runLinker } from '../support/hub-process.ts'
import { buildTestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import type { ForeignPackage } from '../support/project.ts'

const name = '@acme/adapter-pantry-v1'
const apiKey = 'the-key-of-the-pantry'

/** Reads and writes one stock, and keeps the last quantity that it wrote. */
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
          const { accessToken } = await http({ baseUrl }).json({ method: 'POST', path: 'token' })
          return { ...stored, accessToken, expiresAt: '2999-01-01T00:00:00Z' }
        }
        const token = rejected => oauth.accessToken(refresh, { rejected })
        return http({ baseUrl, retries: 0, auth: { type: 'bearer', token } })
      },
      account: async () => undefined,
      capabilities: {
        InventoryMaster: (client, { kv, cursor }) => ({
          async getStock (externalId) {
            cursor.set('read', externalId)
            const { quantity } = await client.get('stock/' + externalId)
            return [{ productExternalId: externalId, variantExternalId: externalId, quantity }]
          },
          listStock: async () => ({ items: [] }),
          async setStock (change) {
            await kv.set('written', change.quantity)
            const before = await client.get('stock/' + change.variantExternalId)
            await client.request({ method: 'PUT', path: 'stock/' + change.variantExternalId, body: change })
            return { before, written: await kv.get('written') }
          }
        })
      }
    })`
}

/** A platform with one stock. `writes` are the bodies of its PUT requests. */
async function startPantry (t: Test): Promise<{ baseUrl: string, writes: string[], tokens: () => number }> {
  const writes: string[] = []
  let tokens = 0
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    if (request.method === 'PUT') writes.push(body)
    if (request.url === '/token') {
      tokens += 1
      response.end(JSON.stringify({ accessToken: `token-${tokens}` }))
    } else response.writeHead(request.url === '/stock/27' ? 200 : 404).end('{"quantity":5}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, writes, tokens: () => tokens }
}

for (const isolation of ['inline', 'worker'] as const) {
  t.test(`linker invoke, ${isolation}`, async t => {
    const { baseUrl, writes, tokens } = await startPantry(t)
    const config = { adapters: [{ use: name, isolation }] }
    const hub = await buildTestHub(t, { mode: cheapestMode(process.env), packages: [pantry], config })
    const created = await hub.call('POST', '/connections', {
      body: { name: 'Pantry', platformType: 'pantry', config: { baseUrl }, credentials: { apiKey } }
    })
    const { id } = created.json as { id: string }
    const linker = (...args: string[]) =>
      runLinker(
        ['invoke', ...args, '--connection', 'Pantry', '--url', hub.url, '--token', hub.keys.admin],
        hub.directory
      )
    const change = JSON.stringify({ productExternalId: '27', variantExternalId: '27', quantity: 3, by: apiKey })

    t.test('a dry run renews an expired token, and the hub keeps the new one', async t => {
      const dry = await linker('InventoryMaster.getStock', '27', '--dry-run')
      const again = await linker('InventoryMaster.getStock', '27')

      t.match([dry, again], [{ code: 0, stdout: /"quantity": 5/ }, { code: 0, stdout: /"quantity": 5/ }])
      t.equal(tokens(), 1)
    })

    t.test('shows what a method returns, and its requests', async t => {
      const shown = await linker('InventoryMaster.getStock', '27')
      const json = await linker('InventoryMaster.getStock', '27', '--json')

      t.match(shown, {
        code: 0,
        stdout:
          /^InventoryMaster\.getStock of pantry\.api\.v1@1\.0\.0, \d+ ms\n.*"quantity": 5.*\nGET +\/stock\/27 +200/s
      })
      t.match(JSON.parse(json.stdout), {
        success: true,
        value: [{ variantExternalId: '27', quantity: 5 }],
        requests: [{ method: 'GET', path: '/stock/27', status: 200, sent: true }]
      })
    })

    t.test('shows a failure, and exits with 1', async t => {
      const failed = await linker('InventoryMaster.getStock', '28')

      t.match(failed, { code: 1, stdout: /It failed with LNK_ADAPTER_NOT_FOUND: .*\nGET +\/stock\/28 +404/s })
    })

    t.test('a dry run changes nothing at the platform and in the hub', async t => {
      const kept = () =>
        hub.database().query('select 1 from connection_values union all select 1 from connection_cursors')
      await hub.database().query('delete from connection_cursors')
      const written = await linker('InventoryMaster.setStock', change, '--dry-run')
      const read = await linker('InventoryMaster.getStock', '27', '--dry-run')

      t.match(written, {
        code: 0,
        stdout: /It ended at a request.*\nGET +\/stock\/27 +200.*\nPUT +\/stock\/27 +not sent/s
      })
      t.match(
        written.stdout,
        /Not sent, because this is a dry run: PUT \/stock\/27\n\{.*"quantity":3,"by":"\[redacted\]"\}/
      )
      t.match(read, {
        code: 0,
        stdout: /Not stored, because this is a dry run:\n\{\n {2}"cursors": \{\n {4}"read": "27"/
      })
      t.strictSame([writes, await kept()], [[], []])
      t.notOk(hub.log.some(line => line.includes('"method":"PUT"')))
    })

    t.test('without a dry run the method does its work, and the audit says so', async t => {
      const invocations = async (): Promise<number> => {
        const { json } = await hub.call('GET', `/audit?connectionId=${id}`)
        return (json as { action: string }[]).filter(({ action }) => action === 'POST /connections/:id/invoke').length
      }
      const before = await invocations()
      const { code } = await linker('InventoryMaster.setStock', change)
      const kept = await hub.database().query('select value::text from connection_values')

      t.equal(code, 0)
      t.match(writes, [/"quantity":3/])
      t.strictSame(kept, [{ value: '3' }])
      t.equal(await invocations(), before + 1)
    })

    t.test('a wrong method, argument or connection is refused', async t => {
      const bare = await linker('getStock', '27')
      const unknown = await linker('InventoryMaster.getStocks', '27')
      const notJson = await linker('InventoryMaster.setStock', '{quantity:3}')
      const disabled = await hub.call('PATCH', `/connections/${id}/disable`, { body: { reason: 'closed' } })
      const asked = await linker('InventoryMaster.getStock', '27')

      refused(t, bare, /'getStock' names no method/)
      refused(t, unknown, /400 LNK_REQUEST_INVALID: .*It has getStock, listStock, setStock/)
      refused(t, notJson, /argument 1 is not JSON/)
      t.equal(disabled.status, 200)
      refused(t, asked, /400 LNK_CONNECTION_DISABLED/)
    })
  })
}
