import { withoutByteOrderMark } from '@linker/sdk/host/text'
import { existsSync } from 'node:fs'
import { readFile, realpath } from 'node:fs/promises'
import { join, normalize, sep } from 'node:path'

// `linker dev` runs the sources of an adapter, as Node runs them: it strips the types. A build
// before each swap would take longer than the swap may, and would leave old files behind when it
// fails. `exports` names the built module, so the place of its source follows from the layout that
// `npm create @linker/adapter` and most packages have. A condition in `exports`, as this repository
// has one, would be published, and would name files that the package does not contain.

/** The code that runs when an author tries an adapter. */
export interface DevEntry {
  /** The source of the module that `exports` names; undefined: that module itself runs. */
  source?: string
  /** The folder, inside of the package, that a build writes. */
  output?: string
}

interface PackageJson {
  exports?: unknown
  main?: unknown
}

/** Finds the source of an adapter by the place of its built module: `src/x.ts` for `dist/x.js`. */
export async function findDevEntry (directory: string, isBuilt: boolean): Promise<DevEntry> {
  const { exports, main } = JSON
    .parse(withoutByteOrderMark(await readFile(join(directory, 'package.json'), 'utf8'))) as PackageJson
  const target = targetOf(exports) ?? (typeof main === 'string' ? main : undefined)
  const [folder = '', ...rest] = normalize(target ?? '').split(sep)
  // Its author edits the module that runs.
  if (rest.length === 0 || !/\.[cm]?js$/.test(folder + rest.join('/'))) return {}
  if (isBuilt) return { output: folder }
  // Node strips no types of installed packages.
  if ((await realpath(directory)).split(sep).includes('node_modules')) return {}
  const built = rest.join('/')
  const source = [`src/${built}`, built].flatMap(sourcesOf).map(path => join(directory, path)).find(existsSync)
  // The errors of a module name its real path.
  return source === undefined ? {} : { source: await realpath(source), output: folder }
}

function sourcesOf (built: string): string[] {
  return built.endsWith('.mjs')
    ? [built.replace(/\.mjs$/, '.mts')]
    : [built.replace(/\.js$/, '.ts')].filter(path => path !== built)
}

/** The file that Node imports for the name of the package. */
function targetOf (exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports
  if (typeof exports !== 'object' || exports === null) return undefined
  const members: Record<string, unknown> = { ...exports }
  for (const name of ['.', 'node', 'import', 'module-sync', 'default']) {
    const target = targetOf(members[name])
    if (target !== undefined) return target
  }
  return undefined
}
