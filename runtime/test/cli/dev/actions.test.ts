import t from 'tap'
import type { LoadedAdapter } from '../../../src/adapters/load.ts'
import { openActions, splitWords } from '../../../src/cli/dev/actions.ts'
import type { HubClient } from '../../../src/cli/hub-client.ts'
import { fakeAdapter } from '../../connections/support.ts'

t.test('arguments are split at spaces, and JSON stays whole', async t => {
  t.strictSame(splitWords('27'), ['27'])
  t.strictSame(splitWords('  one {"limit": 10}  [1, 2] "a b" '), ['one', '{"limit": 10}', '[1, 2]', '"a b"'])
  t.strictSame(splitWords(''), [])
})

const connection = {
  id: 'the-id',
  name: 'dev',
  adapterKey: 'feed.api.v1',
  adapterVersion: 'latest',
  platformType: 'feed',
  status: 'active',
  statusReason: null,
  config: {}
}

function openKeys ({ adapter = fakeAdapter(), connections = [connection] }: {
  adapter?: LoadedAdapter | undefined,
  connections?: object[]
} = {}) {
  const said: string[] = []
  const calls: unknown[] = []
  const hub: HubClient = {
    url: 'http://127.0.0.1:1',
    async call (method, path, body) {
      calls.push({ method, path, body })
      if (path === '/adapters') {
        const { manifest: { adapterKey }, version } = fakeAdapter()
        return [{ adapterKey, version, state: 'ready', supportedCapabilities: ['ProductMaster'], usedBy: 1 }]
      }
      return { success: true, adapter: 'feed.api.v1@1.0.0', latencyMs: 3, value: { name: 'Mug' }, requests: [] }
    },
    list: async () => connections
  }
  const keys = openActions({
    hub,
    adapter: () => adapter,
    webhookSecret: () => 'secret',
    runSuite: async () => undefined,
    say: text => {
      said.push(text)
    },
    quit: () => {
      said.push('quit')
    }
  })
  const press = (name: string, ...answers: string[]): Promise<void> | undefined =>
    keys[name]?.run(async (_question, offer) => answers.shift() ?? offer)
  return { press, said, calls, keys }
}

t.test('`c` calls the method that was typed, and offers one that only reads', async t => {
  const described = { capabilities: { ProductMaster: null } }
  const { press, said, calls } = openKeys({ adapter: fakeAdapter({ described }) })
  await press('c', 'ProductMaster.getProduct', '27')
  await press('c')

  const path = '/connections/the-id/invoke'
  const repeated = { capability: 'ProductMaster', method: 'getProduct', args: ['27'], dryRun: false }
  t.strictSame(calls, [{ method: 'POST', path, body: repeated }, { method: 'POST', path, body: repeated }])
  t.match(said[0], /"name": "Mug"/)

  const fresh = openKeys({ adapter: fakeAdapter({ described }) })
  await fresh.press('c')
  t.match(fresh.calls, [{ body: { method: 'listProducts', args: [{ limit: 10 }] } }])
})

t.test('`s` shows the adapters and the connections', async t => {
  const { press, said } = openKeys()
  await press('s')

  t.match(said[0], /feed\.api\.v1 +1\.0\.0 +ready +ProductMaster +1/)
  t.match(said[0], /dev +feed\.api\.v1@latest +active +the-id/)
})

t.test('keys that need a connection or webhooks say what is missing', async t => {
  await t.rejects(Promise.resolve(openKeys({ connections: [] }).press('c')), { message: /no connection/ })
  await t.rejects(Promise.resolve(openKeys().press('w')), { message: /takes no webhooks/ })
})

t.test('`q` quits', async t => {
  const { press, said } = openKeys()
  await press('q')

  t.strictSame(said, ['quit'])
})
