import { describeMachine } from './figures.ts'
import { medianOf, type Cost } from './processes.ts'
import { withSubjects, type StartOptions, type Subject } from './start-subjects.ts'

/**
 * Measures what a hub of packed packages with three adapters uses until it is ready, beside bare
 * processes of the same run, and what a command uses. The first start of each fills the compile
 * cache and does not count.
 */
export async function benchStart (options: StartOptions & { runs: number }): Promise<void> {
  const { runs } = options
  console.log(`start: packed packages, three adapters, until /readyz is green; medians of ${runs} runs, in turn`)
  console.log(describeMachine('PostgreSQL and Redis'))
  await withSubjects(options, async subjects => {
    const costs = new Map(subjects.map(({ title }) => [title, [] as Cost[]]))
    for (let run = 0; run <= runs; run += 1) {
      for (const { title, measure } of subjects) {
        const cost = await measure()
        if (run > 0) costs.get(title)?.push(cost)
      }
    }
    show(subjects, new Map([...costs].map(([title, all]) => [title, medianOf(all)])))
  })
}

function show (subjects: readonly Subject[], medians: ReadonlyMap<string, Cost>): void {
  const row = (title: string, cells: readonly string[]): void => {
    console.log(title.padEnd(40) + cells.map(cell => cell.padStart(14)).join(''))
  }
  row('', ['CPU ms', 'of limit', 'clock ms', 'resident MiB', 'peak MiB'])
  for (const { title, limit } of subjects) {
    const cost = medians.get(title)
    if (cost === undefined) continue
    const limitMs = limit === undefined ? undefined : medians.get(limit)?.cpuMs
    const whole = (value: number | undefined): string => value?.toFixed(0) ?? ''
    row(title, [
      whole(cost.cpuMs),
      limitMs === undefined ? '' : `${(cost.cpuMs / limitMs).toFixed(2)} ×`,
      whole(cost.clockMs),
      whole(cost.residentMiB),
      whole(cost.peakMiB)
    ])
  }
}
