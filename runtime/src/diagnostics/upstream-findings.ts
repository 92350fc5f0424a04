import { describeAuthor, describeRate } from '../upstream/describe.ts'
import type { Traffic } from '../upstream/schemas.ts'
import { argumentOf, countOf, endSentence } from '../words.ts'
import { directionOfAll } from './directions.ts'
import { ageOf, type Facts, type WaitingFact } from './facts.ts'
import type { Finding } from './schemas.ts'

/** A wait for so long is more than the usual spread of the requests. */
const patienceMs = 300_000

/** Finds why the hub calls the platform slowly, or not at all. */
export function findUpstreamProblems (facts: Facts): Finding[] {
  const { connection, upstream } = facts
  // A disabled connection calls nobody, so what held before says nothing.
  if (upstream === null || connection.status === 'disabled') return []
  return [
    ...[upstream, ...upstream.areas].flatMap(part => [...findBroken(facts, part), ...findResting(facts, part)]),
    ...findSlowed(facts, upstream),
    ...findBehind(facts, upstream)
  ]
}

/** Whether jobs wait for a rest of the platform or of an area, which is a finding of its own. */
export function isPausedByPlatform ({ upstream }: Facts, { reason, until }: WaitingFact): boolean {
  if (upstream === null || (reason !== 'rate-limit' && reason !== 'unavailable') || until === undefined) return false
  // Jobs come again one after the other. A wait for much longer has another cause.
  return [upstream, ...upstream.areas].some(({ throttledUntil }) =>
    throttledUntil !== null && Date.parse(until) - Date.parse(throttledUntil) < patienceMs
  )
}

/** The whole platform of a connection, or an area of it. */
type Part = Pick<Traffic, 'throttledUntil' | 'rest' | 'breaker'> & { name?: string }

/** Begins a sentence: `The platform of 'shop'`, `Area 'module' of the platform of 'shop'`. */
function nameOfPart ({ connection }: Facts, { name }: Part): string {
  return name === undefined
    ? `The platform of '${connection.name}'`
    : `Area '${name}' of the platform of '${connection.name}'`
}

function findBroken (facts: Facts, part: Part): Finding[] {
  const { state, openedAt, openUntil, openings, failure } = part.breaker
  if (state === 'closed' || openedAt === null) return []
  const waits = sumOf(facts.jobs.waiting.filter(({ reason }) => reason === 'circuit-breaker'))
  const often = openings === 1 ? 'once' : `${openings} times`
  const next = state === 'open' && openUntil !== null
    ? `the next call may go out at ${openUntil}`
    : 'the next call finds out whether it works'
  const jobs = waits === undefined ? '' : `, ${describeCount(waits)}`
  const last = failure === null ? '' : ` The last failure: ${failure}`
  return [{
    code: 'upstream-broken',
    severity: 'blocking',
    direction: 'both',
    title: 'The platform fails, so the hub does not call it',
    detail: endSentence(`${nameOfPart(facts, part)} has failed since ${openedAt}: its circuit breaker ` +
      `opened ${often}${jobs}, and ${next}.${last}`),
    since: openedAt,
    ...membersOf(waits, openedAt),
    nextAction:
      'The platform is down, or the address in the settings of the connection is wrong. The hub tries again ' +
      `by itself; \`linker connections test ${argumentOf(facts.connection)}\` tries at once, and the jobs go on if ` +
      'the platform works.'
  }]
}

function findResting (facts: Facts, part: Part): Finding[] {
  const { throttledUntil, rest } = part
  const isAway = rest?.isAway === true
  if (throttledUntil === null && !isAway) return []
  const waits = sumOf(facts.jobs.waiting.filter(group => isPausedByPlatform(facts, group)))
  const jobs = waits === undefined ? '' : `; ${describeCount(waits)} for it`
  const until = throttledUntil === null ? 'until the next call finds that it works' : `until ${throttledUntil}`
  const why = rest === null ? '' : ` The reason: ${rest.reason}`
  const cause = isAway
    ? { code: 'upstream-away', title: `The platform is away: ${rest.reason}` }
    : { code: 'upstream-throttled', title: 'The platform asked for a rest' }
  const does = isAway ? 'is away; the hub does not call it' : 'asked for a rest'
  return [{
    ...cause,
    severity: 'warning',
    direction: 'both',
    detail: endSentence(`${nameOfPart(facts, part)} ${does} ${until}${jobs}.${why}`),
    ...(rest === null ? {} : { since: rest.since }),
    ...membersOf(waits),
    nextAction: 'Wait for the end of the rest: the hub then tries one call. If the platform works again before, ' +
      `\`linker connections upstream reset ${argumentOf(facts.connection)}\` ends it.`
  }]
}

