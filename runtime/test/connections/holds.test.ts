import t from 'tap'
import { createRegistry } from '../../src/adapters/registry.ts'
import { createConnections } from '../../src/connections/connections.ts'
import { kinds, openJobsFor } from '../jobs/support.ts'
import { fakeAdapter, noAccounts } from './support.ts'

for (const kind of kinds(t)) {
  t.test(`jobs are held with every change of a connection's status, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { database } = jobs
    const adapter = fakeAdapter()
    const connections = createConnections({
      ...noAccounts,
      database,
      registry: createRegistry([{ packageName: 'feed', isRequired: false, found: adapter, adapter }], new Map()),
      credentials: {
        create: () => '',
        replace: async () => '',
        readMany: async () => [],
        read: async () => {
          throw new Error('no credentials are read')
        },
        refuseRefresh: async () => undefined
      },
      now: () => new Date(),
      onChanged: async () => undefined
    })
    const id = await jobs.addConnection()
    const holds = async (): Promise<string[]> =>
      (await database.query<{ reason: string }>('select reason from job_holds where group_id = $1', [id]))
        .map(({ reason }) => reason)

    const changes: [string, () => Promise<unknown>, string[]][] = [
      ['disabled', () => connections.disable(id), ['inactive']],
      ['disabled again', () => connections.disable(id), ['inactive']],
      ['active', () => connections.patch(id, { status: 'active' }), []],
      ['credentials refused', () => connections.suspend({ connectionId: id, credentialsVersion: ':0' }, 'no'), [
        'inactive'
      ]],
      ['credentials accepted', () => connections.resume(id), []],
      ['disabled by a patch', () => connections.patch(id, { status: 'disabled' }), ['inactive']],
      ['a name only', () => connections.patch(id, { name: 'other' }), ['inactive']]
    ]
    for (const [name, change, expected] of changes) {
      await change()
      t.strictSame(await holds(), expected, name)
    }
    await t.rejects(connections.patch(id, { status: 'active' }, 1), { code: 'LNK_PRECONDITION_FAILED' })
    t.strictSame(await holds(), ['inactive'], 'a refused change releases nothing')
  })
}
