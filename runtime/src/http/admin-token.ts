import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { constants, copyFile, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
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
