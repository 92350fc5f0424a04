import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { packProject } from '../fixtures/packed.ts'
import { startHubProcess } from '../support/hub-process.ts'
import { openMode, type Mode } from '../support/modes.ts'
import { repository } from '../support/project.ts'
import { describeMachine } from './figures.ts'
import { measureCommand, measureProcess, medianOf, type Cost } from './processes.ts'

export interface StartOptions {
  modes: readonly Mode[]
  environment: NodeJS.ProcessEnv
}

/** Something to start, several times. */
export interface Subject {
  title: string
  /** The title of the bare process of the same run that it is compared with. */
  limit?: string
  measure(): Promise<Cost>
}

const lookEveryMs = 5
const titles = {
  node: 'limit: node -e 0',
  imports: 'limit: bare Fastify, pg and ioredis',
  create: 'limit: bare PGlite creates a database',
  open: 'limit: bare PGlite opens a database'
} as const

const bareImports = `
  import Fastify from 'fastify'
  import { Redis } from 'ioredis'
  import pg from 'pg'
  await Fastify().listen({ port: 0, host: '127.0.0.1' })
  console.log('ready', pg.Pool.name, Redis.name)`
const barePglite = `
  import { PGlite } from '@electric-sql/pglite'
  const database = await PGlite.create(process.argv[2])
  await database.query('select 1')
  console.log('ready')`

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

/** Makes everything that the subjects need, calls `work` with them, and removes it. */
export async function withSubjects<Result> (
  { modes, environment }: StartOptions,
  work: (subjects: readonly Subject[]) => Promise<Result>
): Promise<Result> {
  const cleanups: (() => Promise<unknown>)[] = []
  const folderOf = async (name: string): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), `linker-bench-${name}-`))
    cleanups.push(() => rm(folder, { recursive: true, force: true }))
    return folder
  }
  try {
    const project = await packProject(linkBarePackages)
    cleanups.push(() => project.remove())
    const program = async (name: string, source: string): Promise<string> => {
      const path = join(project.directory, name)
      await writeFile(path, source)
      return path
    }
    const [imports, pglite] = [
      await program('bare-imports.mjs', bareImports),
      await program('bare-pglite.mjs', barePglite)
    ]
    const [cache, kept] = [await folderOf('cache'), await folderOf('state')]
    const variables = { XDG_CACHE_HOME: cache, ADMIN_TOKEN: randomBytes(32).toString('hex'), LOG_LEVEL: 'error' }
    const bare = (...args: string[]): Promise<Cost> =>
      measureProcess(args, project.directory, { NODE_COMPILE_CACHE: cache }, line => line.startsWith('ready'))
    const hub = (given: Record<string, string>): Promise<Cost> =>
      measureProcess([project.linker, 'start'], project.directory, { PORT: '0', ...variables, ...given }, isGreen)
    const served: Subject[] = []
    for (const mode of modes) {
      if (mode === 'embedded') continue
      const state = await openMode(mode, environment)
      cleanups.push(() => state.close())
      served.push({ title: `hub ${mode}`, limit: titles.imports, measure: () => hub(state.variables) })
    }
    const embedded: Subject[] = [
      { title: titles.create, measure: async () => bare(pglite, join(await folderOf('new'), 'database')) },
      {
        title: 'hub embedded, first start',
        limit: titles.create,
        measure: async () => hub({ LINKER_DATA_DIR: await folderOf('new') })
      },
      { title: titles.open, measure: () => bare(pglite, join(kept, 'bare')) },
      {
        title: 'hub embedded, later start',
        limit: titles.open,
        measure: () => hub({ LINKER_DATA_DIR: join(kept, 'hub') })
      }
    ]
    const running = await startHubProcess(project.directory, {
      ...variables,
      LINKER_DATA_DIR: await folderOf('running')
    }, project.linker)
    cleanups.push(() => running.stop())
    const list = [project.linker, 'connections', 'list', '--url', running.url]
    return await work([
      { title: titles.imports, measure: () => bare(imports) },
      ...served,
      ...modes.includes('embedded') ? embedded : [],
      { title: titles.node, measure: () => measureCommand(['-e', '0'], project.directory, {}) },
      {
        title: 'linker connections list',
        limit: titles.node,
        measure: () => measureCommand(list, project.directory, variables)
      }
    ])
  } finally {
    for (const cleanUp of cleanups.toReversed()) await cleanUp()
  }
}

/** The published runtime does not install them: they are in its bundle. */
async function linkBarePackages (modules: string): Promise<void> {
  for (const name of ['fastify', 'ioredis', 'pg']) {
    await symlink(join(repository, 'node_modules', name), join(modules, name))
  }
}

/** Whether a line of the hub's output names its address. Waits then until the hub is ready. */
async function isGreen (line: string): Promise<boolean> {
  const url = /listens on (http:\S+)/.exec(line)?.[1]
  if (url === undefined) return false
  while ((await fetch(`${url}/readyz`)).status !== 200) await wait(lookEveryMs)
  return true
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
