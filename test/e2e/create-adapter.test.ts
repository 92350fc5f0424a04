import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { startHubProcess } from '../support/hub-process.ts'
import { cheapestMode, openMode } from '../support/modes.ts'
import { temporaryFolder } from '../support/npm-project.ts'
import { repository } from '../support/project.ts'
import { runShell } from '../support/shell.ts'
import { packPackages } from '../support/tarballs.ts'

const run = promisify(execFile)
const admin = 'a-token-of-more-than-thirty-two-characters'
const roles = { feedshop: 'shop', bazaar: 'marketplace', parcelo: 'carrier' }
const folders = Object.keys(roles)

interface PackageJson {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}

async function readPackage (directory: string): Promise<PackageJson> {
  return JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')) as PackageJson
}

/** npm as an author runs it, but without a registry. */
async function npm (directory: string, ...args: string[]): Promise<string> {
  const { PATH = '' } = process.env
  const { stdout } = await run('npm', args, {
    cwd: directory,
    env: {
      ...process.env,
      PATH: [dirname(process.execPath), PATH].join(delimiter),
      npm_config_offline: 'true',
      npm_config_loglevel: 'error'
    }
  })
  return stdout
}

/** Packs the packages as they are published. Returns the tarballs by the names of the packages. */
async function pack (): Promise<Record<string, string>> {
  return Object.fromEntries((await packPackages()).map(({ name, path }) => [name, `file:${path}`]))
}

/** Installs all adapters at once, with the packed packages and links to those of other people. */
async function install (directory: string, tarballs: Record<string, string>): Promise<void> {
  const own = await readPackage(join(directory, 'feedshop'))
  const runtime = await readPackage(join(repository, 'runtime'))
  const needed = Object.keys({ ...own.dependencies, ...own.devDependencies, ...runtime.dependencies })
  // npm keeps a package beside the runtime when others need another version of it.
  const folderOf = (name: string): string =>
    ['runtime/node_modules', 'node_modules'].map(folder => join(repository, folder, name)).find(existsSync) ?? ''
  const dependencies = Object
    .fromEntries(needed.map(name => [name, tarballs[name] ?? `file:${folderOf(name)}`]))
  await writeFile(
    join(directory, 'package.json'),
    JSON.stringify({ name: 'authors', private: true, workspaces: folders, dependencies })
  )
  await npm(directory, 'install', '--ignore-scripts', '--no-audit', '--no-fund')
}

interface Trial {
  /** A member of `linker.config.json`. */
  config: { adapters: object[], outbound: object }
  /** The shell command that makes the connection. */
  connect: string
}

/** The chapter of an adapter's README about its trial in a hub. */
async function readTrial (adapter: string): Promise<Trial> {
  const readme = await readFile(join(adapter, 'README.md'), 'utf8')
  const [, chapter = ''] = readme.split('\n## Try it in a hub\n')
  const blockOf = (language: string): string =>
    new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(chapter)?.[1] ?? ''
  return { config: JSON.parse(blockOf('json')) as Trial['config'], connect: blockOf('sh') }
}

async function serve (t: Test, directory: string): Promise<void> {
  const trials = await Promise.all(folders.map(folder => readTrial(join(directory, folder))))
  const project = join(directory, 'hub')
  await mkdir(project)
  await writeFile(
    join(project, 'linker.config.json'),
    JSON.stringify({ ...trials[0]?.config, adapters: trials.flatMap(({ config }) => config.adapters) })
  )
  const place = await openMode(cheapestMode(process.env), process.env)
  t.teardown(() => place.close())
  const linker = join(directory, 'node_modules/@linker/runtime/bin/linker.js')
  const hub = await startHubProcess(project, { ...place.variables, ADMIN_TOKEN: admin }, linker)
  t.teardown(() => hub.kill())

  for (const [index, folder] of folders.entries()) {
    const platform = runShell(t, `'${process.execPath}' src/test/platform.ts 0`, {}, join(directory, folder))
    const [, baseUrl = ''] = await platform.line(/^(http:\S+) with the key \S+$/)
    const command = (trials[index]?.connect ?? '').replace('npx linker', `'${process.execPath}' '${linker}'`)
      .replace('http://127.0.0.1:4700', baseUrl)
    const shell = runShell(t, command, { LINKER_URL: hub.url, LINKER_TOKEN: admin }, project)

    t.equal(await shell.ended, 0)
    t.match(
      shell.lines.join('\n'),
      new RegExp(`^[0-9a-f-]{36} {2}${folder}\\.api\\.v1@0\\.1\\.0\nok {2}.*the key opens the account of Test`)
    )
  }
  t.equal(await hub.stop(), 0)
}

t.test('an adapter of every role passes its tests and the suite, and serves, before a line is written', async t => {
  const directory = await temporaryFolder(t)
  const tarballs = await pack()
  await run('tar', ['-xzf', (tarballs['@linker/create-adapter'] ?? '').slice('file:'.length)], { cwd: directory })
  for (const [folder, role] of Object.entries(roles)) {
    const program = join(directory, 'package/bin/create-adapter.js')
    const { stdout } = await run(process.execPath, [program, folder, '--role', role], { cwd: directory })
    t.match(stdout, `\n  cd ${folder}\n  npm install\n  npm test\n`)
  }

  await install(directory, tarballs)
  const tested = await npm(directory, 'test', '--workspaces')
  const conforming = await npm(directory, 'run', 'conformance', '--workspaces')

  t.equal([...tested.matchAll(/^ℹ fail 0$/gm)].length, folders.length)
  t.equal([...conforming.matchAll(/^\d+ passed, 0 failed, 0 exempt, /gm)].length, folders.length)
  const published = await npm(join(directory, 'feedshop'), 'pack', '--dry-run', '--ignore-scripts', '--json')
  const [{ files }] = JSON.parse(published) as [{ files: { path: string }[] }]
  t.strictSame(files.map(({ path }) => path).toSorted(), [
    'LICENSE',
    'README.md',
    'dist/index.d.ts',
    'dist/index.js',
    'linker.conformance.json',
    'package.json'
  ])
  await serve(t, directory)
})
