import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { findDevEntry } from '../../../src/cli/dev/source-entry.ts'

async function makePackage (t: Test, content: object, files: readonly string[], folder = ''): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'linker-entry-')))
  t.teardown(() => rm(root, { recursive: true, force: true }))
  const directory = join(root, folder)
  for (const path of ['package.json', ...files]) {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await writeFile(join(directory, path), path === 'package.json' ? JSON.stringify(content) : '')
  }
  return directory
}

const scaffolded = { exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } } }

t.test('the source of a built module has its place and name below src', async t => {
  const files = { './dist/index.js': 'src/index.ts', './lib/a/b.mjs': 'src/a/b.mts', './out/index.js': 'index.ts' }
  for (const [target, source] of Object.entries(files)) {
    const directory = await makePackage(t, { exports: target }, [source])
    const [, output] = target.split('/')
    t.strictSame(await findDevEntry(directory, false), { source: join(directory, source), output })
  }
  const directory = await makePackage(t, scaffolded, ['src/index.ts', 'dist/index.js'])
  t.strictSame(await findDevEntry(directory, false), { source: join(directory, 'src/index.ts'), output: 'dist' })
})

t.test('a package without such a source runs what it exports', async t => {
  for (const content of [{ exports: './index.js' }, { main: 'index.js' }, { exports: './src/index.ts' }, {}]) {
    t.strictSame(await findDevEntry(await makePackage(t, content, ['src/index.ts']), false), {})
  }
  t.strictSame(await findDevEntry(await makePackage(t, scaffolded, ['dist/index.js']), false), {})
})

t.test('the sources of an installed package do not run: Node strips no types there', async t => {
  const directory = await makePackage(t, scaffolded, ['src/index.ts'], 'node_modules/feed')

  t.strictSame(await findDevEntry(directory, false), {})
})

t.test('a package that is built first runs what it exports, and its output is known', async t => {
  const directory = await makePackage(t, scaffolded, ['src/index.ts'])

  t.strictSame(await findDevEntry(directory, true), { output: 'dist' })
})
