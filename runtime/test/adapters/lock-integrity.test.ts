import { chmod, cp, mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { integrityOf } from '../../src/adapters/lock-integrity.ts'

async function folder (t: Test, files: Record<string, string> = {}): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'linker-integrity-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await writeFile(join(directory, path), content)
  }
  return directory
}

const files = {
  'package.json': '{}',
  'dist/index.js': 'export default 1',
  'src/index.ts': 'export default 1',
  'README.md': ''
}

t.test('the same files have the same integrity, in any folder and of any age', async t => {
  const directory = await folder(t, files)
  const copy = await folder(t)
  await cp(directory, copy, { recursive: true })
  await utimes(join(copy, 'package.json'), 1, 1)
  await chmod(join(copy, 'dist/index.js'), 0o755)
  const link = join(await folder(t), 'link')
  await symlink(directory, link)

  t.match(await integrityOf(directory), /^sha512-[A-Za-z0-9+/]{86}==$/)
  t.equal(await integrityOf(copy), await integrityOf(directory))
  t.equal(await integrityOf(link), await integrityOf(directory), 'a linked package is the one that it leads to')
})

t.test('another byte, name or place gives another integrity', async t => {
  const directory = await folder(t, files)
  const seen = [await integrityOf(directory)]
  const changes: (() => Promise<unknown>)[] = [
    () => writeFile(join(directory, 'dist/index.js'), 'export default 2'),
    () => writeFile(join(directory, 'src/index.ts'), 'export default 2'),
    () => writeFile(join(directory, '.hidden'), ''),
    () => rename(join(directory, 'README.md'), join(directory, 'dist', 'README.md')),
    () => rm(join(directory, 'dist', 'README.md'))
  ]
  for (const change of changes) {
    await change()
    seen.push(await integrityOf(directory))
  }

  t.equal(new Set(seen).size, changes.length + 1)
})

t.test('the integrity changes when text moves from the end of one file or name to the start of the next', async t => {
  const contents: Record<string, string>[] = [
    { a: '1:b1:x', b: '' },
    { a: '', b: '1:b1:x' },
    { a: 'xy', b: 'z' },
    { a: 'x', b: 'yz' },
    { ab: 'c' },
    { a: 'bc' }
  ]
  const integrities = await Promise.all(contents.map(async content => integrityOf(await folder(t, content))))

  t.equal(new Set(integrities).size, integrities.length)
})

t.test('dependencies and the repository do not count', async t => {
  const plain = await folder(t, files)
  const full = await folder(t, {
    ...files,
    'node_modules/x/index.js': '1',
    'dist/node_modules/y/index.js': '2',
    '.git/HEAD': 'ref'
  })

  t.equal(await integrityOf(full), await integrityOf(plain))
})

t.test('a link inside the package counts as its target, and a circle of links ends', async t => {
  const outside = await folder(t, { 'code.js': '1' })
  const directory = await folder(t, files)
  await symlink(outside, join(directory, 'lib'))
  await symlink(join(outside, 'code.js'), join(directory, 'code.js'))
  await symlink(directory, join(directory, 'self'))
  await symlink(join(outside, 'nowhere'), join(directory, 'broken'))
  const before = await integrityOf(directory)
  await writeFile(join(outside, 'code.js'), '2')

  t.not(await integrityOf(directory), before)
})
