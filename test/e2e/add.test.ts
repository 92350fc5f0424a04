import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import t from 'tap'
import { refused } from '../support/command.ts'
import { runLinker } from '../support/hub-process.ts'
import { openNpmProject, packAdapter, temporaryFolder, type MadePackage } from '../support/npm-project.ts'
import { ownVersion } from '../support/own-version.ts'
import { pattern } from '../support/pattern.ts'

const { PATH = '' } = process.env

const listing = { adapters: ['@linker/adapter-shopa-v1'] }

t.test('add installs, loads and lists an adapter, and prints its capabilities and permissions', async t => {
  const project = await openNpmProject(t, listing)
  const added = await project.linker('add', await packAdapter(t))

  t.match(added, {
    code: 0,
    stderr: '',
    stdout: pattern(
      /^@acme\/adapter-feedshop-v1: Feedshop, feedshop\.api\.v1@1\.0\.0\n/,
      /It provides\n {2}capability InventoryMaster\nIt may\n {2}send requests /,
      /to https:\/\/feed\.example\nIts code runs with your rights/
    )
  })
  t.equal(
    await project.read('linker.config.json'),
    `${JSON.stringify({ adapters: ['@linker/adapter-shopa-v1', '@acme/adapter-feedshop-v1'] }, null, 4)}\n`
  )
  t.match(await project.read('package.json'), '"@acme/adapter-feedshop-v1"')
  t.equal(await project.read('linker.lock'), undefined, 'no lock where there was none')
  t.notOk(existsSync(join(project.installed, 'scripts-ran')), 'its install scripts did not run')
  t.match(await project.linker('adapters'), { code: 0, stdout: /feedshop\.api\.v1 +1\.0\.0 +ready/ })
})

t.test('add to a project without a list lists nothing, and records it where there is a lock', async t => {
  const project = await openNpmProject(t)
  await project.linker('scan')
  const before = JSON.parse(await project.read('linker.lock') ?? '') as { adapters: object }
  const added = await project.linker('add', await packAdapter(t))

  t.match(added, { code: 0, stdout: /Recorded in linker\.lock/ })
  t.equal(await project.read('linker.config.json'), undefined)
  t.match(JSON.parse(await project.read('linker.lock') ?? ''), {
    adapters: { ...before.adapters, 'feedshop.api.v1@1.0.0': { package: '@acme/adapter-feedshop-v1' } }
  })
  t.match(await project.linker('scan', '--check'), { code: 0 })
})

t.test('a newer version that may do more than the lock records is undone unless the operator agrees', async t => {
  const project = await openNpmProject(t, listing)
  await project.linker('scan')
  await project.linker('add', await packAdapter(t))
  const before = await project.state()
  const newer = await packAdapter(t, {
    version: '1.1.0',
    permissions: { http: ['https://feed.example', 'https://elsewhere.example'] }
  })
  const refusedOnce = await project.linker('add', newer, '--replace')
  const undone = {
    state: await project.state(),
    version:
      (JSON.parse(await readFile(join(project.installed, 'package.json'), 'utf8')) as { version: string }).version
  }
  const agreed = await project.linker('add', newer, '--replace', '--yes')

  refused(t, refusedOnce, /may also send requests to https:\/\/elsewhere\.example\n$/)
  t.strictSame(undone, { state: before, version: '1.0.0' })
  t.equal(agreed.code, 0)
  t.match(await project.read('linker.lock'), /feedshop\.api\.v1@1\.1\.0/)
  t.notMatch(await project.read('linker.lock'), /feedshop\.api\.v1@1\.0\.0/)
  t.match(await project.linker('scan', '--check'), { code: 0 })
})

t.test('add undoes the install of a package that is no adapter or does not serve, and says why', async t => {
  const project = await openNpmProject(t, listing)
  const before = await project.state()
  const cases: [MadePackage, RegExp][] = [
    [
      { manifest: { linker: undefined } },
      /Undoing the install\. LNK_ADAPTER_MANIFEST_INVALID/
    ],
    [{ manifest: { engines: { linker: '^9.0.0' } } }, /Undoing the install\. LNK_ADAPTER_INCOMPATIBLE/],
    [
      { source: "throw new Error('not today')" },
      /Undoing the install\. LNK_ADAPTER_IMPORT_FAILED.*not today/
    ],
    [{
      manifest: {
        version: ownVersion,
        linker: {
          adapterKey: 'shopa.webservice.v1',
          platformType: 'shopa',
          displayName: 'Not Shop A',
          capabilities: ['InventoryMaster']
        }
      }
    }, /Undoing the install\. LNK_ADAPTER_CONFLICT/]
  ]
  for (const [made, message] of cases) {
    refused(t, await project.linker('add', await packAdapter(t, made)), message)
    t.strictSame(await project.state(), before)
    t.notOk(existsSync(project.installed))
  }
})

