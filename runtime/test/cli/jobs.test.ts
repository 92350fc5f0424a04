import t from 'tap'
import { formatGroups, reasonOf } from '../../src/cli/jobs.ts'

const group = {
  connectionId: null,
  jobType: 'state.sync',
  code: 'LNK_ADAPTER_TRANSIENT',
  count: 3,
  firstAt: '2026-01-31T11:00:00.000Z',
  lastAt: '2026-01-31T12:00:00.000Z',
  sampleJobId: '123e4567-e89b-12d3-a456-426614174000'
}

t.test('a group of waiting jobs tells that the reason is the one of its sample', async t => {
  const text = formatGroups('waiting', { groups: [{ ...group, reason: 'retry' }], atMost: false }, new Map())

  t.match(text, /SAMPLE WAITS FOR/)
  t.match(text, /retry: LNK_ADAPTER_TRANSIENT/)
})

t.test('a group of dead jobs has the code of all of them', async t => {
  const text = formatGroups('dead', { groups: [{ ...group, reason: null }], atMost: true }, new Map())

  t.match(text, /CODE +FIRST/)
  t.match(text, /There are more jobs than were counted/)
})

t.test('the reason of a job that waits says until when', async t => {
  const [until, problem] = ['2026-01-31T12:00:00.000Z', null]
  const waiting = (waitsFor: object) =>
    reasonOf({ waitsFor: { reason: 'retry', detail: 'no answer', ...waitsFor }, problem })

  t.equal(waiting({ until }), `retry: no answer; until ${until}`)
  t.equal(waiting({}), 'retry: no answer')
  t.equal(waiting({ until, detail: `closed until ${until}` }), `retry: closed until ${until}`, 'once is enough')
})
