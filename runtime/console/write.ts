import { writeFile } from 'node:fs/promises'
import { brotliCompressSync } from 'node:zlib'
import { buildConsole } from './build.ts'

// Writes the console into the package that is published: all files in one, because they repeat each
// other's names. Each for itself would take a quarter more.
const { files } = await buildConsole()
const texts = Object.fromEntries([...files].map(([name, bytes]) => [name, Buffer.from(bytes).toString()]))
await writeFile(new URL('../dist/browser.json.br', import.meta.url), brotliCompressSync(JSON.stringify(texts)))
