import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'

const directory = join(import.meta.dirname, '..')

t.test('the package holds its program, its licence and every template, and nothing else', async t => {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--json', '--dry-run', '--ignore-scripts'], {
    cwd: directory,
    timeout: 200_000
  })
  const [{ files }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ files: { path: string }[] }]
  const paths = files.map(({ path }) => path)
  const entries = await readdir(join(directory, 'template'), { recursive: true, withFileTypes: true })
  const templates = entries.filter(entry => entry.isFile()).map(({ parentPath, name }) =>
    join(parentPath, name).slice(join(directory, '/').length)
  )
  const own = ['LICENSE', 'README.md', 'bin/create-adapter.js', 'dist/THIRD-PARTY-NOTICES.txt', 'dist/main.js']

  t.ok(templates.length >= 18, 'the templates are found')
  t.strictSame([...own, 'package.json', ...templates].filter(path => !paths.includes(path)), [])
  const isExpected = (path: string): boolean =>
    [...own, 'package.json', ...templates].includes(path) || /^dist\/[\w-]+\.js$/.test(path)
  t.strictSame(paths.filter(path => !isExpected(path)), [])
})

t.test('its licence is that of the project', async t => {
  t.equal(
    await readFile(join(directory, 'LICENSE'), 'utf8'),
    await readFile(join(directory, '..', '..', 'LICENSE'), 'utf8')
  )
})

t.test('a hub that has it among its packages takes it for no adapter', async t => {
  const manifest = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')) as Record<string, unknown>

  t.notOk('linker' in manifest)
  t.notOk('keywords' in manifest)
})
