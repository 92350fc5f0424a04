import { AuthenticationError, NotFoundError, RateLimitedError } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { listEntries } from '../../../src/audit/store.ts'
import type { ConnectionBody } from '../../../src/connections/schemas.ts'
import { listDeleted } from '../../../src/connections/store.ts'
import { kinds, openJobsFor, type Jobs } from '../../jobs/support.ts'
import { openConnections } from '../open-connections.ts'
import { fakeAdapter } from '../support.ts'

/** The key that the platform takes as one of a person. */
const personal = 'person'

const adapter = fakeAdapter({
  credentials: Type.Object({ key: Type.String() }),
  described: { hasAccount: true }
})

/** A platform whose keys begin with the id of their account: `a-1`, `a-2`. */
function openPlatform (jobs: Jobs) {
  const asked: string[] = []
  const [platform, taken] = [{
    isAway: false,
    failure: undefined as Error | undefined,
    renewed: undefined as object | undefined
  }, [] as string[]]
  const opened = openConnections(jobs, [adapter], () => new Date(), {
    adapters: {
      async call (_adapter, snapshot) {
        const { key = '' } = (snapshot?.credentials ?? {}) as { key?: string }
        asked.push(key)
        if (platform.failure !== undefined) throw platform.failure
        if (platform.isAway) throw new AuthenticationError('the key is refused')
        const [id = ''] = key.split('-')
        return id === 'none' ? undefined : { id, name: id.toUpperCase(), isPersonal: id === personal }
      },
      beginTrial: () => ({
        connectionId: randomUUID(),
        hasRenewed: () => platform.renewed !== undefined,
        readCredentials: async () => ({ ...platform.renewed }),
        end: () => undefined
      })
    },
    takeOver: async (_transaction, former, { id }) => {
      taken.push(`${former.id} ${id}`)
      return [{ what: 'orders', count: 3 }]
    }
  })
  return { ...opened, platform, asked, taken }
}

