import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { discoverAdapters } from '../../src/adapters/discover.ts'

const mark = '\ufeff'
const manifest = { adapterKey: 'feedshop.api.v1', platformType: 'feedshop', displayName: 'Feedshop', capabilities: [] }
const content = { name: 'feedshop', version: '1.0.0', engines: { linker: '^0.1.0' }, linker: manifest }

async function makeProject (
  t: Test,
  packageJson: string,
  projectJson = JSON.stringify({ dependencies: { feedshop: '1.0.0' } })
): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'linker-discover-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  await mkdir(join(directory, 'node_modules', 'feedshop'), { recursive: true })
  await writeFile(join(directory, 'package.json'), projectJson)
  await writeFile(join(directory, 'node_modules', 'feedshop', 'package.json'), packageJson)
  return directory
}

t.test("a package.json with a byte order mark is read, the project's own too", async t => {
  const directory = await makeProject(
    t,
    mark + JSON.stringify(content),
    mark + JSON.stringify({ dependencies: { feedshop: '1.0.0' } })
  )
  const [found] = await discoverAdapters(directory, {})

  t.equal(found?.problem, undefined)
  t.match(found?.found, { manifest, version: '1.0.0' })
})

t.test('control characters in a manifest are refused before any code runs', async t => {
  const directory = await makeProject(
    t,
    JSON.stringify({ ...content, linker: { ...manifest, displayName: 'Feed\u001b[2J' } })
  )
  const [found] = await discoverAdapters(directory, {})

  t.match(found, {
    problem: {
      state: 'invalid',
      code: 'LNK_ADAPTER_MANIFEST_INVALID',
      message: /\/linker\/displayName holds a control character/
    }
  })
})

t.test('a version with white space around it is refused', async t => {
  const directory = await makeProject(t, JSON.stringify({ ...content, version: '1.0.0\n' }))
  const [found] = await discoverAdapters(directory, {})

  t.match(found, { problem: { code: 'LNK_ADAPTER_MANIFEST_INVALID', message: /\/version must be a SemVer version/ } })
})

t.test('wrong links and icons are left out with a warning, and the adapter is found', async t => {
  const links = { help: 'https://docs.feedshop.example', keys: 'http://feedshop.example' }
  const directory = await makeProject(t, JSON.stringify({ ...content, linker: { ...manifest, links, icon: 7 } }))
  const [found] = await discoverAdapters(directory, {})

  t.equal(found?.problem, undefined)
  t.strictSame(found?.found?.manifest, { ...manifest, links: { help: links.help } })
  t.match(found?.found?.warning, /^'feedshop' .*\/linker\/links\/keys .*\. 'feedshop' .*\/linker\/icon /)
})