t.test('a second version goes beside the first under a name of its own, and never replaces it silently', async t => {
  const project = await openNpmProject(t, listing)
  await project.linker('scan')
  await project.linker('add', await packAdapter(t))
  const before = await project.state()
  const newer = await packAdapter(t, { version: '1.1.0' })
  const alias = '@acme/adapter-feedshop-v1-1.1.0'
  const refusedOnce = await project.linker('add', newer)

  refused(
    t,
    refusedOnce,
    pattern(
      /^linker: @acme\/adapter-feedshop-v1 is feedshop\.api\.v1@1\.0\.0, and feedshop\.api\.v1@1\.1\.0 would take /,
      /its place: .* Undoing the install\. .*: linker add @acme\/adapter-feedshop-v1-1\.1\.0@\/.*\.tgz; .*--replace\n$/
    )
  )
  t.strictSame(await project.state(), before)

  const added = await project.linker('add', `${alias}@${newer}`)
  t.match(added, { code: 0, stderr: '', stdout: /^@acme\/adapter-feedshop-v1-1\.1\.0: .*feedshop\.api\.v1@1\.1\.0\n/ })
  t.match(JSON.parse(await project.read('linker.config.json') ?? ''), {
    adapters: ['@linker/adapter-shopa-v1', '@acme/adapter-feedshop-v1', alias]
  })
  t.match(JSON.parse(await project.read('linker.lock') ?? ''), {
    adapters: {
      'feedshop.api.v1@1.0.0': { package: '@acme/adapter-feedshop-v1' },
      'feedshop.api.v1@1.1.0': { package: alias }
    }
  })
  const { stdout } = await project.linker('adapters')
  for (const version of ['1\\.0\\.0', '1\\.1\\.0']) {
    t.match(stdout, new RegExp(`feedshop\\.api\\.v1 +${version} +ready`))
  }
})

t.test('only packages and paths reach the package manager', async t => {
  const project = await openNpmProject(t)
  const before = await project.state()
  for (
    const spec of [
      'git+ssh://git@example.com/x.git',
      'https://example.com/x.tgz',
      'acme/adapter',
      'github:acme/adapter',
      'x@https://example.com/x.tgz',
      'Upper',
      'a b',
      '$(touch x)',
      'x;touch y',
      'x@npm:github:y',
      '@acme',
      ''
    ]
  ) {
    refused(t, await project.linker('add', spec), /is not a package: give a name/)
  }
  refused(t, await project.linker('add', './nowhere'), /nowhere does not exist/)
  refused(t, await project.linker('add', '--', '--global'), /'--global' is not a package/)
  t.strictSame(await project.state(), before)
})

t.test('add uses the package manager whose lock file the project has, and repeats its message', async t => {
  const bin = await temporaryFolder(t)
  for (const name of ['npm', 'pnpm', 'yarn']) {
    await writeFile(join(bin, name), '#!/bin/sh\necho "$0 $* $YARN_ENABLE_SCRIPTS" >&2\nexit 3\n', { mode: 0o755 })
  }
  const expected: [string | undefined, string][] = [[undefined, 'npm install --ignore-scripts'], [
    'pnpm-lock.yaml',
    'pnpm add --ignore-scripts'
  ], ['yarn.lock', 'yarn add']]
  for (const [lockFile, command] of expected) {
    const directory = await temporaryFolder(t)
    const package_ = join(directory, 'packages', 'hub')
    await mkdir(package_, { recursive: true })
    await writeFile(join(package_, 'package.json'), '{}')
    // The lock file lies at the root of a workspace.
    if (lockFile !== undefined) await writeFile(join(directory, lockFile), '')
    refused(
      t,
      await runLinker(['add', 'feedshop@^1.0.0'], package_, { PATH: `${bin}${delimiter}${PATH}` }),
      new RegExp(`${command}.* feedshop@\\^1\\.0\\.0 ended 3:\n.*${command}.* feedshop@\\^1\\.0\\.0 false\n$`)
    )
  }
  const empty = await temporaryFolder(t)
  refused(t, await runLinker(['add', 'feedshop'], empty), /no package\.json in/)
})
