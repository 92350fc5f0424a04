import { glob, readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import t from 'tap'
import { adapterPackages, repository } from './support/project.ts'

/** The only package among the plugins that is no adapter. */
const createAdapter = 'plugins/create-adapter'

interface Import {
  file: string
  specifier: string
}

async function importsBelow (pattern: string): Promise<Import[]> {
  const imports: Import[] = []
  for await (
    const file of glob(pattern, {
      cwd: repository,
      exclude: path => path.includes('node_modules') || path.includes('dist')
    })
  ) {
    const text = await readFile(join(repository, file), 'utf8')
    for (const match of text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)) {
      imports.push({ file, specifier: match[1] ?? '' })
    }
  }
  return imports
}

function describe (found: readonly Import[]): string[] {
  return found.map(({ file, specifier }) => `${file} imports ${specifier}`)
}

const packageOf = (path: string): string =>
  /^(sdk\/client|sdk|runtime|test|plugins\/[^/]+|examples\/[^/]+)/.exec(path)?.[0] ?? path

t.test('a package imports another by its name, never by a path', async t => {
  const all = (await Promise
    .all(['sdk', 'runtime', 'plugins', 'examples', 'test'].map(folder => importsBelow(`${folder}/**/*.ts`)))).flat()
  t.ok(all.length > 100, 'the imports are found')

  const crossing = all.filter(({ file, specifier }) => {
    if (!specifier.startsWith('.')) return false
    const target = relative(repository, resolve(repository, dirname(file), specifier))
    return packageOf(target) !== packageOf(file)
  })
  const deep = all.filter(({ specifier }) => /^@linker\/[^/]+\/(src|dist)/.test(specifier))

  t.strictSame(describe([...crossing, ...deep]), [])
})

t.test('the sdk and the adapters import neither the runtime nor an adapter', async t => {
  const sources = ['sdk/src/**', 'sdk/client/src/**', 'plugins/adapter-*/src/**', `${createAdapter}/template/*/src`]
  const found = (await Promise.all(sources.map(source => importsBelow(`${source}/*.ts`)))).flat()
  const allowed = ({ specifier }: Import): boolean =>
    !specifier.startsWith('@linker/') || ['@linker/sdk', '@linker/sdk/html'].includes(specifier)

  t.strictSame(describe(found.filter(item => !allowed(item))), [])
})

t.test('the program that makes adapters imports the light part of the sdk alone', async t => {
  const found = await importsBelow(`${createAdapter}/src/*.ts`)
  const own = new Set(found.map(({ specifier }) => specifier).filter(specifier => specifier.startsWith('@linker/')))

  t.strictSame([...own], ['@linker/sdk/host/text'])
})

