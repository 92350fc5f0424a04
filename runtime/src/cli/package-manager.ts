import { withoutByteOrderMark } from '@linker/sdk/host/text'
import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'

/** The package to install: a package of the registry, or a folder or tarball of this machine. */
export type PackageSpec = { kind: 'registry', name: string, argument: string } | FileSpec

interface FileSpec {
  kind: 'file'
  path: string
  /** The path as it was given. */
  given: string
  /** The name to install it under. Default: its own. */
  alias: string | undefined
  argument: string
}

/** The package manager that the project uses. The lock file tells which; npm when there is none. */
export interface PackageManager {
  /** Such as `npm`. */
  command: string
  /**
   * Installs a package and returns the name under which the project has it now. Throws the output
   * of the package manager when it fails.
   */
  add(spec: PackageSpec): Promise<string>
  /**
   * Puts package.json and the lock file back as they were when this object was made, and installs
   * from them.
   */
  undo(): Promise<void>
}

const name = '(?:@[a-z0-9~][a-z0-9._~-]*/)?[a-z0-9~][a-z0-9._~-]*'
const range = '[0-9A-Za-z^~<>=*][0-9A-Za-z.^~<>=|*+ -]*'
const registrySpec = new RegExp(`^(${name})(?:@(?:npm:${name}(?:@${range})?|${range}))?$`)
const fileSpec = new RegExp(
  `^(?:(${name})@)?((?:file:|\\.{1,2}(?:[\\\\/]|$)|[\\\\/]|[A-Za-z]:[\\\\/]).*)$`,
  's'
)

/**
 * Reads `name`, `name@range`, `alias@npm:name@range`, or the path of a folder or tarball with an
 * alias or without. Refuses everything else, such as web addresses and repositories: only a
 * published package or a local file may be installed.
 */
export function parsePackageSpec (given: string, workingDirectory: string): PackageSpec {
  const [, alias, place] = fileSpec.exec(given) ?? []
  if (place !== undefined) {
    const path = resolve(workingDirectory, place.replace(/^file:/, ''))
    if (!existsSync(path)) throw new Error(`${path} does not exist`)
    return {
      kind: 'file',
      path: realpathSync(path),
      given: place,
      alias,
      argument: `${alias === undefined ? '' : `${alias}@`}file:${path}`
    }
  }
  const [, named] = registrySpec.exec(given) ?? []
  if (named === undefined || given.length > 300) {
    throw new Error(`'${given}' is not a package: give a name, name@version, alias@npm:name@version, or the path of ` +
      'a folder or tarball (./… or alias@./…)')
  }
  return { kind: 'registry', name: named, argument: given }
}

interface Tool {
  command: string
  lockFile: string
  add: readonly string[]
  install: readonly string[]
}

// An adapter needs no install scripts, so none runs.
const npmOptions = ['--ignore-scripts', '--no-audit', '--no-fund']
const npm: Tool = {
  command: 'npm',
  lockFile: 'package-lock.json',
  add: ['install', ...npmOptions],
  install: ['install', ...npmOptions]
}
const tools: readonly Tool[] = [
  {
    command: 'pnpm',
    lockFile: 'pnpm-lock.yaml',
    add: ['add', '--ignore-scripts'],
    install: ['install', '--ignore-scripts', '--no-frozen-lockfile']
  },
  { command: 'yarn', lockFile: 'yarn.lock', add: ['add'], install: ['install'] },
  npm
]
// Each major version of Yarn has another option for this, but these variables work in all of them.
const withoutScripts = { npm_config_ignore_scripts: 'true', YARN_ENABLE_SCRIPTS: 'false' }

export async function openPackageManager (projectDirectory: string): Promise<PackageManager> {
  const manifest = join(projectDirectory, 'package.json')
  if (!existsSync(manifest)) {
    throw new Error(`there is no package.json in ${projectDirectory}: create the project first, for example with npm ` +
      'init -y')
  }
  const { tool, directory } = detect(projectDirectory)
  const before = await Promise
    .all([manifest, join(directory, tool.lockFile)].map(async path => ({
      path,
      content: existsSync(path) ? await readFile(path) : undefined
    })))

  async function undo (): Promise<void> {
    for (const { path, content } of before) {
      if (content !== undefined) await writeFile(path, content)
    }
    try {
      await run(tool.command, tool.install, projectDirectory)
    } finally {
      // The package manager writes a lock file where there was none.
      for (const { path, content } of before) {
        if (content === undefined) await rm(path, { force: true })
      }
    }
  }

  return {
    command: tool.command,
    async add ({ argument, ...spec }) {
      await run(tool.command, [...tool.add, argument], projectDirectory)
      if (spec.kind === 'registry') return spec.name
      const { dependencies = {} } = JSON.parse(withoutByteOrderMark(await readFile(manifest, 'utf8'))) as {
        dependencies?: Record<string, string>
      }
      const [installed] =
        Object.entries(dependencies).find(([named, value]) =>
          leadsTo(value, projectDirectory) === spec.path && (spec.alias === undefined || spec.alias === named)
        ) ?? []
      if (installed === undefined) {
        await undo().catch(() => undefined)
        throw new Error(`${tool.command} did not add ${spec.path} to the dependencies of ${manifest}`)
      }
      return installed
    },
    undo
  }
}

/** Finds the nearest lock file on the way up: that of a workspace is at its root. */
function detect (projectDirectory: string): { tool: Tool, directory: string } {
  for (let directory = projectDirectory;;) {
    const tool = tools.find(({ lockFile }) => existsSync(join(directory, lockFile)))
    if (tool !== undefined) return { tool, directory }
    const parent = dirname(directory)
    if (parent === directory) return { tool: npm, directory: projectDirectory }
    directory = parent
  }
}

/** Where a dependency's `file:../adapter` leads, or undefined when it is no path. */
function leadsTo (value: string, projectDirectory: string): string | undefined {
  const path = resolve(projectDirectory, value.replace(/^(?:file|link|portal):/, '').replace(/#.*$/, ''))
  return existsSync(path) ? realpathSync(path) : undefined
}

/** Runs the command without a shell, so that no character in an argument has a special meaning. */
async function run (command: string, args: readonly string[], directory: string): Promise<void> {
  const child = spawn(command, args, {
    cwd: directory,
    env: { ...process.env, ...withoutScripts },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const { promise, resolve: resolveCode, reject } = Promise.withResolvers<number | null>()
  child.once('error', error => {
    reject(new Error(`${command} cannot be run: ${error.message}`, { cause: error }))
  })
  child.once('close', resolveCode)
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), promise])
  if (code !== 0) {
    throw new Error(`${command} ${args.join(' ')} ended ${code ?? 'by a signal'}:\n${
      (errors.trim() === '' ? output : errors).trim()
    }`)
  }
}
