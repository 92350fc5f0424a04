import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'

const repository = fileURLToPath(new URL('../../', import.meta.url))

t.test('a package built from a fresh checkout contains its code', async t => {
  const directory = await mkdtemp(join(tmpdir(), 'linker-pack-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  await mkdir(join(directory, 'sdk'))
  const copied = ['package.json', 'tsconfig.json', 'build', 'src', 'CONFORMANCE.md'].map(path => `sdk/${path}`)
  for (const path of ['tsconfig.base.json', ...copied]) {
    await cp(join(repository, path), join(directory, path), { recursive: true })
  }
  await symlink(join(repository, 'node_modules'), join(directory, 'node_modules'))

  const { stdout } = await promisify(execFile)('npm', ['pack', '--json', '--dry-run'], {
    cwd: join(directory, 'sdk'),
    timeout: 200_000
  })

  const [{ files }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ files: { path: string }[] }]
  const paths = files.map(({ path }) => path)
  for (
    const path of ['dist/index.js', 'dist/index.d.ts', 'dist/host.js', 'dist/testing.js', 'CONFORMANCE.md']
  ) t.ok(paths.includes(path), path)
  t.strictSame(paths.filter(path => path.endsWith('.d.ts.map')), [])
})
