import { build, stop } from 'esbuild'
import { readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** The files of the console by name, such as `index.html`. */
export type ConsoleFiles = Map<string, Uint8Array>

export interface ConsoleBuild {
  files: ConsoleFiles
  /** The built scripts and styles: the sources in each, and the other files that it loads. */
  outputs: Record<string, { inputs: string[], imports: string[] }>
}

/**
 * Bundles the console. The name of each script and style holds a hash of its content, so browsers
 * may keep it for ever; `index.html` names the current ones.
 */
export async function buildConsole (): Promise<ConsoleBuild> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    entryPoints: { main: 'main.tsx', style: 'style/main.css' },
    outdir: 'out',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: ['es2023', 'chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // The typed client of this repository is bundled from its sources.
    conditions: ['@linker/source', 'module'],
    minify: true,
    legalComments: 'none',
    write: false,
    metafile: true
  })
  // Without this, a child process would stay for the next build.
  await stop()

  const files: ConsoleFiles = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]))
  const names = [...files.keys()]
  const nameOf = (entry: string, extension: string): string =>
    names.find(name => name.startsWith(`${entry}-`) && name.endsWith(extension)) ?? ''
  const outputs = Object
    .fromEntries(Object.entries(metafile.outputs).map(([path, { inputs, imports }]) => [basename(path), {
      inputs: Object.keys(inputs),
      imports: imports.filter(({ kind }) => kind === 'import-statement').map(({ path: to }) => basename(to))
    }]))
  const main = nameOf('main', '.js')
  // A browser would find these only when it has read the main script.
  const preloads = (outputs[main]?.imports ?? []).map(name => `<link rel="modulepreload" href="/console/${name}">`)
  const html = (await readFile(join(folder, 'index.html'), 'utf8'))
    .replace('{{style}}', `/console/${nameOf('style', '.css')}`)
    .replace('{{main}}', `/console/${main}`)
    .replace('{{preloads}}', preloads.join('\n    '))
  files.set('index.html', Buffer.from(html))
  files.set('icon.svg', await readFile(join(folder, 'icon.svg')))
  files.set('LICENSES.txt', Buffer.from(noticesOf(Object.keys(metafile.inputs))))
  return { files, outputs }
}

/** The licences of the bundled packages: most of them require their text beside the code. */
function noticesOf (inputs: readonly string[]): string {
  const packages = inputs.flatMap(path => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [])
  return [...new Set(packages)].sort().map(path => {
    const at = join(folder, path)
    const { name, version, license } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as {
      name: string,
      version: string,
      license: string
    }
    const texts = readdirSync(at).filter(file => /^licen[cs]e/i.test(file)).map(file =>
      readFileSync(join(at, file), 'utf8')
    )
    return `${name} ${version} (${license})\n\n${texts.join('\n').trim()}\n`
  }).join(`\n${'-'.repeat(80)}\n\n`)
}

/** When a source of the console last changed, so that a hub of a checkout knows to build again. */
export async function changedMs (): Promise<number> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const times = found.map(async entry => (await stat(join(entry.parentPath, entry.name))).mtimeMs)
  return Math.max(...await Promise.all(times))
}
