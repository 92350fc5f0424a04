import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { rememberFolder } from '../../src/adapters/folder-state.ts'

async function makeFolder (t: Test, entry: string, more: readonly string[] = []) {
  const directory = await mkdtemp(join(tmpdir(), 'linker-folder-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await writeFile(join(directory, path), text)
  }
  for (const path of ['package.json', entry, ...more]) await write(path, 'first')
  const findChange = await rememberFolder({ directory }, pathToFileURL(join(directory, entry)).href)
  return { directory, write, findChange }
}

const built = ['dist/part.js', 'src/index.ts', 'src/test/index.test.ts', 'README.md']

t.test('a folder that nobody changed has not changed, whatever happens to tests and texts', async t => {
  const { write, findChange } = await makeFolder(t, 'dist/index.js', built)
  t.equal(await findChange(), undefined)

  await write('README.md', 'second')
  await write('src/test/index.test.ts', 'second')
  await write('src/index.test.ts', 'second')
  await write('node_modules/other/index.js', 'second')
  await write('dist/index.d.ts', 'second')

  t.equal(await findChange(), undefined)
})

t.test('a file that was only touched has not changed', async t => {
  const { directory, findChange } = await makeFolder(t, 'dist/index.js', built)
  await utimes(join(directory, 'dist/index.js'), 1, 1)

  t.equal(await findChange(), undefined)
  t.equal(await readFile(join(directory, 'dist/index.js'), 'utf8'), 'first')
})

for (const path of ['dist/index.js', 'dist/new.js', 'package.json']) {
  t.test(`a change of ${path} asks for a restart`, async t => {
    const { write, findChange } = await makeFolder(t, 'dist/index.js', built)
    await write(path, 'changed')

    t.match(await findChange(), { remedy: 'restart the hub' })
  })
}

t.test('sources that are newer than what was built ask for a build first', async t => {
  const { directory, write, findChange } = await makeFolder(t, 'dist/index.js', built)
  await write('src/index.ts', 'changed')

  t.match(await findChange(), { remedy: `cd ${directory} && npm run build, then restart the hub` })
})

t.test('a module beside package.json counts with all folders but those of others', async t => {
  const { write, findChange } = await makeFolder(t, 'index.js', ['part/a.js'])
  await write('node_modules/other/index.js', 'second')
  t.equal(await findChange(), undefined)

  await write('part/a.js', 'changed')

  t.match(await findChange(), { remedy: 'restart the hub' })
})
