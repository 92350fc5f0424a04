import { readFile } from 'node:fs/promises'
import t from 'tap'
import { availableModes, type Mode } from '../support/modes.ts'
import { measureAcceptCost, type AcceptCost } from './tools/accept-cost.ts'
import { withSubjects, type Subject } from './tools/start-subjects.ts'

/** The most that a start may use. A member that is absent is not limited. */
interface StartLine {
  title: string
  /** Processor time, as a multiple of that of the bare process of the same run. */
  cpuOfLimit?: number
  residentMiB?: number
  peakMiB?: number
}

/** The most that accepting a webhook may use. */
interface AcceptLine {
  mode: Mode
  /** Processor time, as a multiple of that of the limit server of the same run. */
  cpuOfLimit: number
}

interface Budget {
  /** How much more than its budget a line may use, because machines are noisy. */
  slack: number
  start: StartLine[]
  accept: AcceptLine[]
}

const { slack, start, accept } = JSON.parse(await readFile(new URL('./budget.json', import.meta.url), 'utf8')) as Budget

interface Pair {
  subject: Subject
  /** The bare process. */
  limit: Subject
}

function pairOf ({ title }: StartLine, subjects: readonly Subject[]): Pair {
  const named = (name?: string): Subject | undefined => subjects.find(({ title }) => title === name)
  const subject = named(title)
  const limit = named(subject?.limit)
  if (subject === undefined || limit === undefined) throw new Error(`there is no start '${title}'`)
  return { subject, limit }
}

/** Measures a start once and returns the limits that it exceeds. */
async function findExcess (line: StartLine, { subject, limit }: Pair): Promise<string[]> {
  const { cpuMs: limitMs } = await limit.measure()
  const { cpuMs, residentMiB, peakMiB } = await subject.measure()
  const used = { cpuOfLimit: cpuMs / limitMs, residentMiB, peakMiB }
  return (['cpuOfLimit', 'residentMiB', 'peakMiB'] as const).flatMap(name => excessOf(name, used[name], line[name]))
}

function excessOf (name: string, value = 0, most = Number.POSITIVE_INFINITY): string[] {
  return value <= most * slack ? [] : [`${name} ${value.toFixed(1)}, budget ${most} × ${slack}`]
}

function excessOfAccept ({ hub, limit }: AcceptCost, most: number): string[] {
  return excessOf('cpuOfLimit', hub / limit, most)
}

/** Measures up to three times before failing: the machine may have been busy. */
async function findLastingExcess (find: () => Promise<string[]>): Promise<string[]> {
  let excess = await find()
  for (let again = 0; again < 2 && excess.length > 0; again++) excess = await find()
  return excess
}

t.test('starts stay within their budget', async t => {
  const modes = availableModes(process.env)
  await withSubjects({ modes, environment: process.env }, async subjects => {
    const titles = new Set(subjects.map(({ title }) => title))
    const absent = start.map(({ title }) => title).filter(title => !titles.has(title))
    t.strictSame(absent, modes.includes('full') ? [] : ['hub full'], 'each line of the budget is measured')
    for (const line of start.filter(({ title }) => titles.has(title))) {
      const pair = pairOf(line, subjects)
      // Start both once to fill the compile cache.
      for (const { measure, isLong } of [pair.limit, pair.subject]) if (isLong !== true) await measure()
      t.strictSame(await findLastingExcess(() => findExcess(line, pair)), [], line.title)
    }
  })
})

t.test('accepting webhooks stays within its budget', async t => {
  const modes = availableModes(process.env)
  const measured = accept.filter(({ mode }) => modes.includes(mode))
  t.equal(measured.length, modes.includes('full') ? accept.length : 0, 'each line of the budget is measured')
  for (const { mode, cpuOfLimit } of measured) {
    const excess = await findLastingExcess(async () => {
      const isEnough = (costs: AcceptCost): boolean => excessOfAccept(costs, cpuOfLimit).length === 0
      const costs = await measureAcceptCost({ mode, environment: process.env, isEnough })
      return excessOfAccept(costs, cpuOfLimit)
    })
    t.strictSame(excess, [], mode)
  }
})
