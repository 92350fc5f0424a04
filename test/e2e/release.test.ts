import { execFile } from 'node:child_process'
import { appendFile, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { alignVersions } from '../release/align-versions.ts'
import { readVersionFiles } from '../release/repository-files.ts'
import { temporaryFolder } from '../support/npm-project.ts'
import { repository } from '../support/project.ts'
import { findPublished } from '../support/tarballs.ts'

// The next major release, made in a clone of the last commit: nothing reaches this repository.

const run = promisify(execFile)

/** Git prefers its variables to the folder, and a hook or a rebase sets them to this repository. */
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')))

/** Runs a program in the clone, without a registry and without a daemon of Lerna's task runner. */
async function runIn (directory: string, command: string, ...args: string[]): Promise<string> {
  const { PATH = '' } = environment
  const { stdout } = await run(command, args, {
    cwd: directory,
    maxBuffer: 64 * 1024 * 1024,
    env: {
      ...environment,
      PATH: [join(repository, 'node_modules/.bin'), dirname(process.execPath), PATH].join(delimiter),
      npm_config_offline: 'true',
      npm_config_loglevel: 'error',
      NX_DAEMON: 'false',
      NX_WORKSPACE_DATA_DIRECTORY: join(directory, '.nx')
    }
  })
  return stdout
}

/** Clones the last commit. Its packages find each other, and those of others in this repository. */
async function cloneRepository (t: Test): Promise<string> {
  const directory = join(await temporaryFolder(t), 'linker')
  await run('git', ['clone', '--quiet', '--no-tags', repository, directory], { env: environment })
  await runIn(directory, 'git', 'switch', '--quiet', '--force-create', 'release')
  await runIn(directory, 'git', 'config', 'user.name', 'Release')
  await runIn(directory, 'git', 'config', 'user.email', 'release@hub.example')
  await appendFile(join(directory, '.git/info/exclude'), 'node_modules\n')
  const modules = join(directory, 'node_modules')
  await mkdir(join(modules, '@linker'), { recursive: true })
  for (const name of await readdir(join(repository, 'node_modules'))) {
    if (name !== '@linker') await symlink(join(repository, 'node_modules', name), join(modules, name))
  }
  for (const [name, folder] of await findPublished(directory)) {
    await symlink(join(directory, folder), join(modules, name))
  }
  await symlink(join(repository, 'runtime/node_modules'), join(directory, 'runtime/node_modules'))
  return directory
}

interface PackageJson {
  version: string
  engines: Record<string, string>
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

t.test('the next major release is made in one step, and its versions fit together', async t => {
  const directory = await cloneRepository(t)
  const read = (path: string): Promise<string> => readFile(join(directory, path), 'utf8')
  const manifest = async (folder: string) => JSON.parse(await read(join(folder, 'package.json'))) as PackageJson
  const { version: present } = JSON.parse(await read('lerna.json')) as { version: string }
  const next = `${Number(present.split('.')[0]) + 1}.0.0`

  await runIn(directory, 'lerna', 'version', next, '--yes', '--no-push')

  t.test('each package has the version and a changelog', async t => {
    for (const folder of (await findPublished(directory)).values()) {
      t.equal((await manifest(folder)).version, next, folder)
      t.match(await read(join(folder, 'CHANGELOG.md')), new RegExp(`^#+ \\[?${next}\\b[^]*\\n\\* `, 'm'), folder)
    }
  })

  t.test('pins and ranges between the packages follow, and so does the contract', async t => {
    t.strictSame([...alignVersions(await readVersionFiles(directory)).keys()], [])
    const shop = await manifest('plugins/adapter-shopa-v1')
    t.match(shop, { engines: { linker: `^${next}` }, peerDependencies: { '@linker/sdk': `^${next}` } })
    t.equal((await manifest('runtime')).dependencies?.['@linker/sdk'], next)
    t.equal((await manifest('.')).dependencies?.['@linker/runtime'], next)
    t.equal((await manifest('plugins/create-adapter')).devDependencies?.['@linker/sdk'], next)
    t.match(await read('sdk/src/adapter.ts'), `contractVersion = '${next}'`)
  })

  t.test('the lock fits, and everything is in one commit with its tag', async t => {
    await t.resolves(runIn(directory, 'npm', 'ci', '--dry-run', '--ignore-scripts'))
    t.equal(await runIn(directory, 'git', 'status', '--porcelain'), '')
    t.equal(
      await runIn(directory, 'git', 'log', '-1', '--format=%s %D'),
      `chore(release): v${next} HEAD -> release, tag: v${next}\n`
    )
  })

  t.test('a new adapter asks for the new packages', async t => {
    const program = 'plugins/create-adapter/src/main.ts'
    await runIn(directory, 'node', '--conditions=@linker/source', program, 'new-shop', '--role', 'shop')
    t.match(await manifest('new-shop'), {
      engines: { linker: `^${next}` },
      peerDependencies: { '@linker/sdk': `^${next}` },
      devDependencies: { '@linker/runtime': `^${next}`, '@linker/sdk': `^${next}` }
    })
  })

  t.test('the new hub still loads an adapter of the contract before', async t => {
    const project = join(directory, 'shop')
    const before = join(project, 'feedshop')
    const tarball = join(repository, 'test/fixtures/packages-before/adapter-feedshop-v1.tar.gz')
    await mkdir(before, { recursive: true })
    await run('tar', ['-xzf', tarball, '-C', before, '--strip-components=1'])
    await writeFile(join(project, 'linker.config.json'), JSON.stringify({ adapters: [{ path: './feedshop' }] }))
    const adapters = await runIn(project, 'node', join(directory, 'runtime/bin/linker.js'), 'adapters', '--json')

    t.match(JSON.parse(adapters), [{ adapterKey: 'feedshop.api.v1', version: '1.0.0', state: 'ready' }])
  })
})
