import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { buildTestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import { repository } from '../support/project.ts'

const apiKey = 'made-up-key-0123456789-abcdef'
const lamp = { id: 27, title: 'Lamp', active: true, price: '119.99' }

t.test('the smallest adapter connects a shop, and the hub reads its product', async t => {
  const server = createServer(({ url, headers }, response) => {
    const isKnown = headers['x-api-key'] === apiKey
    response.statusCode = isKnown ? 200 : 401
    response.end(JSON.stringify(url === '/articles/27' ? lamp : {}))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const hub = await buildTestHub(t, {
    mode: cheapestMode(process.env),
    config: { adapters: [{ path: join(repository, 'examples/minimal-adapter') }] }
  })
  const connect = (key: string) =>
    hub.call('POST', '/connections', {
      body: { name: key, platformType: 'feedshop', config: { baseUrl }, credentials: { apiKey: key } }
    })
  const test = async (id: string): Promise<unknown> => (await hub.call('POST', `/connections/${id}/test`)).json

  const [{ id }, { id: refused }] = [
    (await connect(apiKey)).json as { id: string },
    (await connect('another-key')).json as { id: string }
  ]

  t.match(await test(id), { success: true, message: 'the key is valid' })
  t.match(await test(refused), { success: false, status: 401 })
  const { json } = await hub.call('POST', '/jobs', {
    body: { jobType: 'master.product.syncByExternalId', connectionId: id, payload: { externalId: '27' } }
  })
  t.match(await hub.endOf((json as { jobId: string }).jobId), { status: 'succeeded', adapter: 'feedshop.api.v1@0.1.0' })
  t.match((await hub.call('GET', '/products')).json, [{ name: 'Lamp' }])
})
