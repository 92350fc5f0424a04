import { randomUUID } from 'node:crypto'
import t from 'tap'
import { listEntries } from '../../../src/audit/store.ts'
import { createPauses } from '../../../src/connections/pauses/pauses.ts'
import { kinds, openJobsFor } from '../../jobs/support.ts'
import { openConnections } from '../open-connections.ts'
import { fakeAdapter } from '../support.ts'

const adapter = fakeAdapter({ capabilities: ['InventoryMaster', 'OrderSource'] })
const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString()

for (const kind of kinds(t)) {
  t.test(`pauses of connections, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { database, database: { query } } = jobs
    const { connections } = openConnections(jobs, [adapter])
    const pauses = createPauses(database)

    async function create (): Promise<string> {
      return (await connections.create({ platformType: 'feed', name: 'Feed' }, randomUUID())).connection.id
    }
    const pausesOf = async (id: string) => (await connections.get(id)).pauses
    const holdsOf = (id: string) =>
      query<{ part: string, lapses: boolean }>(
        `
        select part, lapses_at is not null as lapses
        from job_holds
        where group_id = $1 and reason = 'paused'
        order by part`,
        [id]
      )
    const audited = async (connectionId: string) =>
      (await listEntries(query, { connectionId, limit: 10 }))
        .filter(({ action }) => action !== 'connection.create')
        .map(({ action, objectName, changes }) => ({ action, objectName, changes }))

    t.test('a pause is shown with its reason, its end and who wanted it, however the connection is read', async t => {
      const id = await create()
      const until = inHours(2)
      await pauses.pause(id, { reason: 'moving house', until })
      await pauses.pause(id, { capabilities: ['OrderSource'] })

      const found = await pausesOf(id)
      t.match(found, [
        { capability: null, reason: 'moving house', until, since: /Z$/, by: { kind: 'hub', name: 'hub' } },
        { capability: 'OrderSource', reason: null, until: null }
      ])
      const [listed] = await connections.list({ platformType: 'feed', limit: 200 })
      t.strictSame(listed?.pauses, found)
      t.strictSame(await holdsOf(id), [{ part: '', lapses: true }, { part: 'OrderSource', lapses: false }])
      t.equal((await connections.get(id)).version, 1, 'the settings did not change')
    })

    t.test('a pause that stands gets another reason and end, and keeps its beginning', async t => {
      const id = await create()
      await pauses.pause(id, { reason: 'one', until: inHours(1) })
      const [first] = await pausesOf(id)
      await pauses.pause(id, { reason: 'two' })

      t.match(await pausesOf(id), [{ reason: 'two', until: null, since: first?.since }])
      t.strictSame(await holdsOf(id), [{ part: '', lapses: false }])
    })

    t.test('a pause that is over is not shown, and the next one begins anew', async t => {
      const id = await create()
      await pauses.pause(id, { until: inHours(1) })
      await query("update connection_pauses set since = since - interval '1 day', until = now()")
      t.strictSame(await pausesOf(id), [])
      await pauses.pause(id, {})

      const [pause] = await pausesOf(id)
      t.ok(Date.parse(pause?.since ?? '') > Date.now() - 3_600_000)
    })

    t.test('a resume ends what it names and nothing else', async t => {
      const id = await create()
      await pauses.pause(id, {})
      await pauses.pause(id, { capabilities: ['OrderSource', 'InventoryMaster'] })
      const left = async () => (await pausesOf(id)).map(({ capability }) => capability)

      await pauses.resume(id, {})
      t.strictSame(await left(), ['InventoryMaster', 'OrderSource'])
      await pauses.resume(id, { capabilities: ['OrderSource'] })
      t.strictSame(await left(), ['InventoryMaster'])
      await pauses.resume(id, {})
      t.strictSame(await left(), ['InventoryMaster'])
      t.strictSame(await holdsOf(id), [{ part: 'InventoryMaster', lapses: false }])
    })

    t.test('a capability that the connection lost can still be resumed', async t => {
      const id = await create()
      await pauses.pause(id, { capabilities: ['OrderSource'] })
      await connections.patch(id, { capabilities: ['InventoryMaster'] })

      await pauses.resume(id, { capabilities: ['OrderSource'] })

      t.strictSame(await pausesOf(id), [])
    })

    t.test('an unknown capability and an end in the past are refused, and nothing changes', async t => {
      const id = await create()
      const refused = (errors: object[]) => ({ code: 'LNK_REQUEST_INVALID', errors })

      await t.rejects(
        pauses.pause(id, { capabilities: ['OrderSource', 'Orders'] }),
        refused([{
          pointer: '/capabilities/1',
          code: 'enum',
          message: "'Orders' is not a capability of this connection; it has InventoryMaster, OrderSource"
        }])
      )
      await t.rejects(pauses.resume(id, { capabilities: ['Orders'] }), refused([{ pointer: '/capabilities/0' }]))
      await t.rejects(pauses.pause(id, { until: inHours(-1) }), refused([{ pointer: '/until', code: 'past' }]))
      await t.rejects(pauses.pause(randomUUID(), {}), { code: 'LNK_CONNECTION_NOT_FOUND' })
      await t.rejects(pauses.resume(randomUUID(), {}), { code: 'LNK_CONNECTION_NOT_FOUND' })
      t.strictSame([await pausesOf(id), await holdsOf(id), await audited(id)], [[], [], []])
    })

    t.test('the audit has each change; the same pause again is no change', async t => {
      const id = await create()
      const until = inHours(2)
      const terms = { reason: 'moving house', until }
      await pauses.pause(id, terms)
      await pauses.pause(id, terms)
      await pauses.pause(id, { ...terms, capabilities: ['OrderSource'] })
      await pauses.pause(id, { until })
      await pauses.resume(id, {})
      await pauses.resume(id, {})

      const entry = (action: string, change: object) => ({ action, objectName: 'Feed', changes: [change] })
      t.strictSame(await audited(id), [
        entry('connection.resume', { pointer: '/pauses/connection', from: { reason: null, until } }),
        entry('connection.pause', { pointer: '/pauses/connection/reason', from: 'moving house', to: null }),
        entry('connection.pause', { pointer: '/pauses/OrderSource', to: terms }),
        entry('connection.pause', { pointer: '/pauses/connection', to: terms })
      ])
    })

    t.test('pauses and resumes of one connection at once leave pause and hold alike', async t => {
      const id = await create()
      const names = ['OrderSource', 'InventoryMaster']
      await Promise.all(Array.from({ length: 20 }, (_, index) => {
        const body = index % 3 === 0 ? {} : { capabilities: index % 2 === 0 ? names : names.toReversed() }
        return index % 4 < 2 ? pauses.pause(id, body) : pauses.resume(id, body)
      }))

      t.strictSame(
        (await pausesOf(id)).map(({ capability }) => capability ?? ''),
        (await holdsOf(id)).map(({ part }) => part)
      )
    })
  })
}
