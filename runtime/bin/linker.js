#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`linker needs Node 22.19 or newer; this is ${process.version}. Run it as "npx linker" in a project that depends on the package "node", or update Node.`)
  process.exit(1)
}

// In a checkout the sources run as they are; the condition has to be set before Node resolves the first import.
const source = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))
if (existsSync(source) && !process.execArgv.includes('--conditions=@linker/source')) {
  process.execve(process.execPath, [process.execPath, '--disable-warning=ExperimentalWarning', '--conditions=@linker/source', source, ...process.argv.slice(2)], process.env)
}
await import('../dist/cli/main.js')
