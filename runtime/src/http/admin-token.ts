import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
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
  try {
    await writeFile(path, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return { token: (await readFile(path, 'utf8')).trim(), path }
}
