import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'

interface Manifest {
  exports: Record<string, string | Record<string, string>>
  scripts: { bundle: string }
}

const repository = fileURLToPath(new URL('../../', import.meta.url))

t.test('a package built from a fresh checkout contains its code', async t => {
  const directory = await mkdtemp(join(tmpdir(), 'linker-pack-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  await mkdir(join(directory, 'sdk'))
  const copied = ['package.json', 'tsconfig.json', 'build', 'src', 'docs', 'CONFORMANCE.md'].map(path => `sdk/${path}`)
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
  const { exports, scripts } = JSON.parse(await readFile(join(repository, 'sdk/package.json'), 'utf8')) as Manifest
  const exported = Object.values(exports).flatMap(target => typeof target === 'string' ? [] : Object.values(target))
  const published = exported.filter(path => path.startsWith('./dist/')).map(path => path.slice(2))
  const threads = [...scripts.bundle.matchAll(/(\S+)=\S+/g)].map(([, name]) => `dist/${name}.js`)
  t.ok(published.length > 10 && threads.length > 5, 'the files are found')
  for (const path of [...published, ...threads, 'CONFORMANCE.md', 'docs/errors.md']) t.ok(paths.includes(path), path)
  t.strictSame(paths.filter(path => path.endsWith('.d.ts.map')), [])
})
