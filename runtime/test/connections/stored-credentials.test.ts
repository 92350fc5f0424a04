import { Type } from '@sinclair/typebox'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { readValue } from '../../src/adapters/store.ts'
import { labelOf } from '../../src/connections/stored-credentials.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'
import { openConnections } from './open-connections.ts'
import { fakeAdapter } from './support.ts'

t.test('the label of a reference is the environment of the connection, when it is letters and digits', async t => {
  t.equal(labelOf({ environment: 'sandbox' }), 'sandbox')
  for (const environment of [undefined, 7, '', 'two words', 'x'.repeat(33)]) {
    t.equal(labelOf({ environment }), undefined)
  }
})

const adapter = fakeAdapter({ credentials: Type.Object({ token: Type.String({ minLength: 1 }) }) })

t.test('stored credentials', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { connections, changed } = openConnections(jobs, [adapter])

  async function create () {
    const body = { platformType: 'feed', name: 'Feed', credentials: { token: 'first' } }
    const { connection } = await connections.create(body, randomUUID())
    changed.length = 0
    return connection
  }
  const stored = async (id: string): Promise<unknown> => (await connections.readCredentials(id)).value
  const versionOf = async (id: string): Promise<string> => (await connections.readCredentials(id)).version

  t.test('an adapter renews the credentials that it read, and none that were replaced meanwhile', async t => {
    const { id, version, credentialsRef } = await create()
    const first = await connections.renewCredentials(id, { token: 'second' }, { token: 'first' })
    const late = await connections.renewCredentials(id, { token: 'third' }, { token: 'first' })
    const now = await connections.get(id)

    t.strictSame([first, late], [await versionOf(id), undefined])
    t.strictSame(await stored(id), { token: 'second' })
    t.strictSame([now.credentialsRef, now.version], [credentialsRef, version + 1])
    t.equal(changed.length, 1)
  })

  t.test('of renewals at the same time one counts', async t => {
    const { id } = await create()
    const renewed = await Promise
      .all(['a', 'b', 'c'].map(token => connections.renewCredentials(id, { token }, { token: 'first' })))

    t.strictSame(renewed.filter(version => version !== undefined).length, 1)
  })

  t.test('the refusal of a renewal stays with the credentials, in the same version, as a short text', async t => {
    const { id } = await create()
    const version = await versionOf(id)
    await connections.refuseRefresh(id, { input: 'of the first', message: `\0spent${'!'.repeat(2_000)}` })
    const { refusal, version: after } = await connections.readCredentials(id)
    await connections.refuseRefresh((await create()).id, { input: 'of others', message: 'spent' })

    t.equal(after, version)
    t.equal(refusal?.input, 'of the first')
    t.match(refusal?.message, /^.?spent!{900,}$/)
    t.match((await connections.readCredentials(id)).refusal, { input: 'of the first' })
  })

  t.test('renewing does not end an error: only the platform or the operator does', async t => {
    const { id } = await create()
    await connections.suspend({ connectionId: id, credentialsVersion: await versionOf(id) }, 'refused')
    await connections.renewCredentials(id, { token: 'second' }, { token: 'first' })

    t.equal((await connections.get(id)).status, 'error')
  })

  t.test('new credentials of the operator end an error, and values of the adapter come with them', async t => {
    const { id, version } = await create()
    await connections.suspend({ connectionId: id, credentialsVersion: await versionOf(id) }, 'refused')
    await t.rejects(connections.replaceCredentials(id, { token: 'late' }, { expectedVersion: version }), {
      code: 'LNK_PRECONDITION_FAILED'
    })
    t.strictSame(await stored(id), { token: 'first' })
    await connections.replaceCredentials(id, { token: 'second' }, { values: { account: 'a' } })

    t.match(await connections.get(id), { status: 'active', statusReason: null })
    t.strictSame(await stored(id), { token: 'second' })
    t.equal(await readValue(jobs.database.query, id, 'account'), 'a')
  })

  t.test('credentials that do not fit the schema are refused before anything is changed', async t => {
    const { id } = await create()
    const invalid = { code: 'LNK_CONNECTION_INVALID', errors: [{ pointer: '/credentials/token' }] }

    await t.rejects(connections.replaceCredentials(id, { token: '' }), invalid)
    await t.rejects(connections.renewCredentials(id, { token: '' }, { token: 'first' }), invalid)
    t.strictSame(await stored(id), { token: 'first' })
  })
})
