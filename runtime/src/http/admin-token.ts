import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { constants, copyFile, link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'

export interface AdminToken {
  token: string
  /** The file of the token when the hub made it; undefined when `ADMIN_TOKEN` gives it. */
  path?: string
}

export function adminTokenPath (config: Pick<Config, 'dataDirectory'>): string {
  return join(config.dataDirectory, 'admin-token')
}

/**
 * Returns `ADMIN_TOKEN`, or the token that the hub made at its first start: 32 random bytes in the
 * data directory, in a file that only its owner can read.
 */
export async function readOrCreateAdminToken (config: Pick<Config, 'adminToken' | 'dataDirectory'>): Promise<
  AdminToken
> {
  if (config.adminToken !== undefined) return { token: config.adminToken }
  const path = adminTokenPath(config)
  await mkdir(config.dataDirectory, { recursive: true, mode: 0o700 })
  if (!existsSync(path)) await createToken(path)
  return { token: (await readFile(path, 'utf8')).trim(), path }
}

/** Returns the hub's own tokens that are valid now. */
export type OwnTokens = () => readonly string[]

const lookEveryMs = 1_000

/**
 * Follows the file of the token and that of its predecessor, so that a rotation needs no restart: a
 * running hub knows it within a second.
 */
export function followAdminToken (path: string, nowMs = () => Date.now()): OwnTokens {
  let lookAtMs = 0
  let current: string | undefined
  let previous: PreviousToken | undefined
  return () => {
    const now = nowMs()
    if (now >= lookAtMs) {
      lookAtMs = now + lookEveryMs
      // Keep the last known token when somebody removes the file: nobody could call the hub
      // otherwise.
      current = readText(path) ?? current
      previous = parsePrevious(readText(previousPath(path)))
    }
    return [current, previous !== undefined && previous.endsAtMs > now ? previous.token : undefined]
      .filter(token => token !== undefined)
  }
}

/**
 * Replaces the token in the data directory. The former one stays valid for `overlapMs`. Returns the
 * new one.
 */
export async function rotateAdminToken (
  { dataDirectory }: Pick<Config, 'dataDirectory'>,
  overlapMs: number,
  nowMs = Date.now()
): Promise<string> {
  const { token: former, path = '' } = await readOrCreateAdminToken({ dataDirectory })
  const token = randomBytes(32).toString('base64url')
  // The former token first: a command that ends between the two steps has then changed nothing.
  await replaceFile(previousPath(path), JSON.stringify({ token: former, endsAtMs: nowMs + overlapMs }))
  await replaceFile(path, token)
  return token
}

interface PreviousToken {
  token: string
  endsAtMs: number
}

function previousPath (path: string): string {
  return `${path}.previous`
}

function readText (path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

function parsePrevious (text: string | undefined): PreviousToken | undefined {
  try {
    const { token, endsAtMs } = JSON.parse(text ?? '{}') as Partial<PreviousToken>
    return typeof token === 'string' && typeof endsAtMs === 'number' ? { token, endsAtMs } : undefined
  } catch {
    return undefined
  }
}

async function replaceFile (path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, text, { mode: 0o600 })
  await rename(draft, path)
}

/** Makes the file of the token, unless another process has just made it. */
async function createToken (path: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600 })
  try {
    // link() never shows a half-written file, unlike open('wx') followed by a write: another
    // process that starts now would read an empty token and refuse every request.
    await link(draft, path)
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    // Some file systems have no links.
    if (!isThere) await copyFile(draft, path, constants.COPYFILE_EXCL)
  } finally {
    await rm(draft, { force: true })
  }
}
