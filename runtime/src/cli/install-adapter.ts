import { escapeUnprintable } from '@linker/sdk/host/text'
import { readFile, writeFile } from 'node:fs/promises'
import { discoverAdapters, type AdapterPackage, type Discovered } from '../adapters/discover.ts'
import { nameOf, type LoadedAdapter } from '../adapters/load.ts'
import { compareLocks } from '../adapters/lock-drift.ts'
import { describePermissions } from '../adapters/lock-permissions.ts'
import { lockOf, readLock, writeLock, type Lock } from '../adapters/lock.ts'
import { scanAdapters } from '../adapters/scan.ts'
import type { AdapterProblem } from '../adapters/states.ts'
import { readConfig, type Config } from '../config.ts'
import { print, printError } from '../terminal/print.ts'
import { createProgress } from '../terminal/progress.ts'
import { shellWord } from '../words.ts'
import { openPackageManager, parsePackageSpec, type PackageSpec } from './package-manager.ts'

/** Installs an adapter and loads it. Undoes the install when the adapter does not load. */
export async function installAdapter (
  given: string,
  { yes = false, replace = false }: { yes?: boolean, replace?: boolean }
): Promise<void> {
  const config = readConfig(process.env, process.cwd())
  const spec = parsePackageSpec(given, process.cwd())
  const packages = await openPackageManager(config.projectDirectory)
  const locked = await readLock(config.projectDirectory)
  const before = await discoverAdapters(config.projectDirectory, {})
  const progress = createProgress(process.stderr)
  progress(`installing ${given} with ${packages.command}`)
  const name = await packages.add(spec)
  try {
    progress('loading the adapters')
    if (!replace) await refuseReplacement(config, name, spec, before)
    const { adapter, lock } = await check(config, name, locked, yes)
    print(describe(adapter).map(escapeUnprintable).join('\n'))
    for (const line of await record(config, name, lock)) print(line)
    print('A running hub uses the adapter after its next start.')
  } catch (error) {
    progress('undoing the install')
    await packages.undo().catch((failure: unknown) => {
      printError(`linker: the install was not undone: ${failure instanceof Error ? failure.message : String(failure)}`)
    })
    throw error
  }
}

/**
 * Throws when the install took away another version of an adapter. A connection keeps its version,
 * and its jobs would wait for it.
 */
async function refuseReplacement (
  config: Config,
  name: string,
  spec: PackageSpec,
  before: readonly Discovered[]
): Promise<void> {
  const old = before.find(({ packageName }) => packageName === name)?.found
  const [{ found = undefined } = {}] = await discoverAdapters(config.projectDirectory, { adapters: [name] })
  if (old === undefined || found === undefined || identityOf(old) === identityOf(found)) return
  const source = spec.kind === 'file' ? spec.given : `npm:${found.selfName}@${found.version}`
  throw new Error(escapeUnprintable(`${name} is ${identityOf(old)}, and ${
    identityOf(found)
  } would take its place: the ` +
    'jobs of connections that keep the first version would wait. Undoing the install. To have both, give the new one ' +
    `another name: linker add ${shellWord(`${name}-${found.version}@${source}`)}; to replace the first one, repeat ` +
    'the command with --replace'))
}

function identityOf ({ manifest: { adapterKey }, version }: AdapterPackage): string {
  return `${adapterKey}@${version}`
}

/**
 * Loads all adapters together with the new one, because it may be in the way of another. Returns
 * the new adapter and, when the project has a lock, the lock with its entry.
 */
async function check (
  config: Config,
  name: string,
  locked: Lock | undefined,
  hasAgreed: boolean
): Promise<{ adapter: LoadedAdapter, lock: Lock | undefined }> {
  const [alone] = await discoverAdapters(config.projectDirectory, { adapters: [name] })
  if (alone?.found === undefined) {
    throw new Error(`${name} is not an adapter that this hub can load. Undoing the install. ${describeProblem(alone)}`)
  }
  const lock = locked === undefined ? undefined : await withAdapter(locked, alone.found)
  const grown = locked === undefined || lock === undefined
    ? []
    : compareLocks(locked, lock).flatMap(drift => drift.grown)
  if (grown.length > 0 && !hasAgreed) {
    throw new Error(`${name} asks for permissions that linker.lock does not record. Undoing the install; to agree, ` +
      `repeat the command with --yes. The adapter may also ${grown.join(', ')}`)
  }

  const { adapters } = config.file
  const records = await scanAdapters({
    ...config,
    isFrozen: false,
    file: {
      ...config.file,
      adapters: adapters && [...adapters.filter(entry => nameIn(entry) !== name), name]
    }
  })
  const record = records.find(({ packageName }) => packageName === name)
  if (record?.adapter === undefined) {
    throw new Error(`${name} does not load. Undoing the install. ${describeProblem(record)}`)
  }
  return { adapter: record.adapter, lock }
}

function describeProblem (record: { problem?: AdapterProblem } | undefined): string {
  return escapeUnprintable(`${record?.problem?.code}: ${record?.problem?.message}`)
}

/**
 * Changes the entry of this adapter only: `linker scan` tells whether the other adapters have
 * changed.
 */
async function withAdapter (locked: Lock, found: AdapterPackage): Promise<Lock> {
  return new Map([
    ...[...locked].filter(([, { package: name }]) => name !== found.packageName),
    ...await lockOf([found])
  ])
}

function describe (adapter: LoadedAdapter): string[] {
  const { manifest, description, packageName } = adapter
  const brings = [
    ...adapter.supportedCapabilities.map(capability => `capability ${capability}`),
    ...Object.keys(description.jobs).map(jobType => `job ${jobType}`),
    ...description.schedules.map(({ name, every }) => `schedule ${name}, every ${every}`),
    ...description.routes.map(({ method, path, auth }) =>
      `route ${method} /integrations/${manifest.platformType}${path}${auth === 'public' ? ', open to everybody' : ''}`
    )
  ]
  const may = describePermissions(manifest.permissions)
  return [
    `${packageName}: ${manifest.displayName}, ${nameOf(adapter)}`,
    'It provides',
    ...(brings.length === 0 ? ['nothing'] : brings).map(line => `  ${line}`),
    'It may',
    ...(may.length === 0 ? ['do nothing that needs a permission'] : may).map(line => `  ${line}`),
    'Its code runs with your rights: install only what you trust.'
  ]
}

/** Adds the adapter to the list in linker.config.json and to linker.lock, where they exist. */
async function record (config: Config, name: string, lock: Lock | undefined): Promise<string[]> {
  const done: string[] = []
  if (config.file.adapters !== undefined && !config.file.adapters.some(entry => nameIn(entry) === name)) {
    const text = await readFile(config.filePath, 'utf8')
    const file = JSON.parse(text) as { adapters: unknown[] }
    const indent = /^[\t ]+/m.exec(text)?.[0] ?? 2
    await writeFile(
      config.filePath,
      `${JSON.stringify({ ...file, adapters: [...file.adapters, name] }, null, indent)}\n`
    )
    done.push(`Listed in ${config.filePath}`)
  }
  if (lock !== undefined) {
    await writeLock(config.projectDirectory, lock)
    done.push('Recorded in linker.lock')
  }
  return done
}

function nameIn (entry: NonNullable<Config['file']['adapters']>[number]): string | undefined {
  return typeof entry === 'string' ? entry : 'use' in entry ? entry.use : undefined
}
