import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import type { AdapterRecord } from '../../src/adapters/load.ts'
import { loadFrom, makeDirectory } from './load-from.ts'

const run = promisify(execFile)

/** Tests of this repository import sources; a packed package has none. */
async function forgetSources (path: string): Promise<void> {
  const manifest = JSON.parse(await readFile(path, 'utf8')) as { exports: { '.': Record<string, string> } }
  delete manifest.exports['.']['@linker/source']
  await writeFile(path, JSON.stringify(manifest))
}

/**
 * Loads an adapter from a tarball that was packed when the root of the SDK still exported the
 * library for HTML, the HTTP client factory and the address policy.
 */
async function loadPacked (t: Test, name: string): Promise<AdapterRecord | undefined> {
  const directory = await makeDirectory(t, ['@sinclair/typebox', 'fast-xml-parser'])
  const folder = join(directory, 'node_modules/@linker', name)
  await mkdir(folder)
  const tarball = fileURLToPath(new URL(`../../../test/fixtures/packages-before/${name}.tar.gz`, import.meta.url))
  await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'])
  await forgetSources(join(folder, 'package.json'))
  return (await loadFrom(t, directory, [{ use: `@linker/${name}`, isolation: 'inline' }]))[0]
}

t.test('an older package that used only the contract still loads', async t => {
  const record = await loadPacked(t, 'adapter-shopa-v1')

  t.equal(record?.problem, undefined)
  t.strictSame(record?.adapter?.supportedCapabilities, ['ProductMaster', 'InventoryMaster', 'OrderProcessorManager'])
})

t.test('an older package that imports a moved export is refused, and the error names the new path', async t => {
  const record = await loadPacked(t, 'adapter-mktb-v1')

  t.match(record?.problem, { state: 'incompatible', code: 'LNK_ADAPTER_INCOMPATIBLE' })
  t.match(record?.problem?.message, "'@linker/sdk/html'")
})
