import { execFile } from 'node:child_process'
import { glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { create, extract } from 'tar'

// `node pack.js <folder> [<workspace> …]`, run in the root of the repository, packs built packages
// as they are published: without the condition that leads to the sources, which are not in a
// package. Without workspaces it packs all that are not private. Prints a JSON list of `{ name,
// path, files }`.

const [to = '', ...named] = process.argv.slice(2)
const condition = '@linker/source'
const mostBytes = 64 * 1024 * 1024

if (to === '') throw new Error('name the folder that the tarballs go to')

async function readJson (path) {
  return JSON.parse(await readFile(path, 'utf8'))
}

async function listPublished () {
  const { workspaces } = await readJson('package.json')
  const published = []
  for await (const path of glob(workspaces.map(workspace => `${workspace}/package.json`))) {
    const { private: isPrivate } = await readJson(path)
    if (isPrivate !== true) published.push(dirname(path))
  }
  return published
}

/** Replaces a tarball by one whose package.json names only files that are in it. */
async function withoutSources (tarball) {
  const place = await mkdtemp(join(tmpdir(), 'linker-pack-'))
  try {
    await extract({ file: tarball, cwd: place })
    const path = join(place, 'package', 'package.json')
    const manifest = await readJson(path)
    for (const target of Object.values(manifest.exports)) delete target[condition]
    await writeFile(path, `${JSON.stringify(manifest, null, 2)}\n`)
    await create({ file: tarball, cwd: place, gzip: true, portable: true }, ['package'])
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

const folder = resolve(to)
await mkdir(folder, { recursive: true })
const workspaces = (named.length === 0 ? await listPublished() : named).flatMap(name => ['--workspace', name])
const { stdout } = await promisify(execFile)(
  'npm',
  ['pack', '--json', '--ignore-scripts', '--pack-destination', folder, ...workspaces],
  { maxBuffer: mostBytes }
)
const packed = JSON.parse(stdout).map(({ name, filename, files }) => ({
  name,
  path: join(folder, filename),
  files: files.map(({ path }) => path)
}))
await Promise.all(packed.map(({ path }) => withoutSources(path)))
console.log(JSON.stringify(packed, null, 2))
