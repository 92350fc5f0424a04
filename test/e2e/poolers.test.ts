import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import t, { type Test } from 'tap'
import { openProject } from '../support/command.ts'
import { createDatabase, serverVariable } from '../support/databases.ts'
import { runLinker } from '../support/hub-process.ts'
import { hasProgram } from '../support/interpreters.ts'
import { doMainJob } from '../support/main-job.ts'
import { startPooler } from '../support/pooler.ts'
import { openShopAndMarket } from '../support/shop-and-market.ts'

const serverUrl = process.env.LINKER_TEST_DATABASE_URL ?? ''
const needsServer = { skip: serverUrl === '' && 'needs PostgreSQL' }
const nowhere = { PORT: '1' }

type Settings = Record<string, string | number>

/** Opens a pooler and a migrated database behind it. Returns the URL of the database. */
async function openPooled (t: Test, settings: Settings): Promise<{ url: string, directUrl: string }> {
  const pooler = await startPooler(serverUrl, settings)
  t.teardown(() => pooler.close())
  const { url: directUrl, drop } = await createDatabase(serverUrl, new Date(), process.env[serverVariable])
  t.teardown(drop)
  const url = new URL(directUrl)
  url.host = new URL(pooler.url).host
  return { url: url.href, directUrl }
}

interface Finding {
  mark: string
  check: string
  message: string
}

async function askDoctor (directory: string, url: string): Promise<Finding[]> {
  const { stdout } = await runLinker(['doctor', '--json'], directory, { ...nowhere, DATABASE_URL: url })
  const { checks } = JSON.parse(stdout) as { checks: Finding[] }
  return checks.filter(({ check }) => check === 'database')
}

async function countAdvisoryLocks (url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rowCount } = await client.query("select from pg_locks where locktype = 'advisory'" +
    ' and database = (select oid from pg_database where datname = current_database())')
  await client.end()
  return rowCount ?? 0
}

t.test('the main job runs through a pooler in session mode, and so do the commands', needsServer, async t => {
  if (!hasProgram(t, 'pgbouncer')) return
  const { url } = await openPooled(t, { default_pool_size: 28, server_round_robin: 1 })
  const line = await openShopAndMarket(t, {
    mode: 'postgres',
    market: { orderWriteBack: true },
    reroute: async () => ({ DATABASE_URL: url })
  })

  await doMainJob(t, line)
  const directory = await openProject(t)
  t.match(await askDoctor(directory, url), [{ mark: 'ok', message: /^PostgreSQL \d+ at .*, behind a pooler$/ }])
  const file = join(directory, 'now.backup.gz')
  const backup = await runLinker(['backup', '--out', file], directory, { ...nowhere, DATABASE_URL: url })
  t.equal(backup.code, 0, backup.stderr)
  t.ok((await readFile(file)).length > 0)
})

const refused: { what: string, settings: Settings, message: RegExp }[] = [
  {
    what: 'transaction mode',
    settings: { pool_mode: 'transaction' },
    message: /another session for each transaction.*pool_mode = session/
  },
  {
    what: 'transaction mode whose sessions take turns',
    settings: { pool_mode: 'transaction', server_round_robin: 1, min_pool_size: 5 },
    message: /pool_mode = session/
  },
  {
    what: 'transaction mode that resets each session',
    settings: { pool_mode: 'transaction', server_reset_query_always: 1 },
    message: /another session for each transaction/
  },
  { what: 'statement mode', settings: { pool_mode: 'statement' }, message: /another session for each transaction/ },
  {
    what: 'session mode that resets no session',
    settings: { server_reset_query: '' },
    message: /keeps the locks and settings.*server_reset_query = DISCARD ALL/
  },
  {
    what: 'a pool that is too small',
    settings: { default_pool_size: 6 },
    message: /gave only 6 of the 14 sessions/
  },
  {
    what: 'a pooler that takes too few clients',
    settings: { max_client_conn: 9 },
    message: /gave only 9 of the 14 sessions.*max_client_conn/
  }
]

for (const { what, settings, message } of refused) {
  t.test(`the start and the doctor refuse ${what}, and leave nothing behind`, needsServer, async t => {
    if (!hasProgram(t, 'pgbouncer')) return
    const { url, directUrl } = await openPooled(t, settings)
    const directory = await openProject(t)

    const started = await runLinker(['start'], directory, { ...nowhere, DATABASE_URL: url })
    t.equal(started.code, 1)
    t.match(started.stderr, /LNK_DATABASE_UNFIT/)
    t.match(started.stderr, message)
    const found = await askDoctor(directory, url)
    t.match(found.map(({ message: said }) => said).join('\n'), message)
    t.notMatch(found, [{ mark: 'ok' }])
    t.equal(await countAdvisoryLocks(directUrl), 0)
  })
}

t.test('transaction mode is refused however busy its pool is', needsServer, async t => {
  if (!hasProgram(t, 'pgbouncer')) return
  const { url } = await openPooled(t, { pool_mode: 'transaction', default_pool_size: 8 })
  const directory = await openProject(t)
  const others = Array.from({ length: 12 }, () => new pg.Client({ connectionString: url }))
  await Promise.all(others.map(client => client.connect()))
  const ended = new AbortController()
  const busy = others.map(async client => {
    while (!ended.signal.aborted) await client.query('select pg_sleep(random() / 100)')
    await client.end()
  })

  const starts: string[] = []
  for (let tries = 0; tries < 5; tries++) {
    starts.push((await runLinker(['migrate'], directory, { DATABASE_URL: url })).stderr)
  }
  ended.abort()
  await Promise.all(busy)
  for (const said of starts) t.match(said, /LNK_DATABASE_UNFIT/)
})
