import { readMeasured } from './measured.ts'
import { show, showExactly } from './numbers.ts'
import { defaultOptions, type Options } from './options.ts'
import { bottlenecksOf, makePlan, reachedAt } from './resources.ts'

interface Size {
  name: string
  eventsPerDay: number
  options: Partial<Options>
}

const secondsPerDay = 86_400
/** The busiest hour has five times the average. */
const averagePercent = 20

const sizes: readonly Size[] = [
  {
    name: 'small',
    eventsPerDay: 10_000,
    options: { mode: 'embedded', connections: 5, variants: 10_000, offers: 20_000, 'orders-per-second': 0.05 }
  },
  {
    name: 'medium',
    eventsPerDay: 1_000_000,
    options: { mode: 'postgres', connections: 100, variants: 500_000, offers: 500_000, 'orders-per-second': 1 }
  },
  {
    name: 'large',
    eventsPerDay: 10_000_000,
    options: { mode: 'full', connections: 1_000, variants: 5_000_000, offers: 5_000_000, 'orders-per-second': 10 }
  }
]

/** The table of the README, as Markdown. */
export async function describeSizes (folder: string, given: Partial<Options>): Promise<string> {
  const columns = await Promise.all(sizes.map(size => describeSize(folder, size, given)))
  const rows = Object.keys(columns[0] ?? {})
  return [
    `| |${sizes.map(({ name }) => ` ${name} |`).join('')}`,
    `|---|${sizes.map(() => '---|').join('')}`,
    ...rows.map(row => `| ${row} |${columns.map(column => ` ${column[row]} |`).join('')}`)
  ].join('\n')
}

async function describeSize (
  folder: string,
  { eventsPerDay, options: own }: Size,
  given: Partial<Options>
): Promise<Record<string, string>> {
  const options: Options = {
    ...defaultOptions,
    'average-percent': averagePercent,
    'events-per-second': eventsPerDay / secondsPerDay / (averagePercent / 100),
    ...own,
    ...given
  }
  const plan = makePlan(options, await readMeasured(folder, options.mode))
  const { httpProcesses, workerProcesses } = plan
  const demandOf = (name: string): number | undefined => plan.resources.find(resource => resource.name === name)?.demand
  const [first] = bottlenecksOf(plan)
  const [cores, redisGib] = [demandOf('CPU of PostgreSQL'), demandOf('memory of Redis')]
  return {
    'events a day': showExactly(eventsPerDay),
    'connections; variants; offers': [options.connections, options.variants, options.offers].map(showExactly)
      .join('; '),
    mode: options.mode === 'postgres' ? 'PostgreSQL' : options.mode,
    processes: httpProcesses === 0 ? '1' : `${httpProcesses} http, ${workerProcesses} worker`,
    'memory of all processes': gib(plan.memoryGib),
    'cores of PostgreSQL': cores === undefined ? 'in the process' : show(Math.max(1, Math.ceil(cores / busy(options)))),
    'disk of the database': gib(demandOf('disk of the database')),
    'memory of Redis': redisGib === undefined ? '–' : gib(redisGib),
    'first bottleneck': first === undefined
      ? '–'
      : `${first.name}, at ${show(reachedAt(first))} times this load`
  }
}

const busy = (options: Options): number => options['busy-percent'] / 100

const gib = (value = Number.NaN): string => `${show(value)} GiB`
