import { randomBytes } from 'node:crypto'
import pg from 'pg'

export interface ServerDatabase { name: string, url: string, drop (): Promise<void> }

/** A new database on a server. Its name tells its age: what a killed run left is dropped by a later one. */
export async function createServerDatabase (serverUrl: string, kind: 'jobs' | 'streams' | 'broken' | 'listening'): Promise<ServerDatabase> {
  const name = `linker_${kind}_${Math.floor(Date.now() / 1_000).toString(36)}_${randomBytes(6).toString('hex')}`
  await administer(serverUrl, `create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { name, url: url.href, drop: () => administer(serverUrl, `drop database if exists ${name} with (force)`) }
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
