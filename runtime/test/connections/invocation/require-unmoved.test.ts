import t from 'tap'
import { readCursors } from '../../../src/adapters/store.ts'
import type { Transaction } from '../../../src/database/database.ts'
import { keepEffects } from '../../../src/handlers/kept-effects.ts'
import { runningJob } from '../../handlers/fake-adapter.ts'
import { blocked, kinds, openJobsFor, type Jobs } from '../../jobs/support.ts'

const calledAs = { capability: 'acme/Labels', adapterKey: 'mktb', adapterVersion: '1.0.0' }
const moving = "update connections set adapter_version = '2.0.0' where id = $1"
const deleting = 'update connections set deleted_at = now() where id = $1'

/** A connection of version 1.0.0, and the end of a job that has called its capability. */
async function callLabels (jobs: Jobs, { jobs: wanted }: { jobs?: boolean } = {}) {
  const id = await jobs.addConnection()
  await jobs.database.query("update connections set adapter_version = '1.0.0' where id = $1", [id])
  const handler = keepEffects(async ({ keep }) => {
    const later = { jobType: 'labels.label.check', payload: {}, key: '1' }
    keep(id, wanted === true ? { cursors: {}, jobs: [later] } : { cursors: { last: 'of 1.0.0' }, jobs: [] }, calledAs)
    return {}
  })
  const { effects } = await handler(runningJob('packer.parcel.pack', await jobs.addConnection()))
  if (effects === undefined) throw new TypeError('the job would end without a look at the version')
  return { id, end: (transaction: Transaction) => effects(transaction) }
}

for (const kind of kinds(t)) {
  t.test(`effects of a called connection, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query, transaction } = jobs.database

    t.test('are stored while it has the version that made them', async t => {
      const { id, end } = await callLabels(jobs)
      await transaction(end)

      t.strictSame(await readCursors(query, id), { last: 'of 1.0.0' })
    })

    t.test('are not stored after it has moved or was deleted: the job runs again', async t => {
      for (const change of [moving, deleting]) {
        for (const wanted of [{ jobs: true }, {}]) {
          const { id, end } = await callLabels(jobs, wanted)
          await query(change, [id])

          await t.rejects(transaction(end), { code: 'LNK_CAPABILITY_UNAVAILABLE' })
          t.strictSame(await readCursors(query, id), {})
        }
      }
    })
  })
}

t.test('a move at the very moment', { skip: kinds(t).length === 1 && 'one connection' }, async t => {
  const jobs = await openJobsFor(t, 'postgres')
  const { query, transaction } = jobs.database

  t.test('that is about to be committed makes the end of the job wait, which then stores nothing', async t => {
    const { id, end } = await callLabels(jobs)
    const isMoved = Promise.withResolvers<undefined>()
    const mayCommit = Promise.withResolvers<undefined>()
    const move = transaction(async ({ query: inMove }) => {
      await inMove(moving, [id])
      isMoved.resolve(undefined)
      await mayCommit.promise
    })
    await isMoved.promise
    const ended = transaction(end).then(() => 'stored', ({ code }: { code?: string }) => code)
    await blocked(query)
    mayCommit.resolve(undefined)
    await move

    t.equal(await ended, 'LNK_CAPABILITY_UNAVAILABLE')
    t.strictSame(await readCursors(query, id), {})
  })

  t.test('waits for the end of the job, and finds its cursors', async t => {
    const { id, end } = await callLabels(jobs)
    const isStored = Promise.withResolvers<undefined>()
    const mayCommit = Promise.withResolvers<undefined>()
    const ended = transaction(async opened => {
      await end(opened)
      isStored.resolve(undefined)
      await mayCommit.promise
    })
    await isStored.promise
    const moved = transaction(async ({ query: inMove }) => {
      await inMove(moving, [id])
      return readCursors(inMove, id)
    })
    await blocked(query)
    mayCommit.resolve(undefined)
    await ended

    t.strictSame(await moved, { last: 'of 1.0.0' })
  })
})
