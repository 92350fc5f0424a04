import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { refused } from '../support/command.ts'
import { runLinker, type Finished } from '../support/hub-process.ts'
import { repository } from '../support/project.ts'

const run = promisify(execFile)
const { PATH = '' } = process.env
// The npm of this machine; nothing is asked of a registry.
const offline = { npm_config_offline: 'true', npm_config_loglevel: 'error' }

interface Made { version?: string, permissions?: object, source?: string, manifest?: object }

const working = `
  import { defineAdapter } from '@linker/sdk'
  export default defineAdapter({
    config: { type: 'object' }, credentials: { type: 'null' }, connect: () => ({}),
    capabilities: { InventoryMaster: () => ({ getStock: async () => [], listStock: async () => ({ items: [] }) }) }
  })`

/** A package of somebody else as the tarball that a registry would hand out. */
async function pack (t: Test, { version = '1.0.0', permissions = { http: ['https://feed.example'] }, source = working, manifest = {} }: Made = {}): Promise<string> {
  const directory = await temporary(t)
  await writeFile(join(directory, 'package.json'), JSON.stringify({
    name: '@acme/adapter-feedshop-v1', version, type: 'module', exports: './index.js', engines: { linker: '^0.1.0' }, peerDependencies: { '@linker/sdk': '^0.1.0' },
    scripts: { postinstall: 'node -e "fs.writeFileSync(\'scripts-ran\', \'\')"' },
    linker: { adapterKey: 'feedshop.api.v1', platformType: 'feedshop', displayName: 'Feedshop', capabilities: ['InventoryMaster'], permissions },
    ...manifest
  }))
  await writeFile(join(directory, 'index.js'), source)
  const { stdout } = await run('npm', ['pack', '--ignore-scripts'], { cwd: directory, env: { ...process.env, ...offline } })
  return join(directory, stdout.trim())
}

async function temporary (t: Test): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'linker-add-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** An operator's project as npm makes it, the packages of this repository linked. */
async function openProject (t: Test, config?: object) {
  const directory = await temporary(t)
  const packages = { '@linker/sdk': `file:${join(repository, 'sdk')}`, '@linker/adapter-shopa-v1': `file:${join(repository, 'plugins/adapter-shopa-v1')}` }
  await writeFile(join(directory, 'package.json'), JSON.stringify({ name: 'shop', private: true, dependencies: packages }, null, 2))
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: directory, env: { ...process.env, ...offline } })
  if (config !== undefined) await writeFile(join(directory, 'linker.config.json'), JSON.stringify(config, null, 4))
  const read = (file: string) => readFile(join(directory, file), 'utf8').catch(() => undefined)
  return {
    directory,
    read,
    state: async () => Promise.all(['package.json', 'package-lock.json', 'linker.config.json', 'linker.lock'].map(read)),
    installed: join(directory, 'node_modules', '@acme', 'adapter-feedshop-v1'),
    linker: (...args: string[]): Promise<Finished> => runLinker(args, directory, offline)
  }
}

const listing = { adapters: ['@linker/adapter-shopa-v1'] }

t.test('add installs, loads and lists an adapter, and says what it brings and what it may do', async t => {
  const project = await openProject(t, listing)
  const added = await project.linker('add', await pack(t))

  t.match(added, { code: 0, stderr: '', stdout: /^@acme\/adapter-feedshop-v1: Feedshop, feedshop\.api\.v1@1\.0\.0\nIt brings\n {2}capability InventoryMaster\nIt may\n {2}send requests to https:\/\/feed\.example\nIts code runs as you/ })
  t.equal(await project.read('linker.config.json'), `${JSON.stringify({ adapters: ['@linker/adapter-shopa-v1', '@acme/adapter-feedshop-v1'] }, null, 4)}\n`)
  t.match(await project.read('package.json'), '"@acme/adapter-feedshop-v1"')
  t.equal(await project.read('linker.lock'), undefined, 'no lock where there was none')
  t.notOk(existsSync(join(project.installed, 'scripts-ran')), 'its install scripts did not run')
  t.match(await project.linker('adapters'), { code: 0, stdout: /feedshop\.api\.v1 +1\.0\.0 +ready/ })
})

t.test('add to a project without a list lists nothing, and records it where there is a lock', async t => {
  const project = await openProject(t)
  await project.linker('scan')
  const before = JSON.parse(await project.read('linker.lock') ?? '') as { adapters: object }
  const added = await project.linker('add', await pack(t))

  t.match(added, { code: 0, stdout: /Recorded in linker\.lock/ })
  t.equal(await project.read('linker.config.json'), undefined)
  t.match(JSON.parse(await project.read('linker.lock') ?? ''), { adapters: { ...before.adapters, 'feedshop.api.v1@1.0.0': { package: '@acme/adapter-feedshop-v1' } } })
  t.match(await project.linker('scan', '--check'), { code: 0 })
})

