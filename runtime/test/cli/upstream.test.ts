import t from 'tap'
import { describeUpstream } from '../../src/cli/upstream.ts'
import type { UpstreamView } from '../../src/connections/upstream/schemas.ts'

const at = '2026-10-03T12:00:00.000Z'
const closed = { state: 'closed' as const, openedAt: null, openUntil: null, openings: 0, failure: null }
const open = { state: 'open' as const, openedAt: at, openUntil: at, openings: 1, failure: 'GET /me answered 500' }
const nothing = { declared: null, own: null, learnt: null, effective: null }

/** The lines of a view by their names. */
function linesOf (view: Partial<UpstreamView>): Record<string, string> {
  const text = describeUpstream({
    connectionId: 'c',
    budget: nothing,
    throttledUntil: null,
    rest: null,
    breaker: closed,
    areas: [],
    ...view
  })
  return Object.fromEntries(text.split('\n').map(line => {
    const [, name = '', value = ''] = /^(\S+(?: \S+)*) {2,}(.*)$/.exec(line) ?? []
    return [name, value]
  }))
}

t.test('without a budget and trouble, the hub sends without a limit', t => {
  t.strictSame(linesOf({}), {
    now: 'the hub sends without a limit',
    limit: 'none: the hub sends as fast as the jobs need',
    'by the adapter': 'none',
    'by an operator': 'none',
    learnt: 'none',
    breaker: 'closed'
  })
  t.end()
})

t.test('the budgets are shown with the one that holds, and why a rate was learnt', t => {
  const budget = {
    declared: { ratePerSecond: 10, burst: 20 },
    own: {
      ratePerSecond: 1,
      burst: 20,
      reason: 'month\u001B[31m end',
      by: { kind: 'token' as const, name: 'ada', tokenId: null },
      since: at
    },
    learnt: { ratePerSecond: 0.781_25, throttledAt: at },
    effective: { ratePerSecond: 0.781_25, burst: 1 }
  }

  t.match(linesOf({ budget }), {
    now: 'the hub sends within the limit',
    limit: '0.781 requests per second, at most 1 at once',
    'by the adapter': '10 requests per second, at most 20 at once',
    'by an operator': `1 request per second, at most 20 at once, set by ada at ${at}: month\\u001b[31m end`,
    learnt: `0.781 requests per second, because the platform answered 429 at ${at}`
  })
  t.end()
})

t.test('what stops the traffic comes first, with its end', t => {
  t.equal(
    linesOf({ throttledUntil: at }).now,
    `the hub sends nothing until ${at}, because the platform asked for it`
  )
  t.match(linesOf({ breaker: open, throttledUntil: at }), {
    now: `the hub sends nothing until ${at}, because the platform failed`,
    breaker: `open, first opened at ${at}: GET /me answered 500`
  })
  t.match(linesOf({ breaker: { ...open, state: 'probing', openings: 3, failure: 'GET /\u001B[31m failed' } }), {
    now: 'the next call finds out whether the platform works again',
    breaker: `probing, first opened at ${at}, opened 3 times: GET /\\u001b[31m failed`
  })
  t.end()
})
