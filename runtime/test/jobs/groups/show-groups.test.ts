import { RejectedError } from '@linker/sdk'
import t from 'tap'
import type { Query } from '../../../src/database/database.ts'
import { createShowGroups } from '../../../src/jobs/groups/show-groups.ts'
import { createWaitsOf } from '../../../src/jobs/show-jobs.ts'
import { ended, enqueueOne, kinds, openJobsFor, stateJob } from '../support.ts'

for (const kind of kinds(t)) {
  t.test(`groups say why their samples wait, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    let recordsRead = 0
    const counting: Query = async (text, values) => {
      const rows = await jobs.database.query(text, values)
      recordsRead += rows.filter(row => 'payload' in row).length
      return rows as never
    }
    const showGroups = createShowGroups({
      query: counting,
      waitsOf: createWaitsOf({ query: counting, connectionStates: async () => [] })
    })

    t.test('of waiting ones, and reads no record for it', async t => {
      const connectionId = await jobs.addConnection('disabled')
      await enqueueOne(jobs, stateJob('held', { connectionId }))
      const delayed = await enqueueOne(jobs, stateJob('delayed', { connectionId: null }))
      await jobs.database.query("update jobs set due_at = now() + interval '1 hour' where id = $1", [delayed])
      const { groups, atMost } = await showGroups('waiting')

      t.equal(atMost, false)
      t.strictSame(
        new Map(groups.map(group => [group.connectionId, group.reason])),
        new Map([[connectionId, 'connection-disabled'], [null, 'delay']])
      )
      t.equal(recordsRead, 0)
    })

    t.test('of dead ones there is nothing to say', async t => {
      jobs.startWorker(async () => {
        throw new RejectedError('no')
      })
      await ended(jobs, [await enqueueOne(jobs, stateJob('dies'))])

      t.match(await showGroups('dead'), { groups: [{ count: 1, reason: null }] })
    })
  })
}
