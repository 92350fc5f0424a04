import pg from 'pg'
import t, { type Test } from 'tap'
import { openServedAsItIs } from '../../src/database/as-it-is.ts'
import { openDatabase } from '../../src/database/database.ts'
import { openExamined } from '../../src/database/examine-server.ts'
import { createServerDatabase } from '../databases.ts'

const serverUrl = process.env.LINKER_TEST_DATABASE_URL ?? ''
const needsServer = { skip: serverUrl === '' && 'needs PostgreSQL' }

/** Makes a database and changes it by statements, which get its name. */
async function openChanged (t: Test, ...statements: ((name: string) => string)[]): Promise<string> {
  const { url, name, drop } = await createServerDatabase(serverUrl, { hasTables: false })
  t.teardown(drop)
  const admin = new pg.Client({ connectionString: serverUrl })
  await admin.connect()
  for (const statement of statements) await admin.query(statement(name))
  await admin.end()
  return url
}

for (const encoding of ['LATIN1', 'SQL_ASCII']) {
  t.test(`a database in ${encoding} is refused`, needsServer, async t => {
    const url = await openChanged(
      t,
      name => `drop database ${name}`,
      name => `create database ${name} encoding '${encoding}' locale 'C' template template0`
    )

    await t.rejects(openDatabase({ databaseUrl: url, dataDirectory: '' }, { warn: () => undefined }), {
      code: 'LNK_DATABASE_UNFIT',
      message: new RegExp(`encoding is ${encoding}`)
    })
    const { query, close, unfit } = await openServedAsItIs(url, { name: 'linker-test', statementMs: 10_000 })
    const rows = await query('select 1 as one')
    await close()
    t.match(unfit, { code: 'LNK_DATABASE_UNFIT' }, 'a backup can still be read')
    t.strictSame(rows.length, 1)
  })
}

t.test('a database that checks no foreign keys is refused', needsServer, async t => {
  const url = await openChanged(t, name => `alter database ${name} set session_replication_role = replica`)

  await t.rejects(openDatabase({ databaseUrl: url, dataDirectory: '' }, { warn: () => undefined }), {
    code: 'LNK_DATABASE_UNFIT',
    message: /session_replication_role is replica/
  })
})

t.test('a server without a pooler gives as many sessions as it likes, and says whether it takes writes', {
  ...needsServer
}, async t => {
  const url = await openChanged(t)
  const readOnlyUrl = await openChanged(t, name => `alter database ${name} set default_transaction_read_only = on`)

  for (const [connectionString, isReadOnly] of [[url, false], [readOnlyUrl, true]] as const) {
    const { client, ...found } = await openExamined({ connectionString }, 1_000)
    await client.end()
    t.strictSame(found, { isPooled: false, isReadOnly, unfit: undefined, shortage: undefined })
  }
})
