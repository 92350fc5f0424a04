import { RejectedError, TransientError } from '@linker/sdk'
import t from 'tap'
import { readGroups, readLeftGroups, readLeftGroupsOf } from '../../../src/jobs/groups/store.ts'
import { attempted, commandJob, ended, enqueueOne, kinds, openJobsFor, stateJob } from '../support.ts'

for (const kind of kinds(t)) {
  t.test(`groups of jobs, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query } = jobs.database

    t.test('dead ones are counted by connection, type and code, the largest first', async t => {
      const connectionId = await jobs.addConnection()
      jobs.startWorker(async job => {
        if (job.payload.object === 'lives') return {}
        throw job.payload.object === 'odd'
          ? Object.assign(new Error('odd'), { code: 'LNK_CONNECTION_NOT_FOUND' })
          : new RejectedError('no')
      })
      const many = await Promise.all(['a', 'b', 'c'].map(name => enqueueOne(jobs, stateJob(name, { connectionId }))))
      const odd = await enqueueOne(jobs, stateJob('odd', { connectionId }))
      const command = await enqueueOne(jobs, commandJob('a'))
      const lives = await enqueueOne(jobs, commandJob('lives'))
      await ended(jobs, [...many, odd, command, lives])
      const { groups, atMost } = await readGroups(query, 'dead')
      const [first] = groups

      t.equal(atMost, false)
      t.match(first, { connectionId, jobType: 'state.sync', code: 'LNK_ADAPTER_REJECTED', count: 3, lastAt: /Z$/ })
      t.ok(many.includes(first?.sampleJobId ?? ''))
      t.ok((first?.firstAt ?? '') <= (first?.lastAt ?? ''))
      t.strictSame(
        groups.slice(1).map(({ connectionId, jobType, code, count, sampleJobId }) => ({
          connectionId,
          jobType,
          code,
          count,
          sampleJobId
        })).toSorted((one, other) => one.jobType < other.jobType ? -1 : 1),
        [
          {
            connectionId: null,
            jobType: 'command.run',
            code: 'LNK_ADAPTER_REJECTED',
            count: 1,
            sampleJobId: command
          },
          { connectionId, jobType: 'state.sync', code: 'LNK_CONNECTION_NOT_FOUND', count: 1, sampleJobId: odd }
        ]
      )
    })

    t.test('waiting ones are those that the list shows as waiting', async t => {
      const connectionId = await jobs.addConnection('disabled')
      await enqueueOne(jobs, stateJob('a', { connectionId }))
      await enqueueOne(jobs, stateJob('b', { connectionId }))
      const worker = jobs.startWorker(async () => {
        throw new TransientError('later')
      })
      const putBack = await enqueueOne(jobs, stateJob('c'))
      await attempted(jobs, putBack, 1)
      await worker.stop()
      await query("update jobs set due_at = now() + interval '1 hour' where id = $1", [putBack])
      await enqueueOne(jobs, stateJob('queued'))

      t.match((await readGroups(query, 'waiting')).groups, [
        { connectionId, jobType: 'state.sync', code: null, count: 2 },
        { connectionId: null, jobType: 'state.sync', code: 'LNK_ADAPTER_TRANSIENT', count: 1, sampleJobId: putBack }
      ])
      t.strictSame(await readGroups(query, 'dead'), { groups: [], atMost: false })
    })

    t.test('waiting ones with the same code are apart when they wait for different parts', async t => {
      const connectionId = await jobs.addConnection('disabled')
      const [one] = await Promise.all(['p', 'q'].map(name => enqueueOne(jobs, stateJob(name, { connectionId }))))
      await query("update jobs set waits_for_part = 'budget' where id = $1", [one])

      const { groups } = await readGroups(query, 'waiting')
      t.strictSame(
        groups.filter(group => group.connectionId === connectionId).map(({ count }) => count),
        [1, 1]
      )
    })

    t.test('the dead ones of a connection, and of some days', async t => {
      const [connectionId, other] = [await jobs.addConnection(), await jobs.addConnection()]
      jobs.startWorker(async () => {
        throw new RejectedError('no')
      })
      const [old = '', ...ours] = await Promise
        .all(['a', 'b', 'c'].map(name => enqueueOne(jobs, stateJob(name, { connectionId }))))
      await ended(jobs, [old, ...ours, await enqueueOne(jobs, stateJob('d', { connectionId: other }))])
      await query("update jobs set created_at = now() - interval '8 days' where id = $1", [old])

      t.match(await readLeftGroupsOf(query, connectionId, 7), { groups: [{ connectionId, count: 2 }], atMost: false })
      t.match(await readLeftGroupsOf(query, connectionId, 9), { groups: [{ count: 3 }] })
      t.match(await readLeftGroupsOf(query, connectionId, 7, 1), { groups: [{ count: 1 }], atMost: true })
    })

    t.test('a dead command is left until a later job has done the same', async t => {
      const connectionId = await jobs.addConnection()
      let isAway = true
      jobs.startWorker(async () => {
        if (isAway) throw new RejectedError('no')
        return {}
      })
      const run = async (...requests: ReturnType<typeof stateJob>[]): Promise<string[]> => {
        const ids = await Promise.all(requests.map(request => enqueueOne(jobs, request)))
        await ended(jobs, ids)
        return ids
      }
      const [, other, state] = await run(
        commandJob('a', { connectionId, payload: { object: 'a', to: 'shipped' } }),
        commandJob('a', { connectionId, payload: { object: 'a', to: 'delivered' } }),
        stateJob('s', { connectionId })
      )
      const left = async () =>
        (await readLeftGroups(query)).groups
          .filter(group => group.connectionId === connectionId)
          .map(({ count, sampleJobId }) => ({ count, sampleJobId }))
      t.strictSame((await left()).map(({ count }) => count).toSorted(), [1, 2])

      await run(commandJob('a', { connectionId, payload: { to: 'shipped', object: 'a' } }))
      t.equal((await left()).length, 2, 'a later death changes nothing')
      isAway = false
      await run(
        commandJob('a', { connectionId, payload: { to: 'shipped', object: 'a' } }),
        commandJob('b', { connectionId, payload: { object: 'b', to: 'delivered' } }),
        stateJob('s', { connectionId })
      )

      const expected = [{ count: 1, sampleJobId: other }, { count: 1, sampleJobId: state }]
      const byId = (one: { sampleJobId?: string }, two: { sampleJobId?: string }): number =>
        (one.sampleJobId ?? '') < (two.sampleJobId ?? '') ? -1 : 1
      t.strictSame((await left()).toSorted(byId), expected.toSorted(byId))
      const { groups } = await readLeftGroupsOf(query, connectionId, 7)
      t.strictSame(groups.map(({ count }) => count), [1, 1])
      t.equal(
        (await readGroups(query, 'dead')).groups.reduce((sum, { count }) => sum + count, 0),
        4,
        'the groups of all dead jobs still have them'
      )
    })

    t.test('beyond the limit it says that there are more', async t => {
      const connectionId = await jobs.addConnection('disabled')
      await jobs.enqueueJobs(Array.from({ length: 5 }, (_, index) => stateJob(`o${index}`, { connectionId })))

      t.match(await readGroups(query, 'waiting', 5), { atMost: false, groups: [{ count: 5 }] })
      t.match(await readGroups(query, 'waiting', 4), { atMost: true, groups: [{ count: 4 }] })
    })
  })
}
