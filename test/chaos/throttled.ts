import type { RequestBudget } from '@linker/sdk'
import { setTimeout as wait } from 'node:timers/promises'
import { percentilesOf } from '../bench/report/figures.ts'
import type { Mode } from '../support/modes.ts'
import {
  anyVersion,
  jobTypes,
  openThrottledLine,
  postJob,
  versions,
  type Sending,
  type StoredJob,
  type ThrottledLine
} from './throttled-line.ts'
import { busyAccount, secondsOf, type Arrival, type Mood, type Spell } from './throttled-market.ts'
import { runOthers } from './throttled-others.ts'
import { findFullest, type FullestWindow } from './throttled-record.ts'

export interface ThrottledOptions {
  mode: Mode
  environment: NodeJS.ProcessEnv
  /** Jobs of the connection to the marketplace that fails. */
  jobs: number
  sending: Sending
  spells: readonly Spell[]
}

export interface ThrottledCounts {
  jobs: number
  seconds: number
  requests: number
  /** Requests that were sent by the first and by the second adapter version. */
  byFirst: number
  bySecond: number
  answered429: number
  answered500: number
  unanswered: number
  succeeded: number
  dead: number
  /** By how many requests the fullest window of the marketplace's log exceeds the budget. */
  excess: number
  /** How many more requests would have fitted into that window. */
  room: number
  breakerOpened: number
  breakerClosed: number
  /** Attempts that jobs used up beyond the answers 500 and the silence that they met. */
  attemptsLost: number
  /** Jobs of the other connections. */
  others: number
  /** From before the request to the API until the first request at the marketplace. */
  p50StartDelayMs: number
  p99StartDelayMs: number
}

/** The reasons why a run is broken; none when it proves what it should. */
export function findBroken (counts: ThrottledCounts): string[] {
  const limits = {
    excess: counts.excess === 0,
    dead: counts.dead === 0,
    succeeded: counts.succeeded === counts.jobs,
    attemptsLost: counts.attemptsLost === 0,
    breakerOpened: counts.breakerOpened > 0,
    breakerClosed: counts.breakerClosed > 0,
    versions: counts.byFirst > 0 && counts.bySecond > 0,
    p99StartDelayMs: counts.others > 0 && counts.p99StartDelayMs <= longestStartDelayMs
  }
  return Object.entries(limits).flatMap(([name, isKept]) => isKept ? [] : [name])
}

export interface ThrottledResult {
  counts: ThrottledCounts
  explanations: string[]
}

const longestStartDelayMs = 2_000
const lookEveryMs = 500
const postsAtOnce = 8
const mostShown = 5
/** One job in so many sends three requests. */
const threefold = 10
/** The connection accepts the second version once the first one has sent so many requests. */
const moveAfter = 10
/** The longest time until both versions have sent something. It only guards against hanging. */
const moveMs = 300_000
/** After the faults, the hub takes about a minute to send at its full rate again. */
const patienceMs = 2_400_000

/**
 * Lets many jobs of a connection wait while its marketplace answers 429 and 500, or not at all, and
 * lets other connections work beside it. In the end every job must have succeeded, and the log of
 * the marketplace must keep the budget.
 */
export async function sendToThrottled (options: ThrottledOptions): Promise<ThrottledResult> {
  const { mode, environment, jobs, sending, spells } = options
  const { budget } = sending
  const line = await openThrottledLine(mode, environment, sending)
  try {
    const id = await line.connect(busyAccount)
    await postPaused(line, id, jobs)
    const others = await runOthers(line)
    const startedAt = performance.now()
    line.market.begin(spells)
    await demand(line, `/connections/${id}/resume`)
    const postedLater = await moveUnderWay(line, id)
    await waitForEnd(line, id, spells)
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    const delays = await others.end()
    const log = line.log().filter(text => text.includes(id))
    const { jobs: stored, hasBreaker } = await line.end(id)
    const arrivals = line.market.arrivals(busyAccount)
    const percentiles = percentilesOf(delays)
    const counts: ThrottledCounts = {
      jobs: jobs + postedLater,
      seconds,
      ...countAnswers(arrivals),
      ...countEnds(stored, arrivals),
      ...compareWithBudget(arrivals, budget),
      breakerOpened: count(log, text => text.includes('the circuit breaker opens')),
      breakerClosed: hasBreaker ? 0 : count(log, text => text.includes('the circuit breaker closes')),
      others: delays.length,
      p50StartDelayMs: Math.round(percentiles.p50),
      p99StartDelayMs: Math.round(percentiles.p99)
    }
    return { counts, explanations: explain(counts, stored, arrivals, budget) }
  } catch (error) {
    const last = line.log().filter(text => !text.includes('"msg":"upstream call"')).slice(-10)
    throw new Error(`the hub logged last:\n${last.join('\n')}`, { cause: error })
  } finally {
    await line.close()
  }
}

