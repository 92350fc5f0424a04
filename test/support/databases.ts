import { randomBytes } from 'node:crypto'
import pg from 'pg'

export interface TestDatabase {
  name: string
  url: string
  drop(): Promise<void>
}

/** The variable that names a migrated database, which tests copy. */
export const serverVariable = 'LINKER_TEST_SERVER_TEMPLATE'

const hourMs = 3_600_000
/** A name holds the time at which the database was made, in seconds and base 36. */
const nameOf = (now: Date): string =>
  `linker_test_${Math.floor(now.getTime() / 1_000).toString(36)}_${randomBytes(6).toString('hex')}`
const named = /^linker_test_([0-9a-z]{6,7})_[0-9a-f]{12}$/

/**
 * Makes a database on a server, empty or a copy of `template`. Its commits do not wait for the
 * disk: that wait takes half of a test's time, and no test cuts the power.
 */
export async function createDatabase (serverUrl: string, now: Date, template?: string): Promise<TestDatabase> {
  const name = nameOf(now)
  await administer(serverUrl, async client => {
    await client.query(`create database ${name}${template === undefined ? '' : ` template ${template}`}`)
    await client.query(`alter database ${name} set synchronous_commit = off`)
  })
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return {
    name,
    url: url.href,
    drop: () =>
      administer(serverUrl, async client => {
        await client.query(`drop database if exists ${name} with (force)`)
      })
  }
}

/** The runner ends a process 20 s after its last file, and a drop takes up to 1.3 s. */
const mostWaiting = 4
const waiting: Promise<void>[] = []

/**
 * Drops databases one after the other, while the process goes on. PostgreSQL makes a checkpoint for
 * each drop, and a test would wait for it half a second. Waits when many others wait already. The
 * process ends after the last drop. A later run drops a database that cannot be dropped now.
 */
export async function dropLater ({ name, drop }: TestDatabase): Promise<void> {
  const last = waiting.at(-1) ?? Promise.resolve()
  const own = last.then(drop).catch((error: unknown) => {
    console.error(`the database ${name} was not dropped:`, error)
  }).finally(() => {
    waiting.shift()
  })
  waiting.push(own)
  if (waiting.length > mostWaiting) await waiting[0]
}

// Skip a database that another run dropped since the query (3D000), that somebody has connected to
// (55006), or that belongs to another owner (42501).
const passedOver = new Set(['3D000', '55006', '42501'])

const selectUnused = `
  select datname as name
  from pg_database
  where datname like 'linker\\_%'
    and not exists (
      select from pg_stat_activity
      where pg_stat_activity.datname = pg_database.datname
    )`

/**
 * Drops test databases that killed runs left: older than an hour, with nobody connected. Returns
 * their names.
 */
export async function dropAbandoned (serverUrl: string, now: Date): Promise<string[]> {
  return administer(serverUrl, async client => {
    const { rows } = await client.query<{ name: string }>(selectUnused)
    const dropped: string[] = []
    for (const { name } of rows.filter(row => isOld(row.name, now))) {
      try {
        await client.query(`drop database ${name}`)
        dropped.push(name)
      } catch (error) {
        if (!(error instanceof pg.DatabaseError && passedOver.has(error.code ?? ''))) throw error
      }
    }
    return dropped
  })
}

function isOld (name: string, now: Date): boolean {
  const [, seconds] = named.exec(name) ?? []
  return seconds !== undefined && Number.parseInt(seconds, 36) * 1_000 < now.getTime() - hourMs
}

async function administer<Result> (serverUrl: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
