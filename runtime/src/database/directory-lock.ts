import { randomUUID } from 'node:crypto'
import { link, readFile, readlink, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DataDirectoryLockedError } from '../errors.ts'

/** Name of the lock file inside the data directory. */
export const lockFileName = 'hub.lock'

const remedy = 'Stop that process, set LINKER_DATA_DIR to another directory, or set DATABASE_URL, so that processes ' +
  'share one database'

const heartbeatMs = 2_000
const foreignHolderStaleMs = 30_000

// A process that replaced itself (execve) keeps its pid and start time. So a lock with its pid and
// an unknown token is from before the execve.
const tokensKey = Symbol.for('linker.directoryLocks')
const tokens: Set<string> = (globalThis as { [tokensKey]?: Set<string> })[tokensKey] ??= new Set()

interface Holder {
  pid: number
  startedAt: string
  pidNamespace: string
  bootId: string
  token: string
}

/**
 * Takes the data directory for this process and returns the function that gives it back. Two
 * processes on one embedded database destroy it silently, so the hub refuses to start while another
 * holder lives: `LNK_DATA_DIRECTORY_LOCKED` names the holder's pid. A dead holder leaves a file
 * whose pid and start time fit no running process; the new holder replaces that file.
 */
export async function lockDirectory (directory: string): Promise<() => Promise<void>> {
  const path = join(directory, lockFileName)
  const self = await describeThisProcess()
  const draft = `${path}.${self.token}`
  await writeFile(draft, JSON.stringify(self), { mode: 0o600 })
  // Add the token before the lock can be seen: another caller in this process would take the lock
  // for one from before an execve.
  tokens.add(self.token)
  try {
    const other = await take(path, draft, self)
    if (other !== undefined) throw new DataDirectoryLockedError(directory, other.pid, remedy)
  } catch (error) {
    tokens.delete(self.token)
    throw error
  } finally {
    await rm(draft, { force: true })
  }
  const heartbeat = setInterval(() => {
    utimes(path, new Date(), new Date()).catch(() => undefined)
  }, heartbeatMs)
  heartbeat.unref()
  return async function release () {
    clearInterval(heartbeat)
    tokens.delete(self.token)
    if ((await readHolder(path))?.token === self.token) await rm(path, { force: true })
  }
}

/** The pid of the process that holds the data directory. Does not take the lock. */
export async function holderOf (directory: string): Promise<number | undefined> {
  const path = join(directory, lockFileName)
  const current = await readHolder(path)
  return current !== undefined && await isAlive(path, current, await describeThisProcess()) ? current.pid : undefined
}

/**
 * Makes `path` a copy of `draft` and returns undefined, or returns the live holder that is in the
 * way. A process that replaces a dead holder must hold `path.after-<token of the dead holder>`, a
 * lock of the same kind: otherwise a process that looked long ago would replace a live holder.
 */
async function take (path: string, draft: string, self: Holder): Promise<Holder | undefined> {
  // link() fails when the name exists and never shows a half-written file, unlike open('wx')
  // followed by a write.
  while (!await linked(draft, path)) {
    const current = await readHolder(path)
    if (current === undefined) continue
    if (await isAlive(path, current, self)) return current
    const guard = `${path}.after-${current.token}`
    const rival = await take(guard, draft, self)
    if (rival !== undefined) return rival
    try {
      if ((await readHolder(path))?.token === current.token) return await replace(path, draft)
    } finally {
      await rm(guard, { force: true })
    }
  }
  return undefined
}

async function replace (path: string, draft: string): Promise<undefined> {
  // Rename a second link, not the draft: the caller still needs the draft, and a rename onto
  // another name of the same file would do nothing.
  const copy = `${draft}.${randomUUID()}`
  await link(draft, copy)
  await rename(copy, path)
}

async function isAlive (path: string, other: Holder, self: Holder): Promise<boolean> {
  if (other.bootId !== self.bootId) return false
  if (other.pidNamespace === self.pidNamespace && other.pid === self.pid) {
    return other.startedAt === self.startedAt && tokens.has(other.token)
  }
  if (other.pidNamespace === self.pidNamespace) return await processStart(other.pid) === other.startedAt
  // The holder's pid means nothing in this container, so only the heartbeat shows whether it lives.
  const touchedMs = await stat(path).then(({ mtimeMs }) => mtimeMs, ignoreMissing)
  return touchedMs !== undefined && Date.now() - touchedMs < foreignHolderStaleMs
}

async function describeThisProcess (): Promise<Holder> {
  return {
    pid: process.pid,
    startedAt: await processStart(process.pid) ?? '',
    pidNamespace: await readlink('/proc/self/ns/pid').catch(() => ''),
    bootId: (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')).trim(),
    token: randomUUID()
  }
}

/**
 * Start time of a process in a form that differs when its pid is reused; undefined when no such
 * process runs. Without /proc only the pid counts.
 */
async function processStart (pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The command name, field 2, is in parentheses and may itself hold spaces; start time is field
    // 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch {
    if (process.platform === 'linux') return undefined
    try {
      process.kill(pid, 0)
      return 'running'
    } catch (error) {
      return isErrno(error, 'EPERM') ? 'running' : undefined
    }
  }
}

/**
 * The holder that a lock file names; undefined when there is no such file. A file that is not JSON,
 * as a power cut leaves it, names nobody.
 */
async function readHolder (path: string): Promise<Holder | undefined> {
  const text = await readFile(path, 'utf8').catch(ignoreMissing)
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as Holder
  } catch {
    return { pid: 0, startedAt: '', pidNamespace: '', bootId: 'unknown', token: 'unreadable' }
  }
}

async function linked (from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    throw error
  }
}

function ignoreMissing (error: unknown): undefined {
  if (!isErrno(error, 'ENOENT')) throw error
}

function isErrno (error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
