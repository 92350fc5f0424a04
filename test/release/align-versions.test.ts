import t from 'tap'
import { repository } from '../support/project.ts'
import { alignVersions, repeating } from './align-versions.ts'
import { readVersionFiles } from './repository-files.ts'

/** Files as they are after Lerna raised the versions of the workspaces. */
function filesAt (version: string): Map<string, string> {
  return new Map([
    ['package.json', '{ "name": "linker", "dependencies": { "@linker/runtime": "0.1.0" }, "version": "9.9.9" }'],
    ['runtime/package.json', `{ "name": "@linker/runtime", "version": "${version}" }`],
    ['sdk/package.json', `{ "name": "@linker/sdk", "version": "${version}" }`],
    [
      'plugins/adapter/package.json',
      `{
        "name": "@linker/adapter",
        "version": "${version}",
        "engines": { "node": ">=22.19", "linker": "^0.1.0" },
        "bin": { "linker": "./bin/linker.js" },
        "peerDependencies": { "@linker/sdk": "${version}", "@acme/sdk": "^0.1.0" }
      }`
    ],
    [repeating.contract, "export const contractVersion = '0.1.0'"],
    [repeating.report, 'export const contractVersion = "0.1.0";'],
    [repeating.readme, '"engines": { "linker": "^0.1.0" }, "devDependencies": { "@linker/sdk": "^0.1.0" }'],
    [repeating.image, '--build-arg PACKAGES="@linker/runtime@0.1.0 @acme/adapter@0.1.0"']
  ])
}

t.test('every place that repeats a version of ours follows it, and no other place', t => {
  const aligned = alignVersions(filesAt('1.2.3'))

  t.strictSame(JSON.parse(aligned.get('package.json') ?? ''), {
    name: 'linker',
    dependencies: { '@linker/runtime': '1.2.3' },
    version: '9.9.9'
  })
  t.match(JSON.parse(aligned.get('plugins/adapter/package.json') ?? ''), {
    engines: { node: '>=22.19', linker: '^1.2.0' },
    bin: { linker: './bin/linker.js' },
    peerDependencies: { '@linker/sdk': '^1.2.0', '@acme/sdk': '^0.1.0' }
  })
  t.equal(aligned.get(repeating.contract), "export const contractVersion = '1.2.3'")
  t.equal(aligned.get(repeating.report), 'export const contractVersion = "1.2.3";')
  t.equal(
    aligned.get(repeating.readme),
    '"engines": { "linker": "^1.2.3" }, "devDependencies": { "@linker/sdk": "^1.2.3" }'
  )
  t.equal(aligned.get(repeating.image), '--build-arg PACKAGES="@linker/runtime@1.2.3 @acme/adapter@0.1.0"')
  t.notOk(aligned.has('sdk/package.json'), 'Lerna has written it')
  t.end()
})

t.test('a range that leads to a prerelease names it, because ^1.0.0 does not take it', t => {
  const aligned = alignVersions(filesAt('1.0.0-rc.1'))

  t.match(JSON.parse(aligned.get('plugins/adapter/package.json') ?? ''), {
    engines: { linker: '^1.0.0-rc.1' },
    peerDependencies: { '@linker/sdk': '^1.0.0-rc.1' }
  })
  t.end()
})

t.test('a file that lost its place for the version is named', t => {
  const files = filesAt('1.0.0').set(repeating.contract, 'export const contractVersion = readVersion()')

  t.throws(() => alignVersions(files), { message: /^sdk\/src\/adapter\.ts has 0 places/ })
  t.end()
})

t.test('the versions of this repository are aligned', async t => {
  t.strictSame([...alignVersions(await readVersionFiles(repository)).keys()], [])
})
