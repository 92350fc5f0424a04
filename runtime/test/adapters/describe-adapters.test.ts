import t from 'tap'
import { describeAdapters } from '../../src/adapters/describe-adapters.ts'
import { fakeAdapter } from '../connections/support.ts'

t.test('each adapter is a line with its state, and the reasons stand below', async t => {
  const adapter = fakeAdapter({ capabilities: ['InventoryMaster', 'OfferManager'] })
  const warned = { ...fakeAdapter({ version: '2.0.0' }), warning: 'made for another contract' }
  const lines = describeAdapters([
    { packageName: 'feed', isRequired: false, found: adapter, adapter },
    { packageName: 'feed-2', isRequired: false, found: warned, adapter: warned },
    {
      packageName: 'gone',
      isRequired: true,
      problem: { state: 'failed', code: 'LNK_ADAPTER_NOT_INSTALLED', message: 'a\u001b[2J\nforged line' }
    }
  ]).split('\n')

  t.strictSame(lines.map(line => line.split(/ {2,}/)), [
    ['ADAPTER', 'VERSION', 'STATE', 'LEVEL', 'CAPABILITIES', 'PACKAGE'],
    ['feed.api.v1', '1.0.0', 'ready', '-', 'InventoryMaster, OfferManager', 'feed'],
    ['feed.api.v1', '2.0.0', 'ready', '-', 'feed-2'],
    ['-', '-', 'failed', '-', 'gone'],
    ['made for another contract'],
    ['LNK_ADAPTER_NOT_INSTALLED: a\\u001b[2J\\nforged line']
  ])
})

t.test('the level that its author reports stands beside an adapter, and below when nobody knows it', async t => {
  const adapter = fakeAdapter()
  const record = { packageName: 'feed', isRequired: false, found: adapter, adapter }
  const lines = describeAdapters([
    { ...record, tested: { level: 2, suite: '0.1.0', exempt: [] } },
    { ...record, tested: { level: null, suite: null, exempt: [], reason: 'index.js has changed since the test' } }
  ]).split('\n')

  t.match(lines, [
    /LEVEL/,
    /ready +2 /,
    /ready +\? /,
    'nobody knows the level of feed.api.v1@1.0.0: index.js has changed since the test'
  ])
})

t.test('a deprecated adapter serves, and the words of its author stand below', async t => {
  const adapter = fakeAdapter({ deprecated: 'use feed-v2' })
  const lines = describeAdapters([{ packageName: 'feed', isRequired: false, found: adapter, adapter }]).split('\n')

  t.match(lines, [/./, /ready/, 'feed.api.v1@1.0.0 is deprecated: use feed-v2'])
})

t.test('a project without adapters is told how to add one', async t => {
  t.match(describeAdapters([]), 'linker add')
})
