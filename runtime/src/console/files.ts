import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress, gzip } from 'node:zlib'
import { packageFolder } from '../package-folder.ts'

export interface ConsoleFile {
  type: string
  bytes: Buffer
  /** Undefined: compressing does not make it smaller. */
  gzipped: Buffer | undefined
  etag: string
  /** Whether the name holds the hash of the content. */
  isHashed: boolean
}

export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8'
}

/** The program that bundles the console; only a checkout has it. */
interface Bundler {
  buildConsole(): Promise<{ files: ReadonlyMap<string, Uint8Array> }>
  changedMs(): Promise<number>
}

/**
 * Returns a function that loads the files of the console. It loads them when somebody first asks
 * for one. A published hub reads them; a hub that runs from a checkout bundles them, again after a
 * change.
 */
export function createConsoleFiles (): () => Promise<ConsoleFiles> {
  const isSource = import.meta.url.endsWith('.ts')
  let kept: { files: Promise<ConsoleFiles>, changedMs: number } | undefined

  return async function load () {
    const bundler = isSource ? await loadBundler() : undefined
    const changedMs = await bundler?.changedMs() ?? 0
    if (kept?.changedMs !== changedMs) {
      const files = (bundler === undefined ? readBuilt() : bundler.buildConsole().then(({ files }) => files))
        .then(addRemedies)
        .then(compress)
      kept = { files, changedMs }
      // The next request tries again.
      files.catch(() => {
        kept = undefined
      })
    }
    return kept.files
  }
}

async function loadBundler (): Promise<Bundler> {
  // Import it by its address: the bundle of the hub must not hold it.
  const address = new URL('console/build.ts', packageFolder).href
  return await import(address) as Bundler
}

async function readBuilt (): Promise<ReadonlyMap<string, Uint8Array>> {
  const compressed = await readFile(new URL('dist/browser.json.br', packageFolder))
  const text = (await promisify(brotliDecompress)(compressed)).toString()
  return new Map(Object.entries(JSON.parse(text) as Record<string, string>).map(([name, file]) => [
    name,
    Buffer.from(file)
  ]))
}

/** The console takes the causes and remedies of codes from the chapter that people read. */
async function addRemedies (files: ReadonlyMap<string, Uint8Array>): Promise<ReadonlyMap<string, Uint8Array>> {
  return new Map([...files, ['errors.md', await readFile(new URL('docs/errors.md', packageFolder))]])
}

async function compress (files: ReadonlyMap<string, Uint8Array>): Promise<ConsoleFiles> {
  const entries = [...files].map(async ([name, content]) => {
    const bytes = Buffer.from(content)
    const gzipped = await promisify(gzip)(bytes, { level: 9 })
    const file: ConsoleFile = {
      type: types[extname(name)] ?? 'application/octet-stream',
      bytes,
      gzipped: gzipped.length < bytes.length ? gzipped : undefined,
      etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
      isHashed: /-[0-9A-Z]{8}\.(?:js|css)$/.test(name)
    }
    return [name, file] as const
  })
  return new Map(await Promise.all(entries))
}
