import { randomBytes } from 'node:crypto'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

// A run of all tests brings databases up to date once, and names them by these variables: a copy
// takes a fraction of the time.
const { LINKER_TEST_SERVER_TEMPLATE: serverTemplate, LINKER_TEST_DIRECTORY_TEMPLATE: directoryTemplate } = process.env

export interface ServerDatabase {
  name: string
  url: string
  drop(): Promise<void>
}

/**
 * A new database on a server. Its name tells its age: what a killed run left is dropped by a later
 * one. Its commits do not wait for the disk, which costs tests half of their time, unless
 * `waitsForDisk` says so: no test takes the power away.
 */
export async function createServerDatabase (serverUrl: string, { waitsForDisk = false } = {}): Promise<ServerDatabase> {
  const name = `linker_test_${Math.floor(Date.now() / 1_000).toString(36)}_${randomBytes(6).toString('hex')}`
  await administer(
    serverUrl,
    `create database ${name}${serverTemplate === undefined ? '' : ` template ${serverTemplate}`}`
  )
  if (!waitsForDisk) await administer(serverUrl, `alter database ${name} set synchronous_commit = off`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { name, url: url.href, drop: () => administer(serverUrl, `drop database if exists ${name} with (force)`) }
}

/**
 * Puts an empty embedded database into a directory that has none, where there is one to copy; else
 * the hub makes one there itself.
 */
export function copyEmbeddedDatabase (dataDirectory: string): void {
  const database = join(dataDirectory, 'database')
  if (directoryTemplate !== undefined && !existsSync(database)) cpSync(directoryTemplate, database, { recursive: true })
}

async function administer (url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
