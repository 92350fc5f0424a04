import { execFile } from 'node:child_process'
import { glob, readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { repository } from '../support/project.ts'

interface Manifest {
  name: string
  private?: boolean
  workspaces?: string[]
}
interface Packed {
  name: string
  files: { path: string }[]
}

const readManifest = async (path: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(repository, path), 'utf8')) as Manifest

/** Returns the folders of the packages that are published, by name. */
async function findPublished (): Promise<Map<string, string>> {
  const { workspaces = [] } = await readManifest('package.json')
  const published = new Map<string, string>()
  for await (const path of glob(workspaces.map(folder => `${folder}/package.json`), { cwd: repository })) {
    const manifest = await readManifest(path)
    if (manifest.private !== true) published.set(manifest.name, dirname(path))
  }
  return published
}

t.test('the links of each published README lead to files of its package', async t => {
  const folders = await findPublished()
  t.ok(folders.size >= 6, 'the packages are found')
  const workspaces = [...folders.keys()].flatMap(name => ['--workspace', name])
  const { stdout } = await promisify(execFile)(
    'npm',
    ['pack', '--json', '--dry-run', '--ignore-scripts', ...workspaces],
    { cwd: repository, maxBuffer: 16 * 1024 * 1024 }
  )
  const packages = JSON.parse(stdout) as Packed[]
  t.strictSame(packages.map(({ name }) => name).toSorted(), [...folders.keys()].toSorted())

  for (const { name, files } of packages) {
    const paths = files.map(({ path }) => path)
    const readme = await readFile(join(repository, folders.get(name) ?? '', 'README.md'), 'utf8')
    const targets = [...readme.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target.replace(/#.*$/, ''))
      .filter(target => target !== '' && !/^[a-z]+:/.test(target))
    t.ok(paths.includes('README.md'), `${name} has a README`)
    t.strictSame(targets.filter(target => !paths.includes(normalize(target))), [], name)
  }
})
