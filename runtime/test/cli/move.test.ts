import t from 'tap'
import { describeChanges, describeMove, nameOf, needsConfirmation } from '../../src/cli/move.ts'
import type { Move } from '../../src/connections/moves/schemas.ts'

const nothing: Move['changes'] = {
  config: [],
  capabilities: { lost: [], gained: [] },
  permissions: { grown: [], dropped: [] },
  migrations: [],
  events: []
}

t.test('each change is a line, and a secret is not shown', async t => {
  const lines = describeChanges({
    changes: {
      config: [{ pointer: '/shop', from: 'a' }, { pointer: '/list', from: [1], to: [1, 2] }, {
        pointer: '/key',
        isSecret: true
      }],
      capabilities: { lost: ['OrderSource'], gained: ['OfferManager'] },
      permissions: { grown: ['start jobs on a schedule'], dropped: ['answer requests at routes of its own'] },
      migrations: [
        { from: '1.0.0', to: '2.0.0', direction: 'up', isReversible: false },
        { from: '1.0.0', to: '2.0.0', direction: 'down', isReversible: true }
      ],
      events: [
        { eventType: 'price.changed', to: 'feed.price.sync' },
        { eventType: 'stock.moved', from: 'feed.stock.sync' },
        { eventType: 'stock.set', from: 'feed.stock.sync', to: 'feed.stock.read' }
      ]
    },
    warnings: []
  })

  t.strictSame(lines.map(line => line.trim().replace(/ {2,}/, ' ')), [
    'migrates 1.0.0 → 2.0.0, irreversible',
    'migrates 2.0.0 → 1.0.0',
    'config /shop: "a" → (absent)',
    'config /list: [1] → [1,2]',
    'config /key: (secret)',
    'loses OrderSource',
    'gains OfferManager',
    'may now start jobs on a schedule',
    'no longer answer requests at routes of its own',
    'event price.changed: (ignored) → feed.price.sync',
    'event stock.moved: feed.stock.sync → (ignored)',
    'event stock.set: feed.stock.sync → feed.stock.read'
  ])
})

t.test('what has to be confirmed stands among the changes and not among the warnings, too', async t => {
  const warningOf = (code: string) => ({ pointer: '/x', code, message: code })
  const codes = ['capability-lost', 'permission-grown', 'one-way', 'newer-major']
  const lines = describeChanges({ changes: nothing, warnings: codes.map(warningOf) })

  t.strictSame(lines.map(line => line.trim().split(/ +/).at(-1)), ['newer-major'])
  t.strictSame(codes.map(code => needsConfirmation({ warnings: [warningOf(code)] })), [true, true, true, false])
})

t.test('a dry run is called one, and a move says when no event type changes', async t => {
  const side = { adapterKey: 'feed.api.v1', adapterVersion: '1.0.0', version: '1.0.0' }
  const move: Move = { from: side, to: { ...side, version: '1.1.0' }, changes: nothing, warnings: [], applied: false }
  const events = [{ eventType: 'price.changed', to: 'feed.price.sync' }]

  t.strictSame(describeMove(move).split('\n'), [
    'feed.api.v1@1.0.0 → feed.api.v1@1.1.0  (dry run: nothing was changed)',
    '  events: no change'
  ])
  t.strictSame(describeMove({ ...move, changes: { ...nothing, events }, applied: true }).split('\n'), [
    'feed.api.v1@1.0.0 → feed.api.v1@1.1.0',
    '  event     price.changed: (ignored) → feed.price.sync'
  ])
})

t.test('a version that is not installed is named as it was wanted', async t => {
  const side = { adapterKey: 'feed.api.v1', adapterVersion: '^1.0.0', version: '1.2.0' }

  t.equal(nameOf(side), 'feed.api.v1@1.2.0')
  t.equal(nameOf({ ...side, version: null }), 'feed.api.v1@^1.0.0 (not installed)')
  t.equal(nameOf({ ...side, version: null, adapterVersion: null }), 'feed.api.v1@latest (not installed)')
})
