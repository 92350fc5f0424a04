import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ownFile, readDevSettings, suiteFile } from '../../../src/cli/dev/connection-settings.ts'

async function makeFolder (t: Test, files: Record<string, object | string>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'linker-settings-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(directory, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return directory
}

const suite = {
  config: { baseUrl: '{origin}/api' },
  credentials: { key: 'made-up' },
  platform: { sandbox: '{origin}' }
}
const address = 'http://127.0.0.1:4700'

t.test('the settings of the suite make a connection to an upstream', async t => {
  const directory = await makeFolder(t, { [suiteFile]: { ...suite, exemptions: [] } })

  t.strictSame(await readDevSettings(directory, `${address}/`), {
    config: { baseUrl: `${address}/api` },
    credentials: { key: 'made-up' },
    platform: { sandbox: address }
  })
})

t.test("the author's own settings win, member by member", async t => {
  const own = { credentials: { key: 'real' }, upstream: 'https://test.example' }
  const directory = await makeFolder(t, { [suiteFile]: suite, [ownFile]: own })

  t.match(await readDevSettings(directory, undefined), {
    config: { baseUrl: 'https://test.example/api' },
    credentials: { key: 'real' }
  })
  t.match(await readDevSettings(directory, address), { config: { baseUrl: `${address}/api` } })
})

t.test('settings that name an unknown upstream, and a folder without settings, say what is missing', async t => {
  t.match(await readDevSettings(await makeFolder(t, { [suiteFile]: suite }), undefined), { lacks: /--upstream/ })
  t.match(await readDevSettings(await makeFolder(t, {}), address), { lacks: new RegExp(ownFile) })
})

t.test('a wrong file is named, without its content', async t => {
  const cases: [Record<string, object | string>, RegExp][] = [
    [{ [ownFile]: '{ "credentials": the-secret' }, /^linker\.dev\.json is not JSON$/],
    [{ [ownFile]: { configuration: {} } }, /^linker\.dev\.json\/configuration: /],
    [{ [ownFile]: { upstream: 'test.example' } }, /^linker\.dev\.json\/upstream: /],
    [{ [suiteFile]: { config: 'text' } }, /^linker\.conformance\.json\/config: /]
  ]
  for (const [files, message] of cases) {
    await t.rejects(readDevSettings(await makeFolder(t, files), address), { message })
  }
})
