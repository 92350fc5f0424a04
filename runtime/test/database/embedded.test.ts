import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type pg from 'pg'
import t, { type Test } from 'tap'
import { openDatabase, type Database } from '../../src/database/database.ts'
import { startEmbeddedServer } from '../../src/database/embedded.ts'
import { replanRegularly } from '../../src/database/fresh-plans.ts'
import { prepared } from '../../src/database/prepared.ts'
import { copyEmbeddedDatabase } from '../databases.ts'

async function openEmbedded (t: Test, directory?: string): Promise<Database> {
  const dataDirectory = directory ?? await mkdtemp(join(tmpdir(), 'linker-embedded-'))
  copyEmbeddedDatabase(dataDirectory)
  const database = await openDatabase({ dataDirectory }, { warn: () => undefined })
  t.teardown(async () => {
    await database.close()
    await rm(dataDirectory, { recursive: true, force: true })
  })
  return database
}

t.test('queries and transactions at the same time each get their own answer', async t => {
  const database = await openEmbedded(t)
  await database.query('create table counted (id integer primary key, note text)')
  const wrong: string[] = []
  const expect = (is: unknown, wanted: unknown): void => {
    if (is !== wanted) wrong.push(`${String(is)} instead of ${String(wanted)}`)
  }

  await Promise.all(Array.from({ length: 1_500 }, async (_, number) => {
    if (number % 3 === 0) {
      const [row] = await database.query<{ number: number }>('select $1::integer as number', [number])
      expect(row?.number, number)
    } else if (number % 3 === 1) {
      const [row] = await database.query<{ text: string, number: number, more: number }>(
        'select $1::text as text, $2::integer as number, $3::integer as more',
        [`n${number}`, number, 1]
      )
      expect(row?.text, `n${number}`)
    } else {
      await database.transaction(async ({ query }) => {
        await query('insert into counted (id, note) values ($1, $2)', [number, `n${number}`])
        const [row] = await query<{ note: string }>('select note from counted where id = $1', [number])
        expect(row?.note, `n${number}`)
      })
    }
  }))

  t.strictSame(wrong, [])
  t.strictSame(await database.query('select count(*)::integer as count from counted'), [{ count: 500 }])
})

t.test('a transaction that throws leaves nothing behind', async t => {
  const database = await openEmbedded(t)
  await database.query('create table kept (id integer)')

  await t.rejects(
    database.transaction(async ({ query }) => {
      await query('insert into kept values (1)')
      throw new Error('changed my mind')
    }),
    { message: 'changed my mind' }
  )

  t.strictSame(await database.query('select * from kept'), [])
})

t.test('rows are still there after the directory was closed and opened again', async t => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'linker-embedded-'))
  copyEmbeddedDatabase(dataDirectory)
  const first = await openDatabase({ dataDirectory }, { warn: () => undefined })
  await first.query('create table remembered as select 7 as number')
  await first.close()

  const second = await openEmbedded(t, dataDirectory)

  t.strictSame(await second.query('select number from remembered'), [{ number: 7 }])
})

t.test('a second opener of the directory is refused while the first is there', async t => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'linker-embedded-'))
  await openEmbedded(t, dataDirectory)

  await t.rejects(openDatabase({ dataDirectory }, { warn: () => undefined }), { code: 'LNK_DATA_DIRECTORY_LOCKED' })
})

t.test('a directory too deep for a socket is served over loopback', async t => {
  const parent = await mkdtemp(join(tmpdir(), 'linker-embedded-'))
  t.teardown(() => rm(parent, { recursive: true, force: true }))

  const database = await openEmbedded(t, join(parent, 'a-rather-long-name-of-a-folder'.repeat(4)))

  t.strictSame(await database.query('select 1 as one'), [{ one: 1 }])
})

const selectNames = "select name, statement from pg_prepared_statements where statement like '%of_test%'"

t.test('a marked statement is prepared once, and again after the connection was lost', async t => {
  const database = await openEmbedded(t)
  const statement = prepared('select $1::integer as of_test')
  const ask = () => database.query(statement, [7])
  const first = [await ask(), await ask()]
  const names = await database.query(selectNames)
  const pool: pg.Pool = await database.orm.em.getConnection().getNativeClient()
  const client = await pool.connect()
  client.release(true)
  const again = [await ask(), await ask()]

  t.strictSame([...first, ...again], Array.from({ length: 4 }, () => [{ of_test: 7 }]))
  t.equal(names.length, 1)
  t.strictSame(await database.query(selectNames), names)
})

t.test('a prepared statement gets a new plan when its table has grown', async t => {
  const { query } = await openEmbedded(t)
  // A plan depends on the size of a table in other ways, too; this one is easy to see.
  await query('set enable_seqscan = on')
  await query('create table grown (id integer primary key)')
  await query('insert into grown select generate_series(-5, 0)')
  await query('vacuum grown')
  const statement = prepared('select id from grown where id = $1')
  // PostgreSQL keeps a plan from the sixth time on.
  for (let time = 0; time < 7; time += 1) await query(statement, [1])
  await query('insert into grown select generate_series(1, 20000)')
  const [named] = await query<
    { name: string }
  >("select name from pg_prepared_statements where statement like '%grown%'")
  const planOf = async () => JSON.stringify(await query(`explain execute ${named?.name ?? ''}(1)`))
  const before = await planOf()
  const warnings: string[] = []
  const plans = replanRegularly(query, { warn: (_fields, message) => warnings.push(message) })
  plans.runNow()
  await plans.stop()

  t.match(before, /Seq Scan/)
  t.match(await planOf(), /Index Only Scan/)
  t.strictSame(warnings, [])
})

t.test('a full disk stays the reason of a restart until the database runs or fails for another', async t => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'linker-embedded-'))
  copyEmbeddedDatabase(dataDirectory)
  let warned = Promise.withResolvers<string>()
  const server = await startEmbeddedServer({ dataDirectory }, {
    warn (_fields, message) {
      if (message !== 'restarting the embedded database') warned.resolve(message)
    }
  })
  t.teardown(async () => {
    await server.close()
    await rm(dataDirectory, { recursive: true, force: true })
  })
  /** Says whether the disk was called full at each look until the restart ended, and after it. */
  const restart = async () => {
    warned = Promise.withResolvers()
    let message: string | undefined
    void warned.promise.then(text => {
      message = text
    })
    server.restart('no room', true)
    const during = new Set<boolean>()
    while (message === undefined) {
      during.add(server.isFull())
      await setImmediate()
    }
    return { during: [...during], after: server.isFull(), message }
  }

  t.strictSame(await restart(), { during: [true], after: false, message: 'the embedded database runs again' })
  const database = join(dataDirectory, 'database')
  await rm(database, { recursive: true })
  await writeFile(database, 'no folder')
  t.match(await restart(), { during: [true], after: false, message: /did not start/ })
})
