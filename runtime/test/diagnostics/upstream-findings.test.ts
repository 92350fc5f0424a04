import t from 'tap'
import type { Facts } from '../../src/diagnostics/facts.ts'
import { findProblems, verdictOf } from '../../src/diagnostics/findings.ts'
import type { Traffic as Shown } from '../../src/upstream/schemas.ts'
import { factsWith, findOne, freeTraffic, hoursAgo, jobId, minutesAgo, waitingJobs } from './well-facts.ts'

type Traffic = Omit<Partial<Shown>, 'breaker'> & { breaker?: Partial<Shown['breaker']> }
const traffic = ({ breaker, ...more }: Traffic, jobs: Partial<Facts['jobs']> = {}): Facts =>
  factsWith({ upstream: { ...freeTraffic, ...more, breaker: { ...freeTraffic.breaker, ...breaker } }, jobs })
const codesOf = (facts: Facts): string[] => findProblems(facts).map(({ code }) => code)
const slow = { ratePerSecond: 0.5, burst: 1 }
const fast = { ratePerSecond: 12.3456, burst: 20 }
const learnt = { ratePerSecond: 2.5, throttledAt: minutesAgo(4) }

t.test('a circuit breaker that is open: since when, how often, why, and when the next call comes', async t => {
  const breaker = {
    state: 'open',
    openedAt: minutesAgo(9),
    openUntil: minutesAgo(-2),
    openings: 3,
    failure: 'GET /stock answered 503'
  } as const
  const open = findOne(traffic({ breaker }))
  const probing = findOne(traffic({ breaker: { ...breaker, state: 'probing', openings: 1, failure: null } }))

  t.strictSame(open, {
    code: 'upstream-broken',
    severity: 'blocking',
    direction: 'both',
    title: 'The platform fails, so the hub does not call it',
    detail: `The platform of 'My shop' has failed since ${minutesAgo(9)}: its circuit breaker opened 3 times, and ` +
      `the next call may go out at ${minutesAgo(-2)}. The last failure: GET /stock answered 503.`,
    since: minutesAgo(9),
    evidence: { at: minutesAgo(9) },
    nextAction: 'The platform is down, or the address in the settings of the connection is wrong. The hub tries ' +
      'again by itself; `linker connections test "My shop"` tries at once, and the jobs go on if the platform works.'
  })
  t.match(probing.detail, /: its circuit breaker opened once, and the next call finds out whether it works\.$/)
  const waiting = [
    waitingJobs({ reason: 'circuit-breaker' }),
    waitingJobs({ reason: 'circuit-breaker', jobType: 'master.product.syncByExternalId', count: 1 }),
    waitingJobs({ reason: 'delay', count: 7 })
  ]
  t.match(findOne(traffic({ breaker }, { waiting })), {
    detail: / opened 3 times, 4 jobs wait, and the next call /,
    count: 4,
    evidence: { jobId }
  })
})

t.test('a pause that the platform asked for, with the jobs that wait for its end', async t => {
  const paused = { throttledUntil: minutesAgo(-2) }
  const wait = { reason: 'rate-limit', code: 'LNK_ADAPTER_RATE_LIMITED', detail: 'slow down' } as const
  const soon = waitingJobs({ ...wait, until: minutesAgo(-3) })
  const tomorrow = waitingJobs({ ...wait, until: hoursAgo(-24) })

  t.match(findOne(traffic(paused)), {
    code: 'upstream-throttled',
    severity: 'warning',
    direction: 'both',
    detail: `The platform of 'My shop' asked for a rest until ${minutesAgo(-2)}.`,
    nextAction: /`linker connections upstream reset "My shop"` ends it\.$/
  })
  t.match(findOne(traffic(paused, { waiting: [soon] })), {
    code: 'upstream-throttled',
    detail: /; 3 jobs wait for it\.$/,
    count: 3,
    evidence: { jobId }
  })
  t.strictSame(codesOf(traffic(paused, { waiting: [tomorrow] })), ['upstream-throttled', 'jobs-wait-rate-limit'])
  t.strictSame(codesOf(traffic({}, { waiting: [soon] })), ['jobs-wait-rate-limit'])
})

t.test('a platform that is away in an area, with its words and the jobs that wait for it', async t => {
  const rest = { since: minutesAgo(3), reason: 'maintenance page, 503', isAway: true }
  const { breaker } = freeTraffic
  const module = { name: 'module', learnt: null, throttledUntil: minutesAgo(-1), rest, breaker }
  const code = 'LNK_PLATFORM_UNAVAILABLE'
  const waiting = [waitingJobs({ reason: 'unavailable', code, detail: 'away', until: minutesAgo(-1) })]

  t.match(findOne(traffic({ areas: [module] }, { waiting })), {
    code: 'upstream-away',
    severity: 'warning',
    title: 'The platform is away: maintenance page, 503',
    detail: `Area 'module' of the platform of 'My shop' is away; the hub does not call it until ${
      minutesAgo(-1)
    }; 3 jobs wait for it. The reason: maintenance page, 503.`,
    since: minutesAgo(3),
    count: 3
  })
  t.match(findOne(traffic({ rest })), { detail: /until the next call finds that it works\. The reason: maintenance/ })
  t.match(
    findOne(traffic({ throttledUntil: minutesAgo(-2), rest: { ...rest, isAway: false, reason: 'answered 429' } })),
    {
      code: 'upstream-throttled',
      detail: `The platform of 'My shop' asked for a rest until ${minutesAgo(-2)}. The reason: answered 429.`
    }
  )
  t.match(
    findOne(traffic({
      areas: [{
        ...module,
        rest: null,
        throttledUntil: null,
        breaker: {
          state: 'open',
          openedAt: minutesAgo(1),
          openUntil: minutesAgo(0),
          openings: 1,
          failure: 'GET /x answered 500'
        }
      }]
    })),
    { code: 'upstream-broken', detail: /^Area 'module' of the platform of 'My shop' has failed since/ }
  )
})

