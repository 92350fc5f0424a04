import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { openAuthor, type Author } from '../support/author.ts'
import { refused } from '../support/command.ts'
import { runLinker } from '../support/hub-process.ts'
import { temporaryFolder } from '../support/npm-project.ts'
import { startRegistry } from '../support/registry.ts'

const name = '@acme/adapter-parcelo-v1'
const linters = ['publint', '@arethetypeswrong/cli']

async function pack (t: Test, { directory }: Author): Promise<string> {
  const place = await temporaryFolder(t)
  await promisify(execFile)('npm', ['pack', '--silent', '--pack-destination', place], { cwd: directory })
  return join(place, (await readdir(place))[0] ?? '')
}

t.test('an adapter that nobody published yet is ready, and missing linters are named with their command', async t => {
  const registry = await startRegistry(t)
  const { directory } = await openAuthor(t)
  const { code, stdout, stderr } = await runLinker(['publish', '--dry-run'], directory, {
    npm_config_registry: registry.url
  })

  t.match({ code, stderr }, { code: 0, stderr: '' })
  t.match(stdout, /^@acme\/adapter-parcelo-v1@0\.1\.0\n\n\d+ files, \d+ kB\n(?: {2}.*\n)*? {2}dist\/index\.js\n/)
  t.match(stdout, /\nConformance\n {2}\d+ passed, 0 failed, /)
  t.match(stdout, /\nContract\n {2}the registry has no version of it/)
  for (const linter of linters) t.match(stdout, `\n${linter}\n  not installed: npm install --save-dev ${linter}\n`)
  t.match(stdout, /\n✓ ready for npm publish\. Nothing was uploaded\n$/)
  t.ok(registry.requests.length > 0)
  t.strictSame(registry.requests.filter(request => !request.startsWith('GET ')), [])
})

t.test('a change that breaks connections needs a higher version than the one that was published', async t => {
  const registry = await startRegistry(t)
  const author = await openAuthor(t, linters)
  await registry.publish(name, '0.1.0', await pack(t, author))
  await author.edit(
    'package.json',
    text => text.replace('"version": "0.1.0"', '"version": "0.1.1"').replace('config.baseUrl', 'config.siteUrl')
  )
  await author.edit(
    'dist/index.js',
    text =>
      text.replace('{ baseUrl:', "{ region: Type.Optional(Type.String({ title: 'Region' })), siteUrl:")
        .replaceAll('config.baseUrl', 'config.siteUrl')
  )
  await author.edit('linker.conformance.json', text => text.replace('baseUrl', 'siteUrl'))
  const { code, stdout } = await runLinker(['publish', '--dry-run', '--json'], author.directory, {
    npm_config_registry: registry.url
  })
  const report = JSON.parse(stdout) as { changes: object[] }

  t.equal(code, 1)
  t.match(report, {
    name,
    version: '0.1.1',
    published: '0.1.0',
    advice: { step: 'major', least: '0.2.0', fits: false },
    conformance: { isPassed: true },
    tools: linters.map(linter => ({ name: linter, status: 'passed' })),
    problems: ['version 0.1.1 does not fit a major step from 0.1.0: use 0.2.0 or higher']
  })
  t.strictSame(report.changes, [
    { step: 'major', place: 'config /baseUrl', message: 'is gone' },
    { step: 'minor', place: 'config /region', message: 'is new' },
    { step: 'major', place: 'config /siteUrl', message: 'is new and required' },
    { step: 'minor', place: 'permission', message: 'it may now send requests to ${config.siteUrl}' },
    { step: 'patch', place: 'permission', message: 'it may no longer send requests to ${config.baseUrl}' }
  ])
})

t.test('a report of other files than those that were packed is a reason not to publish', async t => {
  const registry = await startRegistry(t)
  const author = await openAuthor(t)
  await author.edit('package.json', text => text.replace('"files": [', '"files": ["linker.conformance-report.json", '))
  const report = await runLinker(['conformance', '--report'], author.directory)
  const publish = () => runLinker(['publish', '--dry-run'], author.directory, { npm_config_registry: registry.url })

  t.equal(report.code, 0)
  t.match(await publish(), { code: 0, stdout: /\n {2}linker\.conformance-report\.json\n/ })
  await author.edit('dist/index.js', text => `${text}\n// changed after the test`)
  t.match(await publish(), {
    code: 1,
    stdout: /✗ linker\.conformance-report\.json is not of what was packed: dist\/index\.js has changed since the test/
  })
})

t.test('every reason not to publish is listed', async t => {
  const registry = await startRegistry(t)
  const author = await openAuthor(t)
  const former = await pack(t, author)
  await author.edit('package.json', text => text.replace('"linker-adapter"', '"linker"'))
  const { code, stdout } = await runLinker(['publish', '--dry-run', '--against', former], author.directory, {
    npm_config_registry: registry.url
  })

  t.equal(code, 1)
  t.match(stdout, /\nConformance\n {2}FAILED {3}L1-MAN-02 /)
  t.match(
    stdout,
    /\nContract\n {2}no difference from 0\.1\.0: a patch step, 0\.1\.1 or higher; package\.json has 0\.1\.0\n/
  )
  t.match(
    stdout,
    '✗ the conformance suite fails\n' +
      '✗ version 0.1.0 is not above 0.1.0, which is published: use 0.1.1 or higher\n' +
      'Nothing was uploaded\n'
  )
})

t.test('the command uploads nothing, and says what is missing', async t => {
  const { directory, edit } = await openAuthor(t)
  const empty = await temporaryFolder(t)
  await edit(
    'package.json',
    text => text.replace('"dependencies": {', '"dependencies": {\n    "@acme/labels": "file:../labels",')
  )

  refused(t, await runLinker(['publish'], directory), /this command uploads nothing: linker publish --dry-run/)
  refused(t, await runLinker(['publish', '--dry-run'], empty), /there is no package\.json in /)
  refused(
    t,
    await runLinker(['publish', '--dry-run'], directory),
    /the dependency @acme\/labels is 'file:\.\.\/labels', which nobody else can install/
  )
})
