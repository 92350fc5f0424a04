import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { Connection } from '../../src/connections/entity.ts'
import { setMembers } from '../../src/connections/store.ts'
import { checkVersion, createUpdate } from '../../src/connections/update.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'
import { fakeConnection } from './support.ts'

t.test('only the version that the caller read may be changed, and a caller need not have read one', async t => {
  const connection = fakeConnection({ version: 3 })

  t.doesNotThrow(() => {
    checkVersion(connection, 3)
    checkVersion(connection, undefined)
  })
  t.throws(() => {
    checkVersion(connection, 2)
  }, { code: 'LNK_PRECONDITION_FAILED', statusCode: 412 })
})

t.test('changes of a connection', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { database } = jobs

  /** Updates that write down which name stood in the database when they were announced. */
  function openUpdate () {
    const announced: unknown[] = []
    const update = createUpdate({
      database,
      async onChanged ({ id }: Connection) {
        announced.push(...await database.query('select name from connections where id = $1', [id]))
      }
    })
    return { announced, update }
  }

  const entriesOf = (id: string) =>
    database.query('select action, object_name as name, changes from audit_entries where connection_id = $1', [id])

  t.test('a change is announced when others can read it', async t => {
    const id = await jobs.addConnection()
    const { update, announced } = openUpdate()
    const { connection, isChanged } = await update(id, (connection, { em }) => {
      setMembers(em, connection, { name: 'New' })
    }, { action: 'connection.change' })

    t.strictSame([connection.name, connection.version, isChanged], ['New', 2, true])
    t.strictSame(announced, [{ name: 'New' }])
    t.strictSame(await entriesOf(id), [{
      action: 'connection.change',
      name: 'New',
      changes: [{ pointer: '/name', from: 'test', to: 'New' }]
    }])
  })

  t.test('work that finds nothing to change is not announced', async t => {
    const { update, announced } = openUpdate()
    const { isChanged } = await update(await jobs.addConnection(), () => false, { action: 'connection.change' })

    t.equal(isChanged, false)
    t.strictSame(announced, [])
  })

  t.test('work that fails changes nothing, announces nothing and keeps the holds as they were', async t => {
    const id = await jobs.addConnection()
    const { update, announced } = openUpdate()
    await t.rejects(
      update(id, async (connection, { em, query }) => {
        setMembers(em, connection, { status: 'disabled', name: 'New' })
        await query("update connections set name = 'Newer' where id = $1", [id])
        throw new Error('too late')
      }, { action: 'connection.change' }),
      /too late/
    )

    t.strictSame(await database.query('select name, status, version from connections where id = $1', [id]), [{
      name: 'test',
      status: 'active',
      version: 1
    }])
    t.strictSame(await database.query('select reason from job_holds'), [])
    t.strictSame(await entriesOf(id), [])
    t.strictSame(announced, [])
  })

  t.test('changes of one connection follow each other, and none is lost', async t => {
    const id = await jobs.addConnection()
    const { update } = openUpdate()
    await Promise.all(Array.from({ length: 5 }, () =>
      update(id, (connection, { em }) => {
        setMembers(em, connection, { name: `${connection.name}+` })
      }, { action: 'connection.change' })))

    t.strictSame(await database.query('select name, version from connections where id = $1', [id]), [{
      name: 'test+++++',
      version: 6
    }])
  })

  t.test('the audit tells of a secret only that it changed, and leaves routine out', async t => {
    const id = await jobs.addConnection()
    const { update } = openUpdate()
    await update(id, (connection, { em }) => {
      setMembers(em, connection, { config: { key: 'canary-1', url: 'https://x' }, secretMembers: ['key'] })
    }, { action: 'connection.disable' })
    await update(id, (connection, { em }) => {
      setMembers(em, connection, { config: { key: 'canary-2', url: 'https://x?k=canary-2' } })
    }, { action: 'connection.enable' })
    await update(id, () => undefined, { action: 'connection.change' })
    await update(id, () => undefined, { action: 'credentials.replace', isHidden: true })
    await update(id, (connection, { em }) => {
      setMembers(em, connection, { credentialsRef: 'db:other' })
    }, { action: undefined })

    const entries = await entriesOf(id) as { action: string, changes: { pointer: string }[] }[]
    t.strictSame(entries.map(({ action, changes }) => [action, changes.map(({ pointer }) => pointer)]), [
      ['connection.disable', ['/config/key', '/config/url']],
      ['connection.enable', ['/config/key', '/config/url']],
      ['credentials.replace', []]
    ])
    t.notMatch(JSON.stringify(entries), /canary/)
  })

  t.test('a reason that PostgreSQL would refuse in the entry does not keep a connection from its change', async t => {
    const id = await jobs.addConnection()
    const { update } = openUpdate()
    await update(id, (connection, { em }) => {
      setMembers(em, connection, { status: 'error', statusReason: 'half of it: \ud83d' })
    }, { action: 'connection.change' })

    t.match(await entriesOf(id), [{ changes: [{ pointer: '/status' }, { pointer: '/statusReason' }] }])
  })

  t.test('a connection that does not exist is not changed', async t => {
    const { update } = openUpdate()

    await t.rejects(update(randomUUID(), () => undefined, { action: 'connection.change' }), {
      code: 'LNK_CONNECTION_NOT_FOUND'
    })
  })
})
