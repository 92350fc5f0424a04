import t from 'tap'
import { noWorkerItems } from '../../../src/attention/items/process-items.ts'

const nowMs = Date.parse('2026-11-26T12:00:00.000Z')

t.test('a hub whose jobs run has no item', async t => {
  t.strictSame(noWorkerItems(undefined, nowMs), [])
})

t.test('the item says since when nothing runs jobs, if that is known, and what to do', async t => {
  const [known] = noWorkerItems({ since: '2026-11-26T11:54:00.000Z' }, nowMs)
  const [unknown] = noWorkerItems({ since: null }, nowMs)

  t.match(known, {
    key: 'no-worker',
    severity: 'error',
    since: '2026-11-26T11:54:00.000Z',
    detail: /^No process with the role `worker` or `all` has been alive for 6 minutes, .*`linker start --role worker`/,
    target: '/system'
  })
  t.match(unknown, { key: 'no-worker', since: null, detail: /^No process with the role `worker` or `all` is alive, / })
})
