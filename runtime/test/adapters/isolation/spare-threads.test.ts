import type { HostServices } from '@linker/sdk/host'
import t from 'tap'
import type { ThreadData } from '../../../src/adapters/isolation/protocol.ts'
import { createSpareThreads } from '../../../src/adapters/isolation/spare-threads.ts'

const services = new Proxy({}, { get: () => () => undefined }) as HostServices

const dataOf = (version: string): ThreadData => ({
  adapter: `zoomisbehaves.api.v1@${version}`,
  entry: new URL('../../../../test/fixtures/zoo/misbehaves/index.js', import.meta.url).href,
  manifest: {
    adapterKey: 'zoomisbehaves.api.v1',
    platformType: 'zoomisbehaves',
    displayName: 'Misbehaves',
    capabilities: ['InventoryMaster']
  },
  platformSettings: {},
  outboundAllow: []
})

t.test('a spare thread serves the next start with the same data, and loads the adapter then', async t => {
  const threads = createSpareThreads()
  threads.prepare()
  const first = threads.start(dataOf('1.0.0'), services)
  threads.prepare()
  threads.prepare()
  const second = threads.start(dataOf('1.0.0'), services)
  t.teardown(() => Promise.all([first.end('closed'), second.end('closed'), threads.close()]))

  t.not(second, first)
  t.match(await second.functions.load(), { value: { description: { hasInit: false } } })
})

t.test('a spare thread for other data ends, and a new one starts', async t => {
  const threads = createSpareThreads()
  const first = threads.start(dataOf('1.0.0'), services)
  threads.prepare()
  const other = threads.start(dataOf('1.1.0'), services)
  t.teardown(() => Promise.all([first.end('closed'), other.end('closed'), threads.close()]))

  t.not(other, first)
  t.match(await other.functions.load(), { value: { description: {} } })
})
