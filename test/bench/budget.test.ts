import { readFile } from 'node:fs/promises'
import t from 'tap'
import { availableModes } from '../support/modes.ts'
import { withSubjects, type Subject } from './tools/start-subjects.ts'

/** The most that a start may use. A member that is absent is not limited. */
interface Line {
  title: string
  /** Processor time, as a multiple of that of the bare process of the same run. */
  cpuOfLimit?: number
  residentMiB?: number
  peakMiB?: number
}

interface Budget {
  /** How much more than its budget a start may use, because machines are noisy. */
  slack: number
  start: Line[]
}

const { slack, start } = JSON.parse(await readFile(new URL('./budget.json', import.meta.url), 'utf8')) as Budget

interface Pair {
  subject: Subject
  /** The bare process. */
  limit: Subject
}

function pairOf ({ title }: Line, subjects: readonly Subject[]): Pair {
  const named = (name?: string): Subject | undefined => subjects.find(({ title }) => title === name)
  const subject = named(title)
  const limit = named(subject?.limit)
  if (subject === undefined || limit === undefined) throw new Error(`there is no start '${title}'`)
  return { subject, limit }
}

/** Measures a start once and returns the limits that it exceeds. */
async function findExcess (line: Line, { subject, limit }: Pair): Promise<string[]> {
  const { cpuMs: limitMs } = await limit.measure()
  const { cpuMs, residentMiB, peakMiB } = await subject.measure()
  const used = { cpuOfLimit: cpuMs / limitMs, residentMiB, peakMiB }
  return (['cpuOfLimit', 'residentMiB', 'peakMiB'] as const).flatMap(name => {
    const [value = 0, most = Number.POSITIVE_INFINITY] = [used[name], line[name]]
    return value <= most * slack ? [] : [`${name} ${value.toFixed(1)}, budget ${most} × ${slack}`]
  })
}

t.test('starts stay within their budget', async t => {
  const modes = availableModes(process.env)
  await withSubjects({ modes, environment: process.env }, async subjects => {
    const titles = new Set(subjects.map(({ title }) => title))
    const absent = start.map(({ title }) => title).filter(title => !titles.has(title))
    t.strictSame(absent, modes.includes('full') ? [] : ['hub full'], 'each line of the budget is measured')
    for (const line of start.filter(({ title }) => titles.has(title))) {
      const pair = pairOf(line, subjects)
      // Start both once to fill the compile cache. Measure again before failing: the machine may
      // have been busy.
      for (const { measure } of [pair.limit, pair.subject]) await measure()
      const excess = await findExcess(line, pair)
      t.strictSame(excess.length === 0 ? [] : await findExcess(line, pair), [], line.title)
    }
  })
})
