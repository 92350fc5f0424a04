import { randomBytes } from 'node:crypto'
import pg from 'pg'

export interface TestDatabase {
  name: string
  url: string
  drop(): Promise<void>
}

/** Names a database that is up to date, for copies. */
export const serverVariable = 'LINKER_TEST_SERVER_TEMPLATE'

const hourMs = 3_600_000
/** Names tell when a database was made, in seconds and base 36. */
const nameOf = (now: Date): string =>
  `linker_test_${Math.floor(now.getTime() / 1_000).toString(36)}_${randomBytes(6).toString('hex')}`
const named = /^linker_test_([0-9a-z]{6,7})_[0-9a-f]{12}$/

/**
 * A new database on a server, empty or a copy of another one. Its commits do not wait for the disk,
 * which costs tests half of their time: no test takes the power away.
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

// What may come between the look and the drop: another run dropped it, somebody connected to it; or
// it was never ours to drop.
const passedOver = new Set(['3D000', '55006', '42501'])

/**
 * Drops what killed runs left: databases of tests that are older than an hour and that nobody is
 * connected to. Answers their names.
 */
export async function dropAbandoned (serverUrl: string, now: Date): Promise<string[]> {
  return administer(serverUrl, async client => {
    const { rows } = await client.query<
      { name: string }
    >("select datname as name from pg_database where datname like 'linker\\_%' and not exists (select from pg_stat_activity where pg_stat_activity.datname = pg_database.datname)")
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
