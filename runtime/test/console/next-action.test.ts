import t from 'tap'
import { nextStepOf, type ApiCall } from '../../console/rules/next-action.ts'

const id = '0b5e8f7a-3f0c-4c3e-9d0a-5a1f7d6c2e11'
const none = { command: null, call: null }

t.test('a request that changes something becomes a button', async t => {
  const expected:
    readonly (readonly [method: ApiCall['method'], path: string, body: ApiCall['body'], label: string])[] = [
      ['POST', `/jobs/${id}/retry`, null, 'Retry the job'],
      ['POST', `/orders/${id}/retry`, null, 'Retry the order'],
      ['POST', `/offers/${id}/refresh`, null, 'Read the offer again'],
      ['DELETE', `/offers/${id}`, null, 'Unlink the offer'],
      ['PATCH', `/offers/${id}`, { buffer: 0 }, 'Remove the buffer'],
      ['PATCH', `/offers/${id}`, { maxListed: null }, 'Remove the limit'],
      ['POST', '/stock/reconcile', { connectionId: id }, 'Compare now'],
      ['PATCH', `/connections/${id}/enable`, null, 'Enable the connection'],
      ['POST', `/connections/${id}/test`, null, 'Test the connection'],
      ['POST', `/connections/${id}/resume`, null, 'Resume'],
      ['POST', `/connections/${id}/resume`, { capabilities: ['OfferManager'] }, 'Resume']
    ]
  for (const [method, path, body, label] of expected) {
    const call = { method, path, body }
    t.strictSame(nextStepOf({ command: null, call }), { kind: 'call', label, call }, `${method} ${path}`)
  }
})

t.test('a request that only shows something becomes a link to its page', async t => {
  const expected = [
    [`/jobs/${id}`, 'Open the job', `/console/jobs/${id}`],
    [`/orders/${id}`, 'Open the order', `/console/orders/${id}`],
    [`/connections/${id}/diagnostics`, 'Open the connection', `/console/connections/${id}`],
    [`/connections/${id}/upstream`, 'Open the connection', `/console/connections/${id}`]
  ] as const
  for (const [path, label, href] of expected) {
    t.strictSame(nextStepOf({ command: null, call: { method: 'GET', path, body: null } }), {
      kind: 'look',
      label,
      href
    })
  }
  const dryRun = { method: 'POST', path: '/stock/reconcile', body: { connectionId: id, dryRun: true } } as const
  const compare = { kind: 'look', label: 'Compare the stock', href: `/console/stock?compare=${id}` }
  t.strictSame(nextStepOf({ command: null, call: dryRun }), compare)
})

t.test('a command without a request opens a dialog or a page, and nothing to do offers nothing', async t => {
  const link = `linker offers link --marketplace ${id} --shop SHOP --product PRODUCT --offer A1`
  const resume = `linker connections resume ${id} --capability CAPABILITY`
  const adapters = { kind: 'look', label: 'Open the adapters', href: '/console/adapters' }

  t.strictSame(nextStepOf({ ...none, command: link }), { kind: 'link' })
  t.strictSame(nextStepOf({ ...none, command: `linker offers limit ${id} --buffer BUFFER` }), { kind: 'limit' })
  t.strictSame(nextStepOf({ ...none, command: 'linker adapters' }), adapters)
  t.strictSame(nextStepOf({ ...none, command: resume }), { kind: 'none' })
  t.strictSame(nextStepOf(none), { kind: 'none' })
})
