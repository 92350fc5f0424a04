import { randomUUID } from 'node:crypto'
import { link, readFile, readlink, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DataDirectoryLockedError } from '../errors.ts'

/** Name of the lock file inside the data directory. */
export const lockFileName = 'hub.lock'

const heartbeatMs = 2_000
const foreignHolderStaleMs = 30_000

// A process that replaced itself (execve) kept its pid and start time: a lock of its own that it did not take is from before.
const tokensKey = Symbol.for('linker.directoryLocks')
const tokens: Set<string> = (globalThis as { [tokensKey]?: Set<string> })[tokensKey] ??= new Set()

interface Holder { pid: number, startedAt: string, pidNamespace: string, bootId: string, token: string }

/**
 * Takes the data directory for this process and answers the function that gives it back. Two processes on one embedded
 * database destroy it silently, so a live holder is always refused: `LNK_DATA_DIRECTORY_LOCKED` names its pid.
 * A holder that died leaves a file whose pid and start time fit no running process; it is moved away and the lock taken.
 */
export async function lockDirectory (directory: string): Promise<() => Promise<void>> {
  const path = join(directory, lockFileName)
  const holder = await describeThisProcess()
  const draft = `${path}.${holder.token}`
  await writeFile(draft, JSON.stringify(holder), { mode: 0o600 })
  try {
    await takeOver(path, draft, directory, holder)
  } finally {
    await rm(draft, { force: true })
  }
  tokens.add(holder.token)
  const heartbeat = setInterval(() => { utimes(path, new Date(), new Date()).catch(() => undefined) }, heartbeatMs)
  heartbeat.unref()
  return async function release () {
    clearInterval(heartbeat)
    tokens.delete(holder.token)
    if ((await readHolder(path))?.token === holder.token) await rm(path, { force: true })
  }
}

async function takeOver (path: string, draft: string, directory: string, holder: Holder): Promise<void> {
  // link() fails when the name exists and never shows a half-written file, unlike open('wx') followed by a write.
  if (await linked(draft, path)) return
  const current = await readHolder(path)
  if (current !== undefined && await isAlive(path, current, holder)) throw new DataDirectoryLockedError(directory, current.pid)
  const moved = `${path}.stale-${randomUUID()}`
  await rename(path, moved).catch(ignoreMissing)
  const taken = await readHolder(moved)
  // Another process may have replaced the dead holder between our look and our rename: what we moved is then its live lock.
  if (taken !== undefined && taken.token !== current?.token) {
    await linked(moved, path)
    await rm(moved, { force: true })
    throw new DataDirectoryLockedError(directory, taken.pid)
  }
  await rm(moved, { force: true })
  if (!await linked(draft, path)) throw new DataDirectoryLockedError(directory, (await readHolder(path))?.pid ?? 0)
}

async function isAlive (path: string, other: Holder, self: Holder): Promise<boolean> {
  if (other.bootId !== self.bootId) return false
  if (other.pidNamespace === self.pidNamespace && other.pid === self.pid) return other.startedAt === self.startedAt && tokens.has(other.token)
  if (other.pidNamespace === self.pidNamespace) return await processStart(other.pid) === other.startedAt
  // Its pid means nothing in this container: only the heartbeat tells.
  const { mtimeMs } = await stat(path)
  return Date.now() - mtimeMs < foreignHolderStaleMs
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

/** Start time of a process in a form that differs when its pid is reused; undefined when no such process runs. Without /proc only the pid counts. */
async function processStart (pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The command name, field 2, is in parentheses and may itself hold spaces; start time is field 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch {
    if (process.platform === 'linux') return undefined
    try { process.kill(pid, 0); return 'running' } catch (error) { return isErrno(error, 'EPERM') ? 'running' : undefined }
  }
}

async function readHolder (path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder
  } catch (error) {
    if (isErrno(error, 'ENOENT') || error instanceof SyntaxError) return undefined
    throw error
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

function ignoreMissing (error: unknown): void {
  if (!isErrno(error, 'ENOENT')) throw error
}

function isErrno (error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
