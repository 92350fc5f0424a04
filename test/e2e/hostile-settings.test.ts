import { randomBytes } from 'node:crypto'
import pg from 'pg'
import t, { type Test } from 'tap'
import { createDatabase, type TestDatabase } from '../support/databases.ts'
import { doMainJob } from '../support/main-job.ts'
import { openShopAndMarket } from '../support/shop-and-market.ts'

const serverUrl = process.env.LINKER_TEST_DATABASE_URL ?? ''
const needsServer = { skip: serverUrl === '' && 'needs PostgreSQL' }

interface Hostile {
  /** The hub sets these itself. */
  overruled: Record<string, string>
  /** The hub leaves these to the operator. */
  kept: Record<string, string>
}

const matrix: Record<string, Hostile> = {
  'forms of values': {
    overruled: {
      TimeZone: "'Asia/Kathmandu'",
      DateStyle: "'SQL, DMY'",
      IntervalStyle: 'sql_standard',
      bytea_output: 'escape',
      extra_float_digits: '-15',
      quote_all_identifiers: 'on',
      client_encoding: 'LATIN1',
      client_min_messages: 'debug5'
    },
    kept: {
      timezone_abbreviations: "'India'",
      xmlbinary: 'hex',
      xmloption: 'document',
      lc_numeric: "'C.UTF-8'",
      default_text_search_config: "'pg_catalog.simple'"
    }
  },
  'meanings of statements': {
    overruled: {
      standard_conforming_strings: 'off',
      array_nulls: 'off',
      transform_null_equals: 'on',
      search_path: "''",
      default_transaction_isolation: 'serializable',
      default_transaction_deferrable: 'on'
    },
    kept: {
      backslash_quote: 'off',
      escape_string_warning: 'on',
      row_security: 'off',
      check_function_bodies: 'off',
      gin_fuzzy_search_limit: '1',
      stats_fetch_consistency: 'snapshot'
    }
  },
  'limits': {
    overruled: {
      statement_timeout: '300',
      lock_timeout: '1',
      idle_in_transaction_session_timeout: '1',
      idle_session_timeout: '1000',
      exit_on_error: 'on'
    },
    kept: {
      client_connection_check_interval: '1000',
      temp_buffers: '100'
    }
  },
  'plans': {
    overruled: {
      enable_indexscan: 'off',
      enable_indexonlyscan: 'off',
      enable_bitmapscan: 'off',
      enable_nestloop: 'off',
      enable_sort: 'off',
      plan_cache_mode: 'force_generic_plan'
    },
    kept: {
      jit_above_cost: '0',
      force_parallel_mode: 'on',
      work_mem: "'64kB'",
      from_collapse_limit: '1',
      geqo_threshold: '2',
      synchronize_seqscans: 'on',
      enable_hashjoin: 'off',
      cursor_tuple_fraction: '0.0'
    }
  }
}

async function administer (url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Makes a database without tables, and its owner, who may nothing else. Returns their URL. */
async function openOwn (t: Test, options = ''): Promise<TestDatabase & { role: string }> {
  const database = await createDatabase(serverUrl, new Date(), options === '' ? undefined : `template0 ${options}`)
  const role = `${database.name}_${randomBytes(2).toString('hex')}`
  t.teardown(async () => {
    await database.drop()
    await administer(serverUrl, [`drop role if exists ${role}`])
  })
  await administer(serverUrl, [`create role ${role} login`, `alter database ${database.name} owner to ${role}`])
  const url = new URL(database.url)
  url.username = role
  return { ...database, url: url.href, role }
}

const selectListener = `
  select pid
  from pg_stat_activity
  where datname = current_database() and application_name = 'linker-listen'`

const selectHostile = `
  select name
  from pg_settings
  where source = $1 and name <> 'synchronous_commit'
  order by name collate "C"`

const runs: { what: string, owner: 'role' | 'database', settings: Hostile }[] = [
  ...Object.entries(matrix).map(([what, settings]) => ({ what, owner: 'role' as const, settings })),
  {
    what: 'settings of all kinds',
    owner: 'database',
    settings: {
      overruled: Object.assign({}, ...Object.values(matrix).map(({ overruled }) => overruled)),
      kept: Object.assign({}, ...Object.values(matrix).map(({ kept }) => kept))
    }
  }
]

for (const { what, owner, settings: { overruled, kept } } of runs) {
  t.test(`hostile ${what} of a ${owner} change nothing in the main job`, needsServer, async t => {
    const own = await openOwn(t)
    const target = owner === 'role' ? own.role : own.name
    const settings = Object.entries({ ...overruled, ...kept })
    await administer(
      serverUrl,
      settings.map(([setting, value]) => `alter ${owner} ${target} set ${setting} to ${value}`)
    )
    const line = await openShopAndMarket(t, {
      mode: 'postgres',
      market: { orderWriteBack: true },
      reroute: async () => ({ DATABASE_URL: own.url })
    })
    const { query, publish } = line.hub.database()
    const listener = await query(selectListener)
    const source = owner === 'role' ? 'user' : 'database'

    await doMainJob(t, line)
    for (const ask of [query, publish]) {
      const hostile = await ask<{ name: string }>(selectHostile, [source])
      t.strictSame(hostile.map(({ name }) => name), Object.keys(kept).toSorted())
    }
    t.equal(listener.length, 1)
    t.strictSame(await query(selectListener), listener, 'the connection that listens is still the same')
  })
}

t.test('a collation of ICU changes nothing in the main job', needsServer, async t => {
  const { url } = await openOwn(t, "locale_provider icu icu_locale 'sv-u-kf-upper' encoding 'UTF8'")
  await doMainJob(
    t,
    await openShopAndMarket(t, {
      mode: 'postgres',
      market: { orderWriteBack: true },
      reroute: async () => ({ DATABASE_URL: url })
    })
  )
})
