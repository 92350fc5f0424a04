import t from 'tap'
import { createCredentials } from '../../src/credentials/credentials.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'

const credentialsKey = `k1:${Buffer.alloc(32, 7).toString('base64')}`
const now = new Date('2026-01-31T12:00:00.000Z')

t.test('credentials at rest', async t => {
  const { database } = await openJobsFor(t, cheapestKind)
  const { create, read, replace } = createCredentials({ credentialsKey }, () => now)
  t.beforeEach(() => database.query('delete from integration_credentials'))
  const store = (label?: string): Promise<string> =>
    database.transaction(async ({ em }) => create(em, 'feed', { token: 'first' }, label))

  t.test('a reference names platform, label and time, and its row belongs to it alone', async t => {
    const [plain, labelled] = [await store(), await store('sandbox')]

    t.match(plain, new RegExp(`^db:feed_${now.getTime()}_[0-9a-f-]{36}$`))
    t.match(labelled, new RegExp(`^db:feed_sandbox_${now.getTime()}_`))
    t.match(await read(database.query, plain), { plain: { token: 'first' }, version: 1, platformType: 'feed' })
  })

  t.test('the stored form cannot be read in another row, nor as another platform', async t => {
    const [one, two] = [await store(), await store()]
    const keyOf = (ref: string): string => ref.slice('db:'.length)
    await database.query(
      `
      update integration_credentials as target
      set credentials_json = source.credentials_json
      from integration_credentials as source
      where target.ref = $1 and source.ref = $2`,
      [keyOf(one), keyOf(two)]
    )
    await database.query("update integration_credentials set platform_type = 'mail' where ref = $1", [keyOf(two)])

    await t.rejects(read(database.query, one))
    await t.rejects(read(database.query, two))
  })

  t.test('replacing keeps the reference and counts the version', async t => {
    const ref = await store()
    const replaced = await database.transaction(({ em }) => replace(em, ref, 'feed', { token: 'second' }))

    t.equal(replaced, ref)
    t.match(await read(database.query, ref), { plain: { token: 'second' }, version: 2 })
  })

  t.test('a reference that names no row of ours gets a new row', async t => {
    for (const ref of [undefined, 'db:gone', 'vault:feed']) {
      const made = await database.transaction(({ em }) => replace(em, ref, 'feed', { token: 'new' }, 'live'))

      t.match(made, /^db:feed_live_/)
      t.match(await read(database.query, made), { plain: { token: 'new' }, version: 1 })
    }
    for (const ref of ['db:gone', 'vault:feed']) {
      await t.rejects(read(database.query, ref), { code: 'LNK_CREDENTIALS_NOT_FOUND' })
    }
  })

  t.test('what a transaction did not commit is not stored', async t => {
    let ref = ''
    await t.rejects(
      database.transaction(async ({ em }) => {
        ref = create(em, 'feed', { token: 'first' })
        throw new Error('rolled back')
      }),
      /rolled back/
    )

    await t.rejects(read(database.query, ref), { code: 'LNK_CREDENTIALS_NOT_FOUND' })
  })
})
