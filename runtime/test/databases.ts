import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

// When all tests run, the runner migrates template databases once and names them in these
// variables. Copying a template takes a fraction of the time.
const { LINKER_TEST_SERVER_TEMPLATE: serverTemplate, LINKER_TEST_DIRECTORY_TEMPLATE: directoryTemplate } = process.env

export interface ServerDatabase {
  name: string
  url: string
  drop(): Promise<void>
}

/**
 * Creates a database on a server. The name contains the time, so that a later run can drop the
 * databases of a killed run. Its commits do not wait for the disk unless `waitsForDisk` is set: no
 * test cuts the power, and waiting would cost tests half of their time. Without `hasTables`, a test
 * chooses the migrations itself.
 */
export async function createServerDatabase (
  serverUrl: string,
  { waitsForDisk = false, hasTables = true } = {}
): Promise<ServerDatabase> {
  const name = `linker_test_${Math.floor(Date.now() / 1_000).toString(36)}_${randomBytes(6).toString('hex')}`
  const template = serverTemplate === undefined || !hasTables ? '' : ` template ${serverTemplate}`
  await administer(serverUrl, `create database ${name}${template}`)
  if (!waitsForDisk) await administer(serverUrl, `alter database ${name} set synchronous_commit = off`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { name, url: url.href, drop: () => administer(serverUrl, `drop database if exists ${name} with (force)`) }
}

// The types of Node lack it.
const { Module } = Reflect.get(globalThis, 'WebAssembly') as { Module: new(bytes: Uint8Array) => object }
let postgres: object | undefined

/**
 * Keeps the code of PostgreSQL for the embedded databases that this process opens. V8 shares the
 * code of a module among the threads of a process, and compiles it again after its last user ended.
 */
function keepPostgres (): void {
  const file = new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))
  postgres ??= new Module(readFileSync(file))
}

/**
 * Copies the embedded template into a directory without a database. Without a template, the hub
 * makes a database there itself.
 */
export function copyEmbeddedDatabase (dataDirectory: string): void {
  const database = join(dataDirectory, 'database')
  keepPostgres()
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