t.test('a newer version that may do more than the lock records is undone unless the operator agrees', async t => {
  const project = await openProject(t, listing)
  await project.linker('scan')
  await project.linker('add', await pack(t))
  const before = await project.state()
  const newer = await pack(t, { version: '1.1.0', permissions: { http: ['https://feed.example', 'https://elsewhere.example'] } })
  const refusedOnce = await project.linker('add', newer)
  const undone = { state: await project.state(), version: (JSON.parse(await readFile(join(project.installed, 'package.json'), 'utf8')) as { version: string }).version }
  const agreed = await project.linker('add', newer, '--yes')

  refused(t, refusedOnce, /may also send requests to https:\/\/elsewhere\.example\n$/)
  t.strictSame(undone, { state: before, version: '1.0.0' })
  t.equal(agreed.code, 0)
  t.match(await project.read('linker.lock'), /feedshop\.api\.v1@1\.1\.0/)
  t.notMatch(await project.read('linker.lock'), /feedshop\.api\.v1@1\.0\.0/)
  t.match(await project.linker('scan', '--check'), { code: 0 })
})

t.test('what is no adapter, or does not serve, is said and undone', async t => {
  const project = await openProject(t, listing)
  const before = await project.state()
  const cases: [Made, RegExp][] = [
    [{ manifest: { linker: undefined } }, /no adapter that this hub can load, the install is undone\. LNK_ADAPTER_MANIFEST_INVALID/],
    [{ manifest: { engines: { linker: '^9.0.0' } } }, /undone\. LNK_ADAPTER_INCOMPATIBLE/],
    [{ source: "throw new Error('not today')" }, /does not serve, the install is undone\. LNK_ADAPTER_IMPORT_FAILED.*not today/],
    [{ manifest: { version: '0.1.0', linker: { adapterKey: 'shopa.webservice.v1', platformType: 'shopa', displayName: 'Not Shop A', capabilities: ['InventoryMaster'] } } }, /does not serve, the install is undone\. LNK_ADAPTER_CONFLICT/]
  ]
  for (const [made, message] of cases) {
    refused(t, await project.linker('add', await pack(t, made)), message)
    t.strictSame(await project.state(), before)
    t.notOk(existsSync(project.installed))
  }
})

t.test('only packages and paths reach the package manager', async t => {
  const project = await openProject(t)
  const before = await project.state()
  for (const spec of ['git+ssh://git@example.com/x.git', 'https://example.com/x.tgz', 'acme/adapter', 'github:acme/adapter', 'x@https://example.com/x.tgz', 'Upper', 'a b', '$(touch x)', 'x;touch y', 'x@npm:github:y', '@acme', '']) {
    refused(t, await project.linker('add', spec), /is no package: expected/)
  }
  refused(t, await project.linker('add', './nowhere'), /there is no .*nowhere/)
  refused(t, await project.linker('add', '--', '--global'), /'--global' is no package/)
  t.strictSame(await project.state(), before)
})

t.test('the package manager is the one whose lock file the project has; what it says is told', async t => {
  const bin = await temporary(t)
  for (const name of ['npm', 'pnpm', 'yarn']) await writeFile(join(bin, name), '#!/bin/sh\necho "$0 $* $YARN_ENABLE_SCRIPTS" >&2\nexit 3\n', { mode: 0o755 })
  const expected: [string | undefined, string][] = [[undefined, 'npm install --ignore-scripts'], ['pnpm-lock.yaml', 'pnpm add --ignore-scripts'], ['yarn.lock', 'yarn add']]
  for (const [lockFile, command] of expected) {
    const directory = await temporary(t)
    const package_ = join(directory, 'packages', 'hub')
    await mkdir(package_, { recursive: true })
    await writeFile(join(package_, 'package.json'), '{}')
    // At the root of a workspace.
    if (lockFile !== undefined) await writeFile(join(directory, lockFile), '')
    refused(t, await runLinker(['add', 'feedshop@^1.0.0'], package_, { PATH: `${bin}${delimiter}${PATH}` }), new RegExp(`${command}.* feedshop@\\^1\\.0\\.0 ended 3:\n.*${command}.* feedshop@\\^1\\.0\\.0 false\n$`))
  }
  const empty = await temporary(t)
  refused(t, await runLinker(['add', 'feedshop'], empty), /no package\.json in/)
})