/** The packages that a file loads when it starts, by itself and by the files that it imports. */
async function packagesLoadedBy (file: string, seen = new Set<string>()): Promise<Set<string>> {
  seen.add(file)
  const packages = new Set<string>()
  const text = await readFile(join(repository, file), 'utf8')
  for (const [, specifier = ''] of text.matchAll(/^(?:import|export) (?!type\b)[^']*?from '([^']+)'/gm)) {
    const target = relative(repository, resolve(repository, dirname(file), specifier))
    if (!specifier.startsWith('.')) packages.add(specifier)
    else if (!seen.has(target)) { for (const found of await packagesLoadedBy(target, seen)) packages.add(found) }
  }
  return packages
}

t.test('a command that only calls the hub does not load the whole sdk', async t => {
  const names = [
    'connections',
    'stock',
    'offers',
    'orders',
    'search',
    'jobs',
    'deliveries',
    'console',
    'figures',
    'system',
    'log-level',
    'tokens',
    'audit',
    'attention',
    'alerts',
    'credentials',
    'export',
    'apply'
  ]
  for (const name of names) {
    const packages = [...await packagesLoadedBy(`runtime/src/cli/${name}.ts`)]
    const light = ['@linker/client', '@linker/sdk/host/text']
    t.ok(packages.includes('@linker/client'), `${name}: the packages are found`)
    t.strictSame(packages.filter(found => found.startsWith('@linker/') && !light.includes(found)), [], name)
  }
})

t.test('the runtime imports no adapter and names no platform', async t => {
  const imports = await importsBelow('runtime/src/**/*.ts')
  t.strictSame(describe(imports.filter(({ specifier }) => adapterPackages.includes(specifier))), [])

  const named: string[] = []
  for await (const file of glob('runtime/src/**/*.ts', { cwd: repository })) {
    const code = (await readFile(join(repository, file), 'utf8')).replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    // Texts for people may name a platform as an example; code that decides may not.
    const withoutTexts = code.replaceAll(/'[^'\n]*(?:such as|for instance)[^'\n]*'/g, '')
    if (/\b(?:shopa|mkta|mktb)\b/i.test(withoutTexts)) named.push(file)
  }
  t.strictSame(named, [])
})

// The floors of runtime/src, the lowest first. A folder imports from floors below its own; folders
// on one floor do not know each other. Folders of the trade stand on floors of their own.
const floors: readonly (readonly string[])[] = [
  ['as-error.ts', 'errors.ts', 'package-folder.ts', 'run-regularly.ts', 'text-patterns.ts', 'terminal', 'words.ts'],
  ['config'],
  ['config.ts'],
  ['mode-of.ts'],
  ['database'],
  ['http', 'observability'],
  ['audit', 'figures'],
  ['access', 'streams'],
  ['jobs'],
  ['upstream'],
  ['adapters'],
  ['credentials'],
  ['connections'],
  ['catalog'],
  ['stock'],
  ['offers'],
  ['orders'],
  ['fulfilment'],
  ['events'],
  ['handlers', 'schedules', 'adapter-routes', 'webhooks'],
  ['attention', 'backup', 'console', 'diagnostics', 'search', 'system'],
  ['alerts', 'hints'],
  ['api-examples', 'entities.ts', 'hand-down.ts'],
  ['app.ts'],
  ['server.ts'],
  ['cli'],
  ['index.ts', 'published.ts']
]

const runtimeSource = 'runtime/src'

function roomOf (file: string): string {
  return relative(runtimeSource, file).split('/')[0] ?? ''
}

function targetOf ({ file, specifier }: Import): string {
  return relative(repository, resolve(repository, dirname(file), specifier))
}

// The floors of the console, the page that runs in browsers. Its build runs on Node.
const consoleFloors = ['rules', 'hub', 'show', 'form', 'pages', 'routes.tsx', 'main.tsx']
const consolePackages = /^(?:@linker\/client|@preact\/signals|preact|preact\/hooks|preact-iso\/(?:router|lazy)|uplot)$/

t.test('the console imports only from its floors below, the client and few packages', async t => {
  const root = 'runtime/console'
  const sources = await Promise.all(['**/*.ts', '**/*.tsx'].map(pattern => importsBelow(`${root}/${pattern}`)))
  const imports = sources.flat().filter(({ file }) => !/\/(?:build|write)\.ts$/.test(file))
  const roomIn = (path: string): string => relative(root, path).split('/')[0] ?? ''
  t.ok(imports.length > 50, 'the imports are found')

  const wrong = imports.filter(item => {
    if (!item.specifier.startsWith('.')) return !consolePackages.test(item.specifier)
    const target = relative(root, targetOf(item))
    if (target === '../docs/errors.md') return false
    const [from, to] = [roomIn(item.file), roomIn(targetOf(item))].map(room => consoleFloors.indexOf(room))
    return to === undefined || from === undefined || to === -1 || to > from
  })

  t.strictSame(describe(wrong), [])
})

t.test('a folder of the runtime imports only from floors below its own', async t => {
  const floorOf = new Map(floors.flatMap((rooms, floor) => rooms.map(room => [room, floor] as const)))
  const imports = (await importsBelow(`${runtimeSource}/**/*.ts`)).filter(({ specifier }) => specifier.startsWith('.'))
  const rooms = new Set(imports.flatMap(item => [roomOf(item.file), roomOf(targetOf(item))]))
  t.strictSame([...rooms].filter(room => !floorOf.has(room)), [], 'every folder has a floor')
  t.strictSame([...floorOf.keys()].filter(room => !rooms.has(room)), [], 'every floor has its folders')

  const wrong = imports.filter(item => {
    const [from, to] = [roomOf(item.file), roomOf(targetOf(item))]
    return from !== to && (floorOf.get(to) ?? 0) >= (floorOf.get(from) ?? 0)
  })

  t.strictSame(describe(wrong), [])
})

/** The names of core job types that adapters may name. */
const named = 'sdk/src/hub-job-type.ts'

t.test('the name of a core job type is written once: in the `jobs.ts` of its folder, or in the sdk', async t => {
  const written: string[] = []
  const elsewhere: string[] = []
  const sources = [`${runtimeSource}/**/*.ts`, 'plugins/adapter-*/src/**/*.ts', named]
  for await (const file of glob(sources, { cwd: repository })) {
    const text = await readFile(join(repository, file), 'utf8')
    const names = [...text.matchAll(/'((?:master|marketplace|inventory|fulfilment)\.[\w.]+)'/g)]
    for (const [, name = ''] of names) {
      if (file.endsWith('/jobs.ts') || file === named) written.push(name)
      else elsewhere.push(`${file} writes ${name}`)
    }
  }

  t.ok(written.length >= 20, 'the job types are found')
  t.strictSame(elsewhere, [])
  t.equal(written.length, new Set(written).size)
})

/** The tables that migrations create. */
async function readTables (): Promise<Set<string>> {
  const tables = new Set<string>()
  for await (const file of glob(`${runtimeSource}/database/migrations/*.ts`, { cwd: repository })) {
    const text = await readFile(join(repository, file), 'utf8')
    for (const [, table = ''] of text.matchAll(/create table (?:if not exists )?(\w+)/g)) tables.add(table)
  }
  return tables
}

interface Write {
  table: string
  file: string
}

/** The tables that a file writes: by SQL, or as an entity. */
function writesOf (file: string, text: string, tables: ReadonlySet<string>): Write[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
  const statements = code.matchAll(/\b(?:insert into|update|delete from|truncate)\s+(?:only )?(\w+)/g)
  const entities = code.matchAll(/\.(?:create|assign|insert\w*|upsert\w*|remove|native\w+)\(\s*([A-Z]\w+),/g)
  return [
    ...[...statements].map(match => match[1] ?? '').filter(table => tables.has(table)),
    ...[...entities].map(match => `entity ${match[1]}`)
  ].map(table => ({ table, file }))
}

t.test('one folder of the runtime writes a table', async t => {
  const tables = await readTables()
  const writes: Write[] = []
  const entityFolders = new Map<string, string>()
  for await (const file of glob(`${runtimeSource}/**/*.ts`, { cwd: repository })) {
    if (file.includes('/database/')) continue
    const text = await readFile(join(repository, file), 'utf8')
    writes.push(...writesOf(file, text, tables))
    for (const [, name = ''] of text.matchAll(/export const (\w+) = defineEntity\(/g)) {
      entityFolders.set(`entity ${name}`, roomOf(file))
    }
  }
  const written = Object.entries(Object.groupBy(writes, ({ table }) => table))
  t.ok(tables.size > 25 && written.length > 25, 'tables and their writers are found')

  const shared = written.flatMap(([table, writers = []]) => {
    const folders = new Set(writers.map(({ file }) => roomOf(file)))
    const isOwners = !entityFolders.has(table) || folders.has(entityFolders.get(table) ?? '')
    return folders.size === 1 && isOwners
      ? []
      : [`${table} is written by ${[...new Set(writers.map(({ file }) => file))].join(', ')}`]
  })

  t.strictSame(shared, [])
})

// Files whose SQL belongs to no table of a folder: the driver and its migrations, the drivers of
// streams, and the doctor's look at a server.
const ownSql = ['database/', 'streams/', 'cli/doctor/servers.ts']

t.test('only the store of a folder runs SQL or uses the EntityManager', async t => {
  const wrong: string[] = []
  const stores: string[] = []
  for await (const file of glob(`${runtimeSource}/*/**/*.ts`, { cwd: repository })) {
    const text = await readFile(join(repository, file), 'utf8')
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    const runs = /\bquery(?:<[^(]*>)?\(\s*[\w`'"]|\bem\.\w+\(/.test(code) ||
      /`\n\s*(?:select|insert into|update|delete from|with)\s/.test(code)
    if (!runs) continue
    if (/\/(?:store|statements)\.ts$/.test(file)) stores.push(file)
    else if (!ownSql.some(path => relative(runtimeSource, file).startsWith(path))) wrong.push(file)
  }

  t.ok(stores.length >= 40, 'the stores are found')
  t.strictSame(wrong, [])
})

/** The files of each circle of imports: none is understood without the others. */
function findCircles (imports: readonly Import[]): string[][] {
  const targets = new Map<string, string[]>()
  for (const item of imports) targets.set(item.file, [...targets.get(item.file) ?? [], targetOf(item)])
  const done = new Set<string>()
  const circles: string[][] = []

  function visit (file: string, path: readonly string[]): void {
    if (path.includes(file)) {
      circles.push([...path.slice(path.indexOf(file)), file])
      return
    }
    if (done.has(file)) return
    for (const target of targets.get(file) ?? []) visit(target, [...path, file])
    done.add(file)
  }

  for (const file of targets.keys()) visit(file, [])
  return circles
}

t.test('no file imports itself over others', async t => {
  const sources = ['sdk/src', 'sdk/client/src', 'runtime/src', 'plugins/*/src', 'examples/*/src', 'test']
  const imports = (await Promise.all(sources.map(source => importsBelow(`${source}/**/*.ts`)))).flat()

  t.strictSame(findCircles(imports.filter(({ specifier }) => specifier.startsWith('.'))), [])
})

interface Plugin {
  file: string
  name: string | undefined
  dependencies: string[]
  decorates: string[]
  text: string
}

const quoted = (text: string): string[] => [...text.matchAll(/'([^']+)'/g)].map(match => match[1] ?? '')

async function readPlugins (): Promise<Plugin[]> {
  const plugins: Plugin[] = []
  for await (const file of glob(`${runtimeSource}/**/*.ts`, { cwd: repository })) {
    const text = await readFile(join(repository, file), 'utf8')
    if (!/^export default fp\b/m.test(text)) continue
    plugins.push({
      file,
      text,
      // The options of a plugin stand at the end of its file.
      name: [...text.matchAll(/\{ name: '([a-z-]+)'/g)].at(-1)?.[1],
      dependencies: quoted(/dependencies: \[([^\]]*)\]/.exec(text)?.[1] ?? ''),
      decorates: [...text.matchAll(/app\.decorate\(\s*'(\w+)'/g)].map(match => match[1] ?? '')
    })
  }
  return plugins
}

/** The decorators of `app` that a plugin reads: `app.jobs`, or `const { jobs } = app`. */
function readsOf ({ text }: Plugin): string[] {
  const members = [...text.matchAll(/\bapp\.(\w+)/g)].map(match => match[1] ?? '')
  const taken = [...text.matchAll(/const \{([^}]*)\} = app\b(?!\.)/g)].flatMap(match =>
    (match[1] ?? '').split(',').map(name => name.replace(/:.*/, '').trim())
  )
  return [...new Set([...members, ...taken])]
}

t.test('a plugin of the runtime declares every plugin whose decorator it reads', async t => {
  const plugins = await readPlugins()
  t.ok(plugins.length > 20, 'the plugins are found')
  const ownerOf = new Map(plugins.flatMap(({ name, decorates }) => decorates.map(member => [member, name] as const)))

  const undeclared = plugins.flatMap(plugin =>
    readsOf(plugin).flatMap(member => {
      const owner = ownerOf.get(member)
      const isDeclared = owner === undefined || owner === plugin.name || plugin.dependencies.includes(owner)
      return isDeclared ? [] : [`${plugin.file} reads app.${member} and does not depend on '${owner}'`]
    })
  )

  t.strictSame(undeclared, [])
})
