import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { packProject, type PackedProject } from '../../fixtures/packed.ts'
import { startHubProcess } from '../../support/hub-process.ts'
import { openMode, type Mode } from '../../support/modes.ts'
import { repository } from '../../support/project.ts'
import { measureCommand, measureProcess, type Cost } from './processes.ts'

export interface StartOptions {
  modes: readonly Mode[]
  environment: NodeJS.ProcessEnv
}

/** Something to start, several times. */
export interface Subject {
  title: string
  /** The title of the bare process of the same run that it is compared with. */
  limit?: string
  /** It takes so long that the compile cache of its modules makes no difference. */
  isLong?: true
  measure(): Promise<Cost>
}

/** Where the subjects live, and what is undone at the end. */
interface Site {
  project: PackedProject
  /** The folder of the compile cache. */
  cache: string
  variables: Record<string, string>
  newFolder(name: string): Promise<string>
  atEnd(cleanUp: () => Promise<unknown>): void
}

const lookEveryMs = 5
/** An idle hub releases the memory of its start after two seconds, or four on a busy machine. */
export const settleMs = 5_000
const titles = {
  node: 'node -e 0',
  imports: 'bare Fastify, pg and ioredis',
  create: 'bare PGlite creates a database',
  open: 'bare PGlite opens a database'
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

/** Makes everything that the subjects need, calls `work` with them, and removes it. */
export async function withSubjects<Result> (
  { modes, environment }: StartOptions,
  work: (subjects: readonly Subject[]) => Promise<Result>
): Promise<Result> {
  const cleanups: (() => Promise<unknown>)[] = []
  try {
    const site = await openSite(cleanUp => cleanups.push(cleanUp))
    return await work([
      await bareImportsOf(site),
      ...await serverHubs(site, modes, environment),
      ...modes.includes('embedded') ? await embeddedHubs(site) : [],
      ...await commands(site)
    ])
  } finally {
    for (const cleanUp of cleanups.toReversed()) await cleanUp()
  }
}

async function openSite (atEnd: Site['atEnd']): Promise<Site> {
  const newFolder = async (name: string): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), `linker-bench-${name}-`))
    atEnd(() => rm(folder, { recursive: true, force: true }))
    return folder
  }
  const project = await packProject({ addMore: linkBarePackages })
  atEnd(() => project.remove())
  const cache = await newFolder('cache')
  const variables = { XDG_CACHE_HOME: cache, ADMIN_TOKEN: randomBytes(32).toString('hex'), LOG_LEVEL: 'error' }
  return { project, cache, variables, newFolder, atEnd }
}

/** The published runtime does not install them: they are in its bundle. */
async function linkBarePackages (modules: string): Promise<void> {
  for (const name of ['fastify', 'ioredis', 'pg']) {
    await symlink(join(repository, 'node_modules', name), join(modules, name))
  }
}

async function bareImportsOf (site: Site): Promise<Subject> {
  const program = await writeProgram(site, 'bare-imports.mjs', bareImports)
  return { title: titles.imports, measure: () => measureBare(site, [program]) }
}

/** The modes that need a server. */
async function serverHubs (
  site: Site,
  modes: readonly Mode[],
  environment: NodeJS.ProcessEnv
): Promise<Subject[]> {
  const hubs: Subject[] = []
  for (const mode of modes.filter(mode => mode !== 'embedded')) {
    const state = await openMode(mode, environment)
    site.atEnd(() => state.close())
    hubs.push({ title: `hub ${mode}`, limit: titles.imports, measure: () => measureHub(site, state.variables) })
  }
  return hubs
}

async function embeddedHubs (site: Site): Promise<Subject[]> {
  const program = await writeProgram(site, 'bare-pglite.mjs', barePglite)
  const kept = await site.newFolder('state')
  // The one that was created last; the first start of `open` creates one if there is none.
  let database = join(kept, 'bare')
  return [
    {
      title: titles.create,
      isLong: true,
      async measure () {
        database = join(await site.newFolder('new'), 'database')
        return measureBare(site, [program, database])
      }
    },
    {
      title: 'hub embedded, first start',
      limit: titles.create,
      measure: async () => measureHub(site, { LINKER_DATA_DIR: await site.newFolder('new') })
    },
    { title: titles.open, measure: () => measureBare(site, [program, database]) },
    {
      title: 'hub embedded, later start',
      limit: titles.open,
      measure: () => measureHub(site, { LINKER_DATA_DIR: join(kept, 'hub') })
    }
  ]
}

async function commands (site: Site): Promise<Subject[]> {
  const { project: { directory, linker }, variables } = site
  const state = { ...variables, LINKER_DATA_DIR: await site.newFolder('running') }
  const running = await startHubProcess(directory, state, linker)
  site.atEnd(() => running.stop())
  const list = [linker, 'connections', 'list', '--url', running.url]
  return [
    { title: titles.node, measure: () => measureCommand(['-e', '0'], directory, {}) },
    {
      title: 'linker connections list',
      // Node alone uses so little that its time, counted in hundredths of a second, is no measure.
      limit: titles.imports,
      measure: () => measureCommand(list, directory, variables)
    },
    {
      // It declares all commands, as the completion of a shell does after each press of the key.
      title: 'linker --help',
      limit: titles.imports,
      measure: () => measureCommand([linker, '--help'], directory, variables)
    }
  ]
}

async function writeProgram ({ project }: Site, name: string, source: string): Promise<string> {
  const path = join(project.directory, name)
  await writeFile(path, source)
  return path
}

function measureBare ({ project, cache }: Site, args: readonly string[]): Promise<Cost> {
  return measureProcess(
    args,
    project.directory,
    { NODE_COMPILE_CACHE: cache },
    async line => line.startsWith('ready')
  )
}

function measureHub ({ project, variables }: Site, given: Record<string, string>): Promise<Cost> {
  return measureProcess(
    [project.linker, 'start'],
    project.directory,
    { PORT: '0', ...variables, ...given },
    waitUntilGreen,
    settleMs
  )
}

/** Returns false unless the line names the address of the hub. Waits then until it is ready. */
async function waitUntilGreen (line: string): Promise<boolean> {
  const url = /listens on (http:\S+)/.exec(line)?.[1]
  if (url === undefined) return false
  while ((await fetch(`${url}/readyz`)).status !== 200) await wait(lookEveryMs)
  return true
}
