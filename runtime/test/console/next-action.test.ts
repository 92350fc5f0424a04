import t from 'tap'
import { nextStepOf } from '../../console/rules/next-action.ts'

const id = '0b5e8f7a-3f0c-4c3e-9d0a-5a1f7d6c2e11'

function callOf (command: string): unknown {
  const step = nextStepOf({ sentence: '', command })
  return step.kind === 'call' ? [step.label, `${step.call.method} ${step.call.path}`, step.call.body] : step
}

t.test('a command that changes something becomes the same request', async t => {
  const expected = [
    [`jobs retry ${id}`, ['Retry the job', `POST /jobs/${id}/retry`, null]],
    [`orders retry ${id}`, ['Retry the order', `POST /orders/${id}/retry`, null]],
    [`offers refresh ${id}`, ['Read the offer again', `POST /offers/${id}/refresh`, null]],
    [`offers limit ${id} --buffer 0`, ['Remove the buffer', `PATCH /offers/${id}`, { buffer: 0 }]],
    [`offers limit ${id} --max-listed none`, ['Remove the limit', `PATCH /offers/${id}`, { maxListed: null }]],
    [`stock reconcile --connection ${id}`, ['Compare now', 'POST /stock/reconcile', { connectionId: id }]],
    [`connections enable ${id}`, ['Enable the connection', `PATCH /connections/${id}/enable`, null]],
    [`connections test ${id}`, ['Test the connection', `POST /connections/${id}/test`, null]],
    [`connections resume ${id}`, ['Resume', `POST /connections/${id}/resume`, null]],
    [
      `connections resume ${id} --capability OfferManager`,
      ['Resume', `POST /connections/${id}/resume`, { capabilities: ['OfferManager'] }]
    ]
  ] as const
  for (const [command, call] of expected) t.strictSame(callOf(`linker ${command}`), call, command)
})

t.test('a command that only shows something becomes a link to its page', async t => {
  const expected = [
    [`jobs show ${id}`, 'Open the job', `/console/jobs/${id}`],
    [`orders show ${id}`, 'Open the order', `/console/orders/${id}`],
    [`connections diagnose ${id}`, 'Open the connection', `/console/connections/${id}`],
    [`connections upstream show ${id}`, 'Open the connection', `/console/connections/${id}`],
    [`stock reconcile --connection ${id} --dry-run`, 'Compare the stock', `/console/stock?compare=${id}`],
    ['adapters', 'Open the adapters', '/console/adapters']
  ] as const
  for (const [command, label, href] of expected) {
    t.strictSame(nextStepOf({ sentence: '', command: `linker ${command}` }), { kind: 'look', label, href }, command)
  }
})

t.test('a command with words to fill in opens a dialog, and nothing to do offers nothing', async t => {
  const link = `linker offers link --marketplace ${id} --shop SHOP --product PRODUCT --offer A1`
  const resume = `linker connections resume ${id} --capability CAPABILITY`

  t.strictSame(nextStepOf({ sentence: '', command: link }), { kind: 'link' })
  t.strictSame(nextStepOf({ sentence: '', command: `linker offers limit ${id} --buffer BUFFER` }), { kind: 'limit' })
  t.strictSame(nextStepOf({ sentence: '', command: resume }), { kind: 'none' })
  t.strictSame(nextStepOf({ sentence: '', command: null }), { kind: 'none' })
})

t.test('the request that the hub names comes before the command', async t => {
  const call = { method: 'DELETE', path: `/offers/${id}`, body: null } as const

  t.strictSame(nextStepOf({ sentence: '', command: null, call }), { kind: 'call', label: 'Unlink the offer', call })
})
