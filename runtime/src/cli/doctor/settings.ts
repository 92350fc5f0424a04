import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import semver from 'semver'
import { discoverAdapters } from '../../adapters/discover.ts'
import { checkLock } from '../../adapters/lock-drift.ts'
import { readLock } from '../../adapters/lock.ts'
import type { Config } from '../../config.ts'
import { createKeyring } from '../../credentials/envelope.ts'
import { freeBytesOf, neededBytes } from '../../database/free-bytes.ts'
import { isDiskFull } from '../../database/infrastructure-error.ts'
import { adminTokenPath } from '../../http/admin-token.ts'
import { describePartialRole } from '../../mode-of.ts'
import { packageJson } from '../../package-folder.ts'
import { describeBytes } from '../../words.ts'
import { failed, messageOf, ok, warning, type Finding } from './finding.ts'

/** Checks that need no server. */
export async function checkSettings (config: Config): Promise<Finding[]> {
  return [
    checkNode(),
    ...await checkDataDirectory(config),
    await checkToken(config),
    checkCredentialsKey(config),
    ...checkRole(config),
    await checkLockFile(config)
  ]
}

function checkNode (): Finding {
  const { node } = process.versions
  const { engines } = packageJson
  return semver.satisfies(node, engines.node)
    ? ok('node', node)
    : failed('node', `${node} does not fit ${engines.node}`, 'update Node')
}

/** The log of an embedded database may grow by 128 MB between two checkpoints. */
const scarceBytes = 200 * 1024 ** 2

async function checkDataDirectory ({ dataDirectory, databaseUrl, adminToken }: Config): Promise<Finding[]> {
  if (databaseUrl !== undefined && adminToken !== undefined) return []
  const check = 'data directory'
  const makeRoom = 'free space on its disk, or set LINKER_DATA_DIR to a directory on another disk'
  try {
    const directory = await nearest(dataDirectory)
    if (!(await stat(directory)).isDirectory()) throw new Error(`${directory} is not a directory`)
    const freeBytes = await freeBytesOf(directory)
    const state = `${dataDirectory}: ${describeBytes(freeBytes)} free`
    // A file system without room of its own, such as /proc, refuses files for another reason.
    await tryWriting(directory).catch((error: unknown) => {
      if (!isDiskFull(error)) throw error
    })
    if (freeBytes < neededBytes) return [failed(check, `${state}, the disk is full`, makeRoom)]
    return [freeBytes < scarceBytes ? warning(check, `${state}, the disk is nearly full`, makeRoom) : ok(check, state)]
  } catch (error) {
    return [
      failed(
        check,
        `${dataDirectory} cannot be written: ${messageOf(error)}`,
        'let the user of the hub write to it, or set LINKER_DATA_DIR'
      )
    ]
  }
}

/**
 * Writes and removes a file. The permissions of a folder say too little: root passes them where the
 * system refuses files all the same, and they do not tell that the disk is full.
 */
async function tryWriting (directory: string): Promise<void> {
  const folder = await mkdtemp(join(directory, '.linker-doctor-'))
  try {
    await writeFile(join(folder, 'file'), 'written')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the folder itself or, before the first start, the nearest existing folder above it. */
async function nearest (directory: string): Promise<string> {
  const isThere = await stat(directory).then(() => true, () => false)
  return isThere || dirname(directory) === directory ? directory : nearest(dirname(directory))
}

async function checkToken (config: Config): Promise<Finding> {
  const check = 'token'
  if (config.adminToken !== undefined) return ok(check, 'from ADMIN_TOKEN')
  const path = adminTokenPath(config)
  const file = await stat(path).catch(() => undefined)
  if (file === undefined) return ok(check, `the first start creates it in ${path}`)
  if ((file.mode & 0o077) !== 0 && process.platform !== 'win32') {
    return warning(check, `other users can read ${path}`, `chmod 600 ${path}`)
  }
  return ok(check, path)
}

function checkCredentialsKey ({ credentialsKey, isProduction, mayStorePlainCredentials }: Config): Finding {
  const check = 'credentials'
  if (credentialsKey === undefined) {
    // Say nothing of those that are stored already: another finding looks at them.
    const message = 'the next start does not encrypt new credentials: LINKER_CREDENTIALS_KEY is not set'
    const remedy = 'set LINKER_CREDENTIALS_KEY to id:base64 of 32 random bytes'
    return isProduction && !mayStorePlainCredentials
      ? failed(check, `${message}, but NODE_ENV=production needs it`, remedy)
      : warning(check, message, remedy)
  }
  try {
    createKeyring(credentialsKey)
    return ok(check, 'encrypted with LINKER_CREDENTIALS_KEY')
  } catch (error) {
    return failed(check, messageOf(error), 'correct LINKER_CREDENTIALS_KEY')
  }
}

function checkRole ({ role, databaseUrl, isProduction }: Config): Finding[] {
  if (role === 'all' || databaseUrl !== undefined) return []
  const found = isProduction ? failed : warning
  return [found('role', describePartialRole(role), 'set DATABASE_URL, or LINKER_ROLE=all')]
}

async function checkLockFile (config: Config): Promise<Finding> {
  const check = 'linker.lock'
  const remedy = 'linker scan --check shows the differences, linker scan accepts them'
  try {
    const drift = await checkLock(config, await discoverAdapters(config.projectDirectory, config.file))
    if (drift.length > 0) return warning(check, drift.map(({ message }) => message).join('; '), remedy)
    return await readLock(config.projectDirectory) === undefined
      ? ok(check, 'does not exist; linker scan writes it')
      : ok(check, 'matches the adapters')
  } catch (error) {
    return failed(check, messageOf(error), remedy)
  }
}
