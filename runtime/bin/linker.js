#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  console
    .error(`linker needs Node 22.19 or newer; this is ${process.version}. Run it as "npx linker" in a project that ` +
      'depends on the package "node", or update Node.')
  process.exit(1)
}

// Import it after the check: an older Node lacks `enableCompileCache`.
const { keepCompiled } = await import('./compile-cache.js')
// The C library would keep memory for each thread, also for those that have ended.
const environment = { MALLOC_ARENA_MAX: '2', ...process.env, ...keepCompiled() }
// Most objects of a sweep live for one page. On a large machine, V8 would let 128 MiB of them
// gather; a smaller limit is as fast.
const { NODE_OPTIONS = '' } = process.env
const bounded = process.argv[2] === 'start' && !NODE_OPTIONS.includes('--max-semi-space-size')
  ? ['--max-semi-space-size=16']
  : []
// In a checkout the sources run as they are; the condition has to be set before Node resolves the
// first import.
const source = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))
const isSource = existsSync(source)
const flags = [
  ...bounded,
  ...(isSource ? ['--disable-warning=ExperimentalWarning', '--conditions=@linker/source'] : [])
]
if (typeof process.execve === 'function' && !flags.every(flag => process.execArgv.includes(flag))) {
  process.execve(process.execPath, [
    process.execPath,
    ...process.execArgv,
    ...flags,
    isSource ? source : process.argv[1],
    ...process.argv.slice(2)
  ], environment)
}
Object.assign(process.env, environment)
await import('../dist/main.js')
