import t from 'tap'
import { endAfter, isOver } from '../../console/rules/tokens.ts'

const nowMs = Date.parse('2026-01-31T10:00:00.000Z')

t.test('a token ends after so many days, or never', async t => {
  t.equal(endAfter('90', nowMs), '2026-05-01T10:00:00.000Z')
  t.equal(endAfter('', nowMs), undefined)
})

t.test('a token is over from its end on', async t => {
  t.equal(isOver({ expiresAt: '2026-01-31T10:00:00.000Z' }, nowMs), true)
  t.equal(isOver({ expiresAt: '2026-01-31T10:00:00.001Z' }, nowMs), false)
  t.equal(isOver({ expiresAt: null }, nowMs), false)
})
