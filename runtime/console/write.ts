import { mkdir, rm, writeFile } from 'node:fs/promises'
import { buildConsole } from './build.ts'

// Writes the console into the package that is published.
const target = new URL('../dist/browser/', import.meta.url)
const { files } = await buildConsole()
await rm(target, { recursive: true, force: true })
await mkdir(target, { recursive: true })
for (const [name, bytes] of files) await writeFile(new URL(name, target), bytes)