t.test('a rate that the hub learnt, while it is the smallest', async t => {
  const budget = { declared: fast, own: null, learnt, effective: { ratePerSecond: 2.5, burst: 2 } }

  t.match(findOne(traffic({ budget })), {
    code: 'upstream-slowed',
    severity: 'warning',
    direction: 'both',
    detail: "The hub sends at most 2.5 requests per second to the platform of 'My shop', which asked it to slow " +
      `down, the last time at ${minutesAgo(4)}; the rate grows again while the platform does not ask.`,
    evidence: { at: minutesAgo(4) },
    nextAction: /`linker connections upstream limit "My shop" --rate <n> --burst <n>`.*upstream reset "My shop"`/
  })
  t.strictSame(
    codesOf(traffic({ budget: { ...budget, own: { ...slow, reason: null, by: null, since: null }, effective: slow } })),
    []
  )
})

t.test('jobs that wait for the budget: how many, until when, and who can raise it', async t => {
  const last = minutesAgo(-30)
  const wait = { reason: 'budget', oldestAt: minutesAgo(1), lastUntil: minutesAgo(-4) } as const
  const behind = (budget: Traffic['budget'], more: Partial<Facts['jobs']> = {}): Facts =>
    traffic({ budget }, { waiting: [waitingJobs({ ...wait, lastUntil: last })], ...more })
  const declared = { declared: fast, own: null, learnt: null, effective: fast }
  const author = { reason: null, by: null, since: null }
  const own = { ...declared, own: { ...slow, ...author }, effective: slow }

  t.strictSame(findOne(behind(declared)), {
    code: 'budget-behind',
    severity: 'warning',
    direction: 'out',
    title: 'Jobs wait for the budget of the connection',
    detail: `3 jobs wait for the budget of 'My shop', the last of them until ${last}: it may send 12.3 requests per ` +
      'second, as the adapter declares it.',
    since: minutesAgo(1),
    count: 3,
    evidence: { jobId, at: minutesAgo(1) },
    nextAction: 'Wait: the hub keeps to the quota of the platform. If the platform grants more, only another ' +
      'version of the adapter can use it; `linker connections upstream show "My shop"` shows the budgets.'
  })
  t.match(findOne(behind(own)), {
    detail: /: it may send 0\.5 requests per second, set by an operator\.$/,
    nextAction: 'Wait, or raise the budget: `linker connections upstream limit "My shop" --rate <n> --burst <n>`; ' +
      '`linker connections upstream unlimit "My shop"` removes it.'
  })
  const ada = { kind: 'token' as const, name: 'ada', tokenId: null }
  const known = { ...slow, reason: 'month end', by: ada, since: minutesAgo(9) }
  t.match(findOne(behind({ ...own, own: known })).detail, `second, set by ada at ${minutesAgo(9)}: month end.`)
  t.match(findOne(behind({ ...declared, own: { ...fast, ...author } })).detail, /as the adapter declares it\.$/)
  t.match(findOne(behind(freeTraffic.budget)), {
    detail: /: no budget is known now\.$/,
    nextAction: 'Wait; `linker connections upstream show "My shop"` shows the budgets.'
  })
  const learning = behind({ declared: null, own: null, learnt, effective: { ratePerSecond: 2.5, burst: 2 } })
  t.match(findProblems(learning), [
    { code: 'upstream-slowed' },
    { code: 'budget-behind', detail: /as the hub learnt it from the answers of the platform\.$/ }
  ])
  t.match(findOne(behind(own, { isWaitingCut: true })).detail, /^At least 3 jobs wait/)
})

t.test('jobs that wait for the budget only inform while all of them go on soon', async t => {
  const budget = { declared: fast, own: null, learnt: null, effective: fast }
  const wait = { reason: 'budget', oldestAt: minutesAgo(1), lastUntil: minutesAgo(-4) } as const
  const facts = traffic({ budget }, {
    waiting: [
      waitingJobs(wait),
      waitingJobs({ ...wait, jobType: 'master.product.syncByExternalId', count: 1, oldestAt: minutesAgo(4) })
    ]
  })
  const old = traffic({ budget }, { waiting: [waitingJobs({ ...wait, oldestAt: minutesAgo(5) })] })

  t.match(findOne(facts), { severity: 'info', direction: 'both', count: 4, since: minutesAgo(4) })
  t.match(verdictOf(facts, findProblems(facts)), /^Nothing is wrong/)
  t.match(findOne(old), { severity: 'warning' })
})

t.test('a disabled connection calls nobody', async t => {
  const upstream = { ...freeTraffic, throttledUntil: minutesAgo(-2) }
  t.strictSame(codesOf(factsWith({ connection: { status: 'disabled' }, upstream })), ['connection-disabled'])
})
