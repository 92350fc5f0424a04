import t from 'tap'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'
import { openConnections } from './open-connections.ts'

t.test('the status of a connection', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { connections, changed } = openConnections(jobs, [])
  t.beforeEach(() => {
    changed.length = 0
  })
  const statusOf = async (id: string): Promise<[string, string | null | undefined]> => {
    const { status, statusReason } = await connections.get(id)
    return [status, statusReason]
  }

  t.test('a platform that refuses credentials puts only an active connection into error', async t => {
    const [active, disabled] = [await jobs.addConnection(), await jobs.addConnection('disabled')]
    await connections.suspend({ connectionId: active, credentialsVersion: ':0' }, 'refused')
    await connections.suspend({ connectionId: active, credentialsVersion: ':0' }, 'refused again')
    await connections.suspend({ connectionId: disabled, credentialsVersion: ':0' }, 'refused')

    t.strictSame(await statusOf(active), ['error', 'refused'])
    t.strictSame(await statusOf(disabled), ['disabled', null])
    t.strictSame(changed.map(({ status }) => status), ['error'])
  })

  t.test('a platform that accepts them again ends the error, and enables nothing that was disabled', async t => {
    const [failing, disabled] = [await jobs.addConnection('error'), await jobs.addConnection('disabled')]
    await connections.resume(failing)
    await connections.resume(failing)
    await connections.resume(disabled)

    t.strictSame(await statusOf(failing), ['active', null])
    t.strictSame(await statusOf(disabled), ['disabled', null])
    t.strictSame(changed.map(({ status }) => status), ['active'])
  })

  t.test('disabling an erring connection forgets the reason', async t => {
    const id = await jobs.addConnection()
    await connections.suspend({ connectionId: id, credentialsVersion: ':0' }, 'refused')
    await connections.disable(id)

    t.strictSame(await statusOf(id), ['disabled', null])
  })

  t.test('disabling again is announced again, without a new version', async t => {
    const id = await jobs.addConnection()
    const first = await connections.disable(id)
    const second = await connections.disable(id)

    t.equal(second.version, first.version)
    t.strictSame(changed.map(({ status }) => status), ['disabled', 'disabled'])
    await t.rejects(connections.disable(id, { expectedVersion: first.version - 1 }), {
      code: 'LNK_PRECONDITION_FAILED'
    })
  })

  t.test('the reason of a disabling stays until it is enabled, and the last reason counts', async t => {
    const id = await jobs.addConnection()
    await connections.disable(id, { reason: 'closed for good' })
    t.strictSame(await statusOf(id), ['disabled', 'closed for good'])
    await connections.disable(id)
    await connections.patch(id, { name: 'Old shop', status: 'disabled' })
    t.strictSame(await statusOf(id), ['disabled', 'closed for good'], 'nobody gave another one')
    await connections.disable(id, { reason: 'sold' })
    t.strictSame(await statusOf(id), ['disabled', 'sold'])
    await connections.enable(id)
    t.strictSame(await statusOf(id), ['active', null])
  })
})