for (const kind of kinds(t)) {
  t.test(`the accounts of connections, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query } = jobs.database
    t.beforeEach(() => query('delete from connections'))

    function open () {
      const world = openPlatform(jobs)
      const { connections } = world
      const create = async (key: string, more: Partial<ConnectionBody> = {}) =>
        (await connections.create({ platformType: 'feed', name: key, credentials: { key }, ...more }, randomUUID()))
          .connection
      const remove = (id: string) =>
        query("update connections set deleted_at = now(), status = 'disabled' where id = $1", [id])
      return { ...world, create, remove }
    }

    t.test('a second connection to an account is refused, and the answer names the first', async t => {
      const { create } = open()
      const first = await create('a-1')

      t.match(first, { accountId: 'a', accountName: 'A', accountShared: null, ordersSince: null })
      await t.rejects(create('a-2'), { code: 'LNK_ACCOUNT_CONNECTED', message: new RegExp(`'a-1' \\(${first.id}\\)`) })
      t.match(await create('b-1'), { accountId: 'b' })
      t.equal((await query('select from connections')).length, 2)
    })

    t.test('of two that are made at once, one is refused', async t => {
      const { create } = open()
      const made = await Promise.allSettled(['a-1', 'a-2'].map(key => create(key)))

      t.strictSame(made.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
      t.match(made.find(({ status }) => status === 'rejected'), { reason: { code: 'LNK_ACCOUNT_CONNECTED' } })
    })

    t.test('a second connection that is allowed takes no orders, until the first is deleted', async t => {
      const { create, remove, connections } = open()
      const first = await create('a-1')
      const second = await create('a-2', { allowSameAccount: true })
      const standing = async () => connections.learnAccountForOrders(await connections.open(second.id))

      t.match(await standing(), { accountId: 'a', accountShared: 'allowed' })
      await remove(first.id)
      t.match(await standing(), { accountShared: null, ordersSince: Date })
    })

    t.test('a platform that does not answer is asked again before orders are taken', async t => {
      const { create, connections, platform, asked } = open()
      platform.isAway = true
      const { id } = await create('a-1')
      const learn = async () => connections.learnAccountForOrders(await connections.open(id))

      t.match(await learn(), { accountId: null }, 'no other connection can open the same account')
      platform.isAway = false
      t.match(await learn(), { accountId: 'a', accountShared: null })
      t.match(await learn(), { accountId: 'a' })
      t.equal(asked.length, 3, 'a known account is not asked for again')
      t.match(await listEntries(query, { connectionId: id, limit: 1 }), [{ action: 'connection.account' }])
    })

    t.test('beside others, no orders are taken until the account is known', async t => {
      const { create, connections, platform } = open()
      await create('a-1')
      platform.isAway = true
      const { id } = await create('a-2')
      const learn = async () => connections.learnAccountForOrders(await connections.open(id))

      await t.rejects(learn(), { message: 'the key is refused' })
      platform.isAway = false
      t.match(await learn(), { accountId: 'a', accountShared: 'found' })
      t.match(await connections.checkAccount(await connections.open(id)), { ok: true, hint: /takes its orders/ })
    })

    t.test('a job that cannot learn the account tries again, whatever the platform answered', async t => {
      const { create, connections, platform } = open()
      await create('a-1')
      platform.isAway = true
      const { id } = await create('a-2')
      const learn = async () => connections.learnAccountForOrders(await connections.open(id))

      platform.failure = new NotFoundError('no such page')
      await t.rejects(learn(), { code: 'LNK_ADAPTER_TRANSIENT', message: /account of the connection: no such page/ })
      platform.failure = new RateLimitedError('too many', { retryAfterMs: 1_000 })
      await t.rejects(learn(), { code: 'LNK_ADAPTER_RATE_LIMITED' })
    })

    t.test('a connection that may share its account takes no orders before its account is known', async t => {
      const { create, connections, platform } = open()
      await create('b-1')
      platform.isAway = true
      const { id, accountShared } = await create('a-1', { allowSameAccount: true })
      t.equal(accountShared, 'allowed')
      platform.isAway = false

      t.match(await connections.learnAccountForOrders(await connections.open(id)), {
        accountId: 'a',
        accountShared: null
      })
      const nameless = await create('none-1', { allowSameAccount: true })
      t.match(await connections.learnAccountForOrders(await connections.open(nameless.id)), { accountShared: null })
    })

    t.test('a connection beside one of an unknown account leaves the orders before it to that one', async t => {
      const { create, platform } = open()
      platform.isAway = true
      await create('a-1')
      platform.isAway = false

      const next = await create('a-2')
      t.strictSame([next.accountId, next.ordersSince], ['a', next.createdAt])
    })

    t.test('an account that is learned after a take-over leaves the taken orders alone', async t => {
      const { create, remove, connections, platform } = open()
      platform.isAway = true
      const former = await create('a-1')
      await remove(former.id)
      const heir = await create('a-2', { takeOver: former.id })
      t.equal(heir.ordersSince, null)
      platform.isAway = false

      const learned = await connections.learnAccountForOrders(await connections.open(heir.id))
      t.match(learned, { accountId: 'a', ordersSince: null })
    })

    t.test('who authorises a connection again must be the owner of its account', async t => {
      const { create, connections, platform } = open()
      const { id } = await create('a-1')
      platform.isAway = true
      const again = (mustKnowAccount: boolean) =>
        connections.replaceCredentials(id, { key: 'b-1' }, { mustKnowAccount })

      await t.rejects(again(true), { message: 'the key is refused' })
      await t.resolves(again(false))
    })

    t.test('a platform without accounts is asked once for each version of a connection', async t => {
      const { create, connections, asked } = open()
      const { id } = await create('none-1')
      await create('none-2')
      const learn = async () => connections.learnAccountForOrders(await connections.open(id))

      t.match([await learn(), await learn()], [{ accountId: null }, { accountId: null }])
      t.strictSame(asked, ['none-1', 'none-2', 'none-1'])
    })

    t.test('new credentials of another account are refused, and both accounts are named', async t => {
      const { create, connections } = open()
      const { id } = await create('a-1')

      await t.rejects(connections.replaceCredentials(id, { key: 'b-1' }), {
        code: 'LNK_ACCOUNT_DIFFERS',
        message: /the account 'B'.*the account 'A'/
      })
      t.strictSame((await connections.readCredentials(id)).value, { key: 'a-1' })
      await connections.replaceCredentials(id, { key: 'a-2' })
      t.strictSame((await connections.readCredentials(id)).value, { key: 'a-2' })
    })

    t.test('credentials that name the account of another connection are refused', async t => {
      const { create, connections, platform } = open()
      await create('a-1')
      platform.isAway = true
      const { id } = await create('x-1')
      platform.isAway = false

      await t.rejects(connections.replaceCredentials(id, { key: 'a-2' }), { code: 'LNK_ACCOUNT_CONNECTED' })
    })

    t.test('credentials that the adapter renews when it is asked are stored in place of the given ones', async t => {
      const { create, connections, platform } = open()
      platform.renewed = { key: 'a-renewed' }
      const { id } = await create('a-1')

      t.strictSame((await connections.readCredentials(id)).value, { key: 'a-renewed' })
    })

    t.test('the account of a person is kept as a hash, without its name', async t => {
      const { create } = open()
      const made = await create(`${personal}-1`)

      t.match(made, { accountName: null, accountId: /^[\w-]{43}$/ })
      await t.rejects(create(`${personal}-2`), { code: 'LNK_ACCOUNT_CONNECTED' })
    })

    t.test('a connection to the account of a deleted one begins at its creation, unless it takes over', async t => {
      const { create, remove, taken } = open()
      const former = await create('a-1')
      await remove(former.id)

      const next = await create('a-2')
      t.strictSame(next.ordersSince, next.createdAt)
      await remove(next.id)
      const heir = await create('a-3', { takeOver: former.id })
      t.equal(heir.ordersSince, null)
      t.strictSame(taken, [`${former.id} ${heir.id}`])
      t.equal((await create('b-1')).ordersSince, null, 'nobody had this account')
    })

    t.test('the creation tells of a deleted connection to the account, and of an unknown account', async t => {
      const { create, remove, connections, platform } = open()
      const warned = async (key: string) =>
        (await connections.create({ platformType: 'feed', name: key, credentials: { key } }, randomUUID())).warnings
      const former = await create('a-1')
      await remove(former.id)
      await remove((await create('b-1')).id)

      const [warning, ...others] = await warned('a-2')
      t.match(warning, { pointer: '/takeOver', code: 'deleted-account' })
      t.match(warning?.message, `'a-1' (${former.id}), which was deleted at 20`)
      t.match(warning?.message, `\`linker connections take-over a-2 ${former.id}\``)
      t.strictSame(others, [])
      t.strictSame(await warned('c-1'), [])
      platform.isAway = true
      t.match(await warned('d-1'), [{ pointer: '', code: 'account-unknown' }])
    })

    t.test('the deleted connections that one can take over are listed until it has', async t => {
      const { create, remove, connections } = open()
      const listed = async (takeOverBy: string) =>
        (await listDeleted(query, { limit: 10, takeOverBy })).map(({ name }) => name)
      const oldest = await create('a-1')
      await remove(oldest.id)
      const older = await create('a-2')
      await remove(older.id)
      await remove((await create('b-1')).id)
      const { id } = await create('a-3')

      t.strictSame(await listed(id), ['a-1', 'a-2'])
      t.strictSame(await listed((await create('a-4', { allowSameAccount: true })).id), [], 'it takes no orders')
      await connections.takeOver(id, older.id)
      t.strictSame(await listed(id), ['a-1'])
      await connections.takeOver(id, oldest.id)
      t.strictSame(await listed(id), [])
      await connections.takeOver(id, older.id)
      t.equal((await connections.get(id)).ordersSince, null, 'a take-over never makes it begin later')
    })

    t.test('only a deleted connection to the same account is taken over, also later', async t => {
      const { create, remove, connections, taken } = open()
      const former = await create('a-1')
      const other = await create('b-1')
      await t.rejects(create('c-1', { takeOver: former.id }), { code: 'LNK_TAKE_OVER_REFUSED' })
      await remove(former.id)
      await t.rejects(create('b-2', { takeOver: former.id, allowSameAccount: true }), { code: 'LNK_TAKE_OVER_REFUSED' })

      const heir = await create('a-2')
      await t.rejects(connections.takeOver(other.id, former.id), { code: 'LNK_TAKE_OVER_REFUSED' })
      t.strictSame(await connections.takeOver(heir.id, former.id), [{ what: 'orders', count: 3 }])
      t.strictSame(taken, [`${former.id} ${heir.id}`])
      t.match(await connections.get(heir.id), { ordersSince: null })
    })
  })
}
