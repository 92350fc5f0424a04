import t from 'tap'
import { summaryOfJob } from '../../console/rules/sent-jobs.ts'

const job = { payload: {}, result: null, problem: null, waitsFor: null, coalescedInto: null }

t.test('a job is told by why it failed, what it waits for, or what it wrote', async t => {
  const problem = { code: 'LNK_ADAPTER_REJECTED', message: 'no such offer' }

  t.equal(summaryOfJob({ ...job, problem, waitsFor: { detail: 'rest' } }), 'LNK_ADAPTER_REJECTED: no such offer')
  t.equal(summaryOfJob({ ...job, waitsFor: { detail: 'it asked for rest' } }), 'it asked for rest')
  t.equal(summaryOfJob({ ...job, coalescedInto: '3c9d1b7e-55aa' }), 'a newer job did it: 3c9d1b7e')
  t.equal(summaryOfJob({ ...job, result: { quantity: 3 } }), 'quantity 3')
  t.equal(summaryOfJob({ ...job, result: { before: 8, quantity: 3, applied: ['stock'], frozen: [] } }), '8 → 3')
  t.equal(summaryOfJob({ ...job, result: { applied: ['price'], frozen: ['title'] } }), 'wrote price; frozen: title')
  t.equal(summaryOfJob({ ...job, result: { found: { differs: ['price'] } } }), 'differs there: price')
  t.equal(summaryOfJob({ ...job, result: { found: { differs: [] } } }), 'nothing differs there')
  t.equal(summaryOfJob({ ...job, result: { skipped: 'frozen' } }), 'nothing to do: frozen')
  t.equal(summaryOfJob({ ...job, result: 'done' }), '')
})
