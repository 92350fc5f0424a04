import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { alignVersions } from './align-versions.ts'
import { readVersionFiles } from './repository-files.ts'

// Lerna runs this as the script `version` of the root, after it has changed the versions of the
// workspaces and before it commits.

const root = process.cwd()
const changed = alignVersions(await readVersionFiles(root))
for (const [path, text] of changed) {
  await writeFile(join(root, path), text)
  console.log(`aligned ${path}`)
}
const offline = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund']
execFileSync('npm', ['install', '--package-lock-only', ...offline], { cwd: root, stdio: 'inherit' })
// Lerna adds only the files that it has changed itself.
execFileSync('git', ['add', '--', 'package-lock.json', ...changed.keys()], { cwd: root, stdio: 'inherit' })
