import t from 'tap'
import { blocksMove, changesInWords, needsAgreement, otherWarnings, pinText } from '../../console/rules/moves.ts'

const side = { adapterKey: 'a', adapterVersion: '1.0.0', version: '1.0.0' }
const warning = (code: string) => ({ pointer: '', code, message: code })
const move = {
  from: side,
  to: side,
  changes: {
    config: [],
    capabilities: { lost: ['ProductMaster'], gained: ['OrderSource'] },
    permissions: { grown: ['start jobs'], dropped: ['call hosts'] },
    migrations: [{ from: '1.0.0', to: '2.0.0', direction: 'up' as const, isReversible: false }],
    events: [{ eventType: 'order.created', from: 'order.sync' }, { eventType: 'price.changed', to: 'price.sync' }]
  },
  warnings: [warning('capability-lost'), warning('newer-major')],
  applied: false
}

t.test('a move that loses something needs an agreement', async t => {
  t.equal(needsAgreement(move), true)
  t.equal(needsAgreement({ warnings: [warning('newer-major')] }), false)
  t.type(blocksMove(move, false), 'string')
  t.equal(blocksMove(move, true), undefined)
  t.equal(blocksMove(undefined, false), undefined, 'the plan is not there yet')
  t.strictSame(otherWarnings(move), [warning('newer-major')])
})

t.test('each change of a move is one sentence', async t => {
  t.strictSame(changesInWords(move), [
    'Migrates the config from 1.0.0 to 2.0.0, which cannot be undone.',
    'Loses the capability ProductMaster.',
    'Gains the capability OrderSource.',
    'May now start jobs.',
    'May no longer call hosts.',
    'Webhooks of the type order.created are ignored, and start order.sync now.',
    'Webhooks of the type price.changed start price.sync, and are ignored now.'
  ])
  t.equal(pinText({ adapterKey: 'a', adapterVersion: null }), 'a@latest')
})
