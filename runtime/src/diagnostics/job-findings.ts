import type { JobGroup } from '../jobs/groups/schemas.ts'
import { argumentOf, countOf, describeLength, endSentence } from '../words.ts'
import { directionOf, directionOfAll } from './directions.ts'
import { ageOf, type Facts, type WaitingFact } from './facts.ts'
import type { Finding } from './schemas.ts'
import { isPausedByPlatform } from './upstream-findings.ts'

/** A job that waits for longer did not just meet a busy moment. */
const patienceMs = 300_000
/** So many dead jobs of one type and problem are no accident. */
const manyDead = 3
/** So many are a problem even when some jobs of the type succeeded between them. */
const veryManyDead = 20
const dayMs = 86_400_000
const mostGroups = 10

/** Finds jobs that are not run, that wait for the platform, or that died. */
export function findJobProblems (facts: Facts): Finding[] {
  return [...findOldQueue(facts), ...findWaits(facts), ...findDead(facts)]
}

function findOldQueue (facts: Facts): Finding[] {
  const ready = facts.jobs.waiting.filter(({ readySince }) => readySince !== undefined)
  const [oldest] = ready.toSorted((a, b) => (a.readySince ?? '') < (b.readySince ?? '') ? -1 : 1)
  const since = oldest?.readySince
  if (oldest === undefined || since === undefined || ageOf(facts, since) < patienceMs) return []
  const { running } = facts.jobs
  const count = ready.reduce((sum, group) => sum + group.count, 0)
  return [{
    code: 'queue-old',
    severity: running === 0 ? 'blocking' : 'warning',
    direction: directionOfAll(ready.map(({ jobType }) => jobType)),
    title: running === 0 ? 'No worker takes its jobs' : 'Its jobs wait for a worker',
    detail: `${countOf(count, 'job')} could run, the first since ${since} (${describeLength(ageOf(facts, since))}), ` +
      `and ${describeRunning(running)} running.`,
    since,
    count,
    evidence: { jobId: oldest.sampleJobId, at: since },
    nextAction: running === 0
      ? 'Start a process that runs jobs: `linker start --role worker`; `/metrics` of each process shows the queue.'
      : `See what they do: \`linker jobs list --connection ${argumentOf(facts.connection)} --status running\`; ` +
        '`workers` in linker.config.json lets more run at once.'
  }]
}

function describeRunning (count: number): string {
  return count === 0 ? 'no job of this connection is' : `${countOf(count, 'job')} of it ${count === 1 ? 'is' : 'are'}`
}

/** The titles of findings about waits that no other finding explains. */
const titles: ReadonlyMap<WaitingFact['reason'], string> = new Map([
  ['adapter', 'Jobs wait for their adapter'],
  ['rate-limit', 'Jobs wait because the platform asked for a rest'],
  ['unavailable', 'Jobs wait because the platform is away'],
  ['retry', 'Jobs failed and wait for another attempt']
])

function findWaits (facts: Facts): Finding[] {
  const isAdapterAway = facts.adapter.state === 'missing' || facts.adapter.state === 'crashed'
  return facts.jobs.waiting
    .filter(({ reason }) => titles.has(reason) && !(reason === 'adapter' && isAdapterAway))
    .filter(group => !isPausedByPlatform(facts, group))
    .slice(0, mostGroups)
    .map(group => describeWait(facts, group))
}

function describeWait (facts: Facts, group: WaitingFact): Finding {
  const { reason, detail, jobType, code, count, oldestAt, until, sampleJobId } = group
  const title = titles.get(reason) ?? 'Jobs wait'
  const end = until === undefined ? '' : `, the first until ${until}`
  const problem = code === null ? detail : `${code}: ${detail}`
  const isStuck = ageOf(facts, oldestAt) >= patienceMs && !hasSucceededSince(facts, jobType, oldestAt)
  return {
    code: `jobs-wait-${reason}`,
    severity: reason === 'adapter' || (reason === 'retry' && isStuck) ? 'blocking' : 'warning',
    direction: directionOf(jobType),
    title,
    detail: endSentence(`${title}: ${countOf(count, 'job')} ${jobType}${end}. ${problem}`),
    since: oldestAt,
    count,
    evidence: { jobId: sampleJobId, at: oldestAt },
    nextAction: reason === 'adapter'
      ? 'Install the adapter where each worker runs, and restart it; `linker adapters` lists what a process would load.'
      : `See its attempts: \`linker jobs show ${sampleJobId}\`; \`linker connections test ${
        argumentOf(facts.connection)
      }\` asks the platform.`
  }
}

function findDead (facts: Facts): Finding[] {
  // Nobody can run the jobs of a deleted connection again.
  if (facts.connection.status === 'deleted') return []
  return facts.jobs.dead.groups.slice(0, mostGroups).map(group => describeDead(facts, group))
}

function describeDead (facts: Facts, { jobType, code, count, firstAt, lastAt, sampleJobId }: JobGroup): Finding {
  const last = facts.jobs.last.runs.find(run => run.jobType === jobType && !run.hasSucceeded)
  const problem = last?.problem ?? null
  const why = problem === null || problem.code !== code ? '' : `: ${problem.message}`
  const isTotal = count >= manyDead && !hasSucceededSince(facts, jobType, firstAt)
  const isRecent = ageOf(facts, lastAt) < dayMs && !hasSucceededSince(facts, jobType, lastAt)
  const isMost = count >= veryManyDead && isRecent && failsMostly(facts, jobType)
  const connection = `--connection ${argumentOf(facts.connection)}`
  const group = `--type ${jobType}${code === null ? '' : ` --code ${code}`}`
  const redrive = `linker jobs redrive ${connection} ${group}`
  const retry = count > 1
    ? `\`${redrive} --dry-run\` tells what would happen, \`${redrive} --first 1 --wait\` tries one of them`
    : `\`linker jobs retry ${sampleJobId}\``
  return {
    code: 'jobs-dead',
    severity: isTotal || isMost ? 'blocking' : 'warning',
    direction: directionOf(jobType),
    title: `Jobs died${code === null ? '' : `: ${code}`}`,
    detail:
      endSentence(`${countOf(count, 'job')} ${jobType} died${
        code === null ? '' : ` with ${code}`
      }, the last at ${lastAt}${describeShare(isTotal, isMost)}${why}`),
    since: firstAt,
    count,
    evidence: { jobId: sampleJobId, at: lastAt },
    nextAction: `Remove the cause, then run ${count > 1 ? 'them' : 'it'} again: ${retry}; ` +
      `\`linker jobs list ${connection} --status dead ${group}\` lists ${count > 1 ? 'them' : 'it'}.`
  }
}

function describeShare (isTotal: boolean, isMost: boolean): string {
  if (isTotal) return ', and none of this type has succeeded since the first'
  return isMost ? ', and more of this type failed than succeeded lately' : ''
}

/** Whether more of the last runs of a type failed than succeeded. */
function failsMostly ({ jobs }: Facts, jobType: string): boolean {
  const ofType = jobs.last.runs.filter(run => run.jobType === jobType)
  return ofType.reduce((balance, { hasSucceeded, count }) => balance + (hasSucceeded ? -count : count), 0) > 0
}

function hasSucceededSince ({ jobs }: Facts, jobType: string, time: string): boolean {
  return jobs.last.runs.some(run => run.jobType === jobType && run.hasSucceeded && run.at >= time)
}