/** Starts all jobs while the connection is paused, so that they are due together. */
async function postPaused (line: ThrottledLine, connectionId: string, jobs: number): Promise<void> {
  await demand(line, `/connections/${connectionId}/pause`)
  const numbers = Array.from({ length: jobs }, (_, index) => index).values()
  await Promise.all(Array.from({ length: postsAtOnce }, async () => {
    for (const number of numbers) {
      const jobType = jobTypes[number % threefold === 0 ? 3 : 1]
      await postJob(line.call, { connectionId, jobType, name: String(number) })
    }
  }))
}

/**
 * Lets the connection accept both adapter versions while its jobs run. Starts further jobs, and
 * returns how many, until the second version has sent something: on a busy machine the first one
 * may finish all jobs before the other worker knows of the move.
 */
async function moveUnderWay (line: ThrottledLine, connectionId: string): Promise<number> {
  const sent = (): readonly Arrival[] => line.market.arrivals(busyAccount)
  const latest = performance.now() + moveMs
  const look = async (): Promise<void> => {
    if (performance.now() > latest) throw new Error(`the versions sent too little within ${moveMs} ms`)
    await wait(lookEveryMs)
  }
  while (sent().length < moveAfter) await look()
  await demand(line, `/connections/${connectionId}/adapter`, { adapterVersion: anyVersion, test: false })
  let posted = 0
  while (!sent().some(({ version }) => version === versions[1])) {
    await postJob(line.call, { connectionId, jobType: jobTypes[1], name: `later-${posted}` })
    posted += 1
    await look()
  }
  return posted
}

async function demand ({ call }: ThrottledLine, path: string, body?: object): Promise<void> {
  const { status, text } = await call('POST', path, body === undefined ? {} : { body })
  if (status !== 200) throw new Error(`POST ${path} answered ${status}: ${text}`)
}

async function waitForEnd ({ call }: ThrottledLine, connectionId: string, spells: readonly Spell[]): Promise<void> {
  const latest = performance.now() + secondsOf(spells) * 1_000 + patienceMs
  const isLive = async (status: string): Promise<boolean> => {
    const { json, text } = await call('GET', `/jobs?connectionId=${connectionId}&status=${status}&limit=1`)
    if (!Array.isArray(json)) throw new Error(text)
    return json.length > 0
  }
  // A job may change its status between two looks.
  for (let quiet = 0; quiet < 2;) {
    if (performance.now() > latest) throw new Error(`jobs have not ended within ${patienceMs} ms after the faults`)
    const live = await Promise.all(['queued', 'running', 'waiting'].map(isLive))
    quiet = live.includes(true) ? 0 : quiet + 1
    await wait(lookEveryMs)
  }
}

function count<Item> (items: readonly Item[], isCounted: (item: Item) => boolean): number {
  return items.filter(isCounted).length
}

function countAnswers (arrivals: readonly Arrival[]) {
  const inMood = (...moods: Mood[]): number => count(arrivals, ({ mood }) => moods.includes(mood))
  return {
    requests: arrivals.length,
    byFirst: count(arrivals, ({ version }) => version === versions[0]),
    bySecond: count(arrivals, ({ version }) => version === versions[1]),
    answered429: inMood('asks for a pause', 'throttles'),
    answered500: inMood('fails'),
    unanswered: inMood('silent')
  }
}

function countEnds (stored: readonly StoredJob[], arrivals: readonly Arrival[]) {
  const failed = faultsOf(arrivals)
  return {
    succeeded: count(stored, ({ outcome }) => outcome === 'succeeded'),
    dead: count(stored, ({ outcome }) => outcome === 'dead'),
    attemptsLost: stored.reduce((sum, { name, failures }) => sum + Math.max(0, failures - (failed.get(name) ?? 0)), 0)
  }
}

/** How often the marketplace failed each job: each time may use up one attempt. */
function faultsOf (arrivals: readonly Arrival[]): Map<string, number> {
  const faults = arrivals.filter(({ mood }) => mood === 'fails' || mood === 'silent')
  return new Map([...Map.groupBy(faults, ({ job }) => job)].map(([job, ofJob]) => [job, ofJob.length]))
}

const fullestOf = (arrivals: readonly Arrival[], budget: RequestBudget): FullestWindow | undefined =>
  findFullest(arrivals.map(({ atMs }) => atMs), budget)

function compareWithBudget (arrivals: readonly Arrival[], budget: RequestBudget) {
  const { excess = 0 } = fullestOf(arrivals, budget) ?? {}
  return { excess: Math.max(0, excess), room: Math.max(0, -excess) }
}

function explain (
  counts: ThrottledCounts,
  stored: readonly StoredJob[],
  arrivals: readonly Arrival[],
  budget: RequestBudget
): string[] {
  const faults = faultsOf(arrivals)
  const wrong = stored.filter(({ name, outcome, failures }) =>
    outcome !== 'succeeded' || failures > (faults.get(name) ?? 0)
  )
  return [
    ...findBroken(counts).map(name => `not as it must be: ${name}`),
    ...(counts.excess > 0 ? [JSON.stringify(fullestOf(arrivals, budget))] : []),
    ...wrong.slice(0, mostShown).map(job => JSON.stringify({ ...job, faults: faults.get(job.name) ?? 0 }))
  ]
}