function findSlowed ({ connection }: Facts, { budget }: Traffic): Finding[] {
  const { learnt } = budget
  if (learnt === null || holderOf(budget) !== 'learnt') return []
  const { ratePerSecond, throttledAt } = learnt
  return [{
    code: 'upstream-slowed',
    severity: 'warning',
    direction: 'both',
    title: 'The hub calls the platform more slowly',
    detail:
      `The hub sends at most ${describeRate(ratePerSecond)} to the platform of '${connection.name}', which asked ` +
      `it to slow down, the last time at ${throttledAt}; the rate grows again while the platform does not ask.`,
    evidence: { at: throttledAt },
    nextAction: 'If it happens again and again, set a budget that the platform accepts: ' +
      `${limitCommand(connection)}; \`linker connections upstream reset ${argumentOf(connection)}\` forgets the rate.`
  }]
}

function findBehind (facts: Facts, { budget }: Traffic): Finding[] {
  const groups = facts.jobs.waiting.filter(({ reason }) => reason === 'budget')
  const waits = sumOf(groups)
  if (waits === undefined) return []
  const { oldestAt, lastUntil } = waits
  const isLate = ageOf(facts, oldestAt) >= patienceMs ||
    (lastUntil !== undefined && -ageOf(facts, lastUntil) >= patienceMs)
  const isCut = facts.jobs.isWaitingCut ? 'At least ' : ''
  const last = lastUntil === undefined ? '' : `, the last of them until ${lastUntil}`
  return [{
    code: 'budget-behind',
    severity: isLate ? 'warning' : 'info',
    direction: directionOfAll(groups.map(({ jobType }) => jobType)),
    title: 'Jobs wait for the budget of the connection',
    detail:
      endSentence(`${isCut}${describeCount(waits)} for the budget of '${facts.connection.name}'${last}: ${
        describeHolder(budget)
      }`),
    since: oldestAt,
    ...membersOf(waits, oldestAt),
    nextAction: raise(facts.connection, budget)
  }]
}

type Holder = 'declared' | 'own' | 'learnt'

/** The budget that holds: the slowest. Of equal ones, the one that is hardest to raise. */
function holderOf ({ declared, own, learnt, effective }: Traffic['budget']): Holder | undefined {
  if (effective === null) return undefined
  const budgets = { declared, own, learnt }
  const holders = ['declared', 'own', 'learnt'] as const
  return holders.find(holder => budgets[holder]?.ratePerSecond === effective.ratePerSecond)
}

function describeSource (holder: Holder, { own }: Traffic['budget']): string {
  if (holder === 'own' && own !== null) return `set by ${describeAuthor(own)}`
  return holder === 'declared'
    ? 'as the adapter declares it'
    : 'as the hub learnt it from the answers of the platform'
}

function describeHolder (budget: Traffic['budget']): string {
  const holder = holderOf(budget)
  // Somebody else may have removed the budget since, or the process does not know the adapter.
  if (budget.effective === null || holder === undefined) return 'no budget is known now'
  return `it may send ${describeRate(budget.effective.ratePerSecond)}, ${describeSource(holder, budget)}`
}

function raise (connection: Facts['connection'], budget: Traffic['budget']): string {
  const name = argumentOf(connection)
  switch (holderOf(budget)) {
    case 'own':
      return `Wait, or raise the budget: ${limitCommand(connection)}; ` +
        `\`linker connections upstream unlimit ${name}\` removes it.`
    case 'declared':
      return 'Wait: the hub keeps to the quota of the platform. If the platform grants more, only another version of ' +
        `the adapter can use it; \`linker connections upstream show ${name}\` shows the budgets.`
    case 'learnt':
      return `Wait: the rate grows by itself; \`linker connections upstream reset ${name}\` forgets it.`
    case undefined:
      return `Wait; \`linker connections upstream show ${name}\` shows the budgets.`
  }
}

function limitCommand (connection: Facts['connection']): string {
  return `\`linker connections upstream limit ${argumentOf(connection)} --rate <n> --burst <n>\``
}

interface Sum {
  count: number
  oldestAt: string
  sampleJobId: string
  lastUntil: string | undefined
}

/** Adds up groups of waiting jobs; undefined when there is none. */
function sumOf (groups: readonly WaitingFact[]): Sum | undefined {
  const [oldest] = groups.toSorted((a, b) => a.oldestAt < b.oldestAt ? -1 : 1)
  if (oldest === undefined) return undefined
  const ends = groups.flatMap(({ lastUntil }) => lastUntil === undefined ? [] : [lastUntil])
  return {
    count: groups.reduce((sum, { count }) => sum + count, 0),
    oldestAt: oldest.oldestAt,
    sampleJobId: oldest.sampleJobId,
    lastUntil: ends.toSorted().at(-1)
  }
}

function describeCount ({ count }: Sum): string {
  return `${countOf(count, 'job')} ${count === 1 ? 'waits' : 'wait'}`
}

/** The count of a finding, and where to look it up. */
function membersOf (waits: Sum | undefined, at?: string): Pick<Finding, 'count' | 'evidence'> {
  const evidence = {
    ...(waits === undefined ? {} : { jobId: waits.sampleJobId }),
    ...(at === undefined ? {} : { at })
  }
  return {
    ...(waits === undefined ? {} : { count: waits.count }),
    ...(Object.keys(evidence).length === 0 ? {} : { evidence })
  }
}
