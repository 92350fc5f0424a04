import { conformanceReportFile, digestPackage, readTestedLevel } from '@linker/sdk/host'
import { conformanceChecks, writePackageReport, type CheckResult } from '@linker/sdk/testing'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'

const packageJson = {
  name: '@acme/adapter-good-v1',
  version: '1.0.0',
  files: ['dist', '!dist/secret.js', './linker.conformance.json'],
  linker: { adapterKey: 'good.api.v1' }
}
const checks: CheckResult[] = conformanceChecks.map(({ id, level, title, prevents }) => ({
  id,
  level,
  title,
  prevents,
  status: level === 3 ? 'skipped' : id === 'L2-ERR-06' ? 'exempt' : 'passed',
  findings: []
}))

async function makePackage (t: Test) {
  const directory = t.testdir({
    'package.json': JSON.stringify(packageJson),
    'linker.conformance.json': '{}',
    'README.md': 'a text',
    'dist': { 'index.js': 'export default 1', 'index.d.ts': 'types', 'secret.js': '', 'deep': { 'more.json': '{}' } },
    'test': { 'index.js': 'not published' }
  })
  const entry = pathToFileURL(join(directory, 'dist/index.js')).href
  const edit = async (file: string, change: (text: string) => string): Promise<void> => {
    const path = join(directory, file)
    await writeFile(path, change(await readFile(path, 'utf8')))
  }
  const files = await digestPackage(directory)
  const report = { directory, files, name: packageJson.name, version: '1.0.0', isPassed: true, checks }
  return { directory, edit, report, tested: () => readTestedLevel(directory, entry) }
}

t.test('a package without a report has no level', async t => {
  const { tested } = await makePackage(t)

  t.equal(await tested(), undefined)
})

t.test('the report has the level, the checks and the files that decide what the adapter does', async t => {
  const { directory, report, tested } = await makePackage(t)
  const file = await writePackageReport(report)

  t.equal(file, join(directory, conformanceReportFile))
  const written = JSON.parse(await readFile(file, 'utf8')) as { files: object, skipped: string[] }
  t.strictSame(Object.keys(written.files), [
    'dist/deep/more.json',
    'dist/index.js',
    'linker.conformance.json',
    'package.json'
  ])
  t.match(written, { level: 2, failed: [], exempt: ['L2-ERR-06'] })
  t.ok(written.skipped.every(id => id.startsWith('L3-')))
  t.match(await tested(), { level: 2, suite: /^\d/, exempt: ['L2-ERR-06'], reason: undefined })
})

t.test('a package that was packed keeps its level', async t => {
  const { edit, report, tested } = await makePackage(t)
  await writePackageReport(report)
  await edit('README.md', () => 'another text')
  await edit('dist/index.d.ts', () => 'other types')
  await edit(
    'package.json',
    () =>
      JSON.stringify({ exports: {}, linker: packageJson.linker, version: '1.0.0', name: packageJson.name, files: [] })
  )

  t.match(await tested(), { level: 2 })
})

const changes = {
  'its module': ['dist/index.js', 'dist/index.js has changed since the test'],
  'a file beside it': ['dist/deep/more.json', 'dist/deep/more.json has changed since the test'],
  'the settings of the suite': ['linker.conformance.json', 'linker.conformance.json has changed since the test']
} as const
for (const [what, [file, reason]] of Object.entries(changes)) {
  t.test(`after a change of ${what}, nobody knows the level`, async t => {
    const { edit, report, tested } = await makePackage(t)
    await writePackageReport(report)
    await edit(file, text => `${text} `)

    t.strictSame(await tested(), { level: null, suite: null, exempt: [], reason })
  })
}

t.test('a version or a permission that was not tested has no level', async t => {
  const { edit, report, tested } = await makePackage(t)
  await writePackageReport(report)
  await edit('package.json', text => text.replace('1.0.0', '1.0.1'))

  t.match(await tested(), { level: null, reason: 'package.json has changed since the test' })
})

t.test('a module that was not tested has no level', async t => {
  const { directory, report } = await makePackage(t)
  await writePackageReport(report)

  t.match(await readTestedLevel(directory, pathToFileURL(join(directory, 'test/index.js')).href), {
    level: null,
    reason: 'test/index.js runs, which was not tested'
  })
})

t.test('a report that is none has no level', async t => {
  const { directory, tested } = await makePackage(t)
  for (const text of ['{', '{"level":3}', '{"level":4,"suite":"1","files":{}}']) {
    await writeFile(join(directory, conformanceReportFile), text)

    t.match(await tested(), { level: null, reason: `${conformanceReportFile} is not one of the suite` })
  }
})

t.test('a run of some checks makes no report, and neither does a package that publishes everything', async t => {
  const { report, edit } = await makePackage(t)

  await t.rejects(writePackageReport({ ...report, checks: checks.slice(1) }), { message: /needs all checks/ })
  await edit('package.json', () => '{"name":"a"}')
  await t.rejects(writePackageReport(report), { message: /has no files/ })
})

for (const file of ['dist/index.js', 'package.json', 'dist/new.js']) {
  t.test(`no level is written when ${file} changed during the test`, async t => {
    const { directory, report, tested } = await makePackage(t)
    const text = file === 'package.json' ? JSON.stringify({ ...packageJson, version: '1.0.1' }) : 'export default 2'
    await writeFile(join(directory, file), text)

    await t.rejects(writePackageReport(report), {
      message: `${file} has changed during the test: test the package again`
    })
    t.equal(await tested(), undefined)
  })
}

for (const member of ['imports', 'optionalDependencies']) {
  t.test(`after a change of ${member}, nobody knows the level`, async t => {
    const { edit, report, tested } = await makePackage(t)
    await writePackageReport(report)
    await edit('package.json', () => JSON.stringify({ ...packageJson, [member]: { '#a': './dist/secret.js' } }))

    t.match(await tested(), { level: null, reason: 'package.json has changed since the test' })
  })
}

t.test('a report leads to no file outside the package, and to nothing that is no file', async t => {
  const { directory, edit, report, tested } = await makePackage(t)
  await writePackageReport(report)
  const good = await readFile(join(directory, conformanceReportFile), 'utf8')
  await symlink('/etc/hostname', join(directory, 'dist/link.js'))
  const reasons = {
    '/etc/hostname': '/etc/hostname is not inside the package',
    'dist/../../a': 'dist/../../a is not inside the package',
    'dist/link.js': 'dist/link.js is not inside the package',
    'dist/deep': 'dist/deep is no file'
  }
  for (const [name, reason] of Object.entries(reasons)) {
    await edit(conformanceReportFile, () => good.replace('"files": {', `"files": {${JSON.stringify(name)}:"sha256-",`))

    t.match(await tested(), { level: null, reason })
  }
})

t.test('a report that is too long is not read, and neither is a file', async t => {
  const { directory, edit, report, tested } = await makePackage(t)
  await writePackageReport(report)
  await writeFile(join(directory, 'dist/index.js'), Buffer.alloc(16 * 1024 * 1024 + 1))
  t.match(await tested(), { level: null, reason: /^dist\/index\.js has 16777217 bytes/ })
  await edit(conformanceReportFile, text => text + ' '.repeat(65_536))

  t.match(await tested(), { level: null, reason: /^linker\.conformance-report\.json has \d+ bytes, at most 65536/ })
})
