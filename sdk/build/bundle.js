import { build } from 'esbuild'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'

// `node bundle.js [--external <package> …] [<name>=]<entry> …` bundles the package in the current
// folder into `dist`, together with the packages that it uses, except the external ones. A process
// that imports many small modules spends most of its start on finding them. Each entry becomes a
// file directly in `dist`, named after the entry or `name`.

const outdir = 'dist'

const { values: { external }, positionals: entries } = parseArgs({
  allowPositionals: true,
  options: { external: { type: 'string', multiple: true, default: [] } }
})

/** The name of the file that an entry becomes, and the path of the entry. */
function readEntry (entry) {
  const [path = '', name = basename(path, '.ts')] = entry.split('=').toReversed()
  return [name, path]
}

/** The folders of the packages whose code is in the bundle. */
function packagesOf (inputs) {
  const folders = Object.keys(inputs).flatMap(path => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [])
  return [...new Set(folders)].sort()
}

/** Returns the licence of a package: most licences require their text beside the code. */
function noticeOf (folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const texts = readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isFile() && /^(?:licen[cs]e|notice|copying)/i.test(entry.name))
    .map(entry => readFileSync(join(folder, entry.name), 'utf8').trim())
  const text = texts.length === 0 ? 'The package contains no licence file.' : texts.join('\n\n')
  return `${name} ${version} (${typeof license === 'string' ? license : 'see below'})\n\n${text}\n`
}

const { outputFiles, metafile } = await build({
  entryPoints: Object.fromEntries(entries.map(readEntry)),
  outdir,
  bundle: true,
  splitting: true,
  chunkNames: '[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node22.19',
  // Packages of this repository that are no dependencies of the bundle are made of their sources.
  conditions: ['@linker/source', 'module'],
  external: external.flatMap(name => [name, `${name}/*`]),
  // Some of the packages are CommonJS and call `require` for modules of Node.
  banner: {
    js: [
      "import { createRequire as createBundleRequire } from 'node:module'",
      'const require = createBundleRequire(import.meta.url)'
    ].join('\n')
  },
  sourcemap: 'linked',
  sourcesContent: false,
  legalComments: 'none',
  write: false,
  metafile: true
})

const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]))
files.set('THIRD-PARTY-NOTICES.txt', packagesOf(metafile.inputs).map(noticeOf).join(`\n${'-'.repeat(80)}\n\n`))
await mkdir(outdir, { recursive: true })
// Replace each file in one step: another process may be running or packing the package.
for (const [name, contents] of files) {
  await writeFile(join(outdir, `${name}.new`), contents)
  await rename(join(outdir, `${name}.new`), join(outdir, name))
}
// Remove what an earlier build left.
for (const name of await readdir(outdir, { recursive: true })) {
  if (/\.(?:js|js\.map|new)$/.test(name) && !files.has(name)) await rm(join(outdir, name))
}
