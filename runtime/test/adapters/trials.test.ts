import { mostConnectionBytes } from '@linker/sdk/host'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createStateServices } from '../../src/adapters/services.ts'
import { createTrials } from '../../src/adapters/trials.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'

const given = { accessToken: 'a', refreshToken: 'r' }

t.test('trials of settings', async t => {
  const { database } = await openJobsFor(t, cheapestKind)
  const renewedStored: string[] = []
  const { services, begin } = createTrials(
    createStateServices({
      database,
      readCredentials: async () => ({ value: 'stored', version: 'db:stored:1' }),
      async renewCredentials (id) {
        renewedStored.push(id)
        return 'db:stored:2'
      },
      refuseRefresh: async () => {
        throw new Error('the refusal of a trial was stored')
      }
    }),
    () => new Date()
  )
  const { writeValue, readValue, listValues, acquireLock } = services
  const list = async (id: string, more: object = {}) =>
    (await listValues(id, { prefix: '', limit: 10, order: 'ascending', after: undefined, ...more }))
      .map(({ key }) => key)

  t.test('an adapter finds what it kept, and the database has none of it', async t => {
    const { connectionId: id, end } = begin(given)
    for (const key of ['b', 'a', 'ab', '\u{1f600}', '\uffff']) await writeValue(id, key, { of: key }, 60)
    await services.deleteValue(id, 'b')

    t.strictSame(await readValue(id, 'a'), { of: 'a' })
    t.equal(await readValue(id, 'b'), undefined)
    t.strictSame(await list(id), ['a', 'ab', '\uffff', '\u{1f600}'], 'in the order of bytes')
    t.strictSame(await list(id, { prefix: 'a', order: 'descending', limit: 1 }), ['ab'])
    t.strictSame(await list(id, { after: 'ab' }), ['\uffff', '\u{1f600}'])
    t.equal(await services.readCursor(id, 'feed'), undefined)
    t.strictSame(await services.listCursors(id), [])
    t.strictSame(await database.query('select from connection_values'), [])
    end()
  })

  t.test('values have the limit of a connection', async t => {
    const { connectionId: id, end } = begin(given)
    const half = 'x'.repeat(mostConnectionBytes / 2 - 1_000)
    t.equal(await writeValue(id, 'a', half, undefined), true)
    t.equal(await writeValue(id, 'b', half, undefined), true)
    t.equal(await writeValue(id, 'c', half, undefined), false)
    t.equal(await writeValue(id, 'b', half, undefined), true, 'the new value replaces the old one')
    t.strictSame(await list(id), ['a', 'b'])
    end()
  })

  t.test('a lock is held by one caller until its token releases it', async t => {
    const { connectionId: id, end } = begin(given)
    const token = await acquireLock(id, 'oauth', 1_000)
    t.equal(await acquireLock(id, 'oauth', 1_000), undefined)
    t.type(await acquireLock(id, 'other', 1_000), 'string')
    await services.releaseLock(id, 'oauth', 'not-the-token')
    t.equal(await acquireLock(id, 'oauth', 1_000), undefined)
    await services.releaseLock(id, 'oauth', token ?? '')
    t.type(await acquireLock(id, 'oauth', 1_000), 'string')
    t.strictSame(await database.query('select from connection_locks'), [])
    end()
  })

  t.test('renewed credentials replace the given ones in the trial only, and only from the present ones', async t => {
    const { connectionId: id, hasRenewed, end } = begin(given)
    t.equal(await services.renewCredentials(id, { accessToken: 'c' }, { accessToken: 'b' }), undefined)
    t.equal(hasRenewed(), false)
    t.equal(await services.renewCredentials(id, { accessToken: 'b' }, given), '2')
    t.equal(hasRenewed(), true)
    await services.refuseRefresh(id, { input: 'i', message: 'spent' })
    t.strictSame(await services.readCredentials(id), {
      value: { accessToken: 'b' },
      version: '2',
      refusal: { input: 'i', message: 'spent' }
    })
    t.strictSame(renewedStored, [])
    end()
  })

  t.test('trials and stored connections do not see each other', async t => {
    const stored = randomUUID()
    const [one, two] = [begin(given), begin({ accessToken: 'two' })]
    await writeValue(one.connectionId, 'a', 1, undefined)

    t.equal(await readValue(two.connectionId, 'a'), undefined)
    t.match(await services.readCredentials(two.connectionId), { value: { accessToken: 'two' } })
    t.match(await services.readCredentials(stored), { value: 'stored' })
    t.equal(
      await services.identifyJob(stored, 'feed.read', 'key'),
      await services.identifyJob(stored, 'feed.read', 'key')
    )
    one.end()
    two.end()
  })

  t.test('an adapter that goes on after the end can store nothing', async t => {
    const { connectionId: id, end } = begin(given)
    await writeValue(id, 'a', 1, undefined)
    end()

    t.equal(await readValue(id, 'a'), undefined)
    await t.rejects(writeValue(id, 'a', 1, undefined), { code: '23503' })
    await t.rejects(acquireLock(id, 'oauth', 1_000), { code: '23503' })
  })
})
