#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`An adapter needs Node 22.19 or newer to be built and tested; this is ${process.version}.`)
  process.exit(1)
}

// Import it after the check: an older Node may not be able to read it.
await import('../dist/main.js')
