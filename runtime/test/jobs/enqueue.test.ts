import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { JobRequest } from '../../src/jobs/job.ts'
import { createClaims, type ClaimedJob } from '../../src/jobs/queue/claim.ts'
import { commandJob, createGate, ended, enqueueOne, kinds, openJobsFor, read, stateJob } from './support.ts'

for (const kind of kinds(t)) {
  t.test(`enqueueing, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)

    t.test('100 racing enqueues of one key make one job and answer one id', async t => {
      const answers = await Promise.all(Array.from({ length: 100 }, () =>
        jobs.enqueueJobs([stateJob('a', { idempotencyKey: 'one' })])))

      t.equal(new Set(answers.flat().map(({ id }) => id)).size, 1)
      t.equal(answers.flat().filter(({ isNew }) => isNew).length, 1)
      t.strictSame(await count(), { ledger: 1, queue: 1 })
    })

    t.test('overlapping batches in different orders never deadlock, and each key makes one job', async t => {
      const requests = Array.from(
        { length: 200 },
        (_, number) => number % 2 === 0 ? stateJob(`o${number}`) : commandJob(`o${number}`)
      )
      const enqueue = (batch: JobRequest[]) =>
        jobs.database.transaction(transaction => jobs.enqueueJobs(batch, transaction))

      // Use transactions of the test: the engine would repeat a transaction that PostgreSQL ended
      // because of a deadlock.
      await Promise.all(Array.from({ length: 12 }, (_, number) =>
        enqueue(number % 2 === 0 ? requests : requests.toReversed())))

      t.strictSame(await count(), { ledger: 200, queue: 200 })
    })

    t.test('a key still gives its job after the job has succeeded', async t => {
      const request = stateJob('a')
      jobs.startWorker(async () => ({ result: 'done' }))
      const id = await enqueueOne(jobs, request)
      await ended(jobs, [id])

      const again = await jobs.enqueueJobs([request])

      t.strictSame(again, [{ id, isNew: false }])
      t.strictSame(await count(), { ledger: 1, queue: 0 })
    })

    t.test('a batch keeps its order and tells repeats inside it apart', async t => {
      const [first, second] = [stateJob('a'), stateJob('b')]

      const answers = await jobs.enqueueJobs([first, second, first])

      t.strictSame(answers.map(({ isNew }) => isNew), [true, true, false])
      t.equal(answers[0]?.id, answers[2]?.id)
    })

    t.test('a waiting job of the same object stands for a new one, which shows its status', async t => {
      const gate = createGate({ result: 'together' })
      const [first, second] = [await enqueueOne(jobs, stateJob('a')), await enqueueOne(jobs, stateJob('a'))]

      t.equal((await read(jobs, second)).coalescedInto, first)
      t.equal((await read(jobs, second)).status, 'queued')
      jobs.startWorker(gate.handler)
      await gate.reached(1)
      t.equal((await read(jobs, second)).status, 'running')
      gate.open()
      const record = (await ended(jobs, [second]))[0]
      t.match(record, { id: second, status: 'succeeded', result: 'together', attempts: [{}] })
      t.equal(gate.started.length, 1)
    })

    t.test('a new job runs after the running job of the same object', async t => {
      const gate = createGate()
      jobs.startWorker(gate.handler)
      const first = await enqueueOne(jobs, stateJob('a'))
      await gate.reached(1)

      const second = await enqueueOne(jobs, stateJob('a'))

      t.equal((await read(jobs, second)).coalescedInto, null)
      gate.open()
      await ended(jobs, [first, second])
      t.strictSame(gate.started.map(({ id }) => id), [first, second])
    })

    t.test('a job with a long delay stands for no other of its object, and runs when it is due', async t => {
      const late = await enqueueOne(jobs, stateJob('a', { delayMs: 600_000 }))
      const now = await enqueueOne(jobs, stateJob('a'))

      t.equal((await read(jobs, now)).coalescedInto, null)
      t.equal((await read(jobs, late)).status, 'waiting')
      jobs.startWorker(async () => ({}))
      await ended(jobs, [now])
      t.equal((await read(jobs, late)).status, 'waiting')
      await jobs.makeDue()
      t.match(await ended(jobs, [late]), [{ status: 'succeeded' }])
    })

    t.test('jobs of two types on one object do not stand for each other', async t => {
      const [products, stock] = [
        await enqueueOne(jobs, stateJob('a', { jobType: 'product.sync' })),
        await enqueueOne(jobs, stateJob('a', { jobType: 'stock.sync' }))
      ]

      t.strictSame([(await read(jobs, products)).coalescedInto, (await read(jobs, stock)).coalescedInto], [null, null])
    })

    t.test('nobody claims a waiting job before the end of a transaction that coalesced into it', async t => {
      const claim = createClaims(jobs.database).jobs
      const waiting = await enqueueOne(jobs, stateJob('a'))
      const during: ClaimedJob[] = []

      await jobs.database.transaction(async transaction => {
        await jobs.enqueueJobs([stateJob('a')], transaction)
        // The embedded database has one connection, which this transaction holds: a claim would
        // wait for ever.
        if (kind === 'postgres') during.push(...await claim({ slots: 5, perConnection: 5 }))
      })
      const after = await claim({ slots: 5, perConnection: 5 })

      t.strictSame(during, [])
      t.strictSame(after.map(({ id }) => id), [waiting])
    })

    t.test('a job that is enqueued in a failing transaction does not exist', async t => {
      await t.rejects(
        jobs.database.transaction(async transaction => {
          await jobs.enqueueJobs([stateJob('a'), commandJob('a')], transaction)
          throw new Error('the writes failed')
        }),
        { message: 'the writes failed' }
      )

      t.strictSame(await count(), { ledger: 0, queue: 0 })
    })

    t.test('every command is kept', async t => {
      await jobs.enqueueJobs([commandJob('a'), commandJob('a'), commandJob('a')])

      t.strictSame(await count(), { ledger: 3, queue: 3 })
    })

    t.test('one request that cannot be stored is named, and the batch stores nothing', async t => {
      const bad = stateJob('b', { connectionId: 'not-a-uuid' })

      await t.rejects(jobs.enqueueJobs([stateJob('a'), bad]), {
        code: 'LNK_REQUEST_INVALID',
        message: 'job 1 ("state.sync"): `connectionId` is not a UUID'
      })
      await t.rejects(jobs.enqueueJobs([stateJob('a', { idempotencyKey: 'a\0b' })]), {
        code: 'LNK_REQUEST_INVALID',
        message: /NUL/
      })
      t.strictSame(await count(), { ledger: 0, queue: 0 })
    })

    t.test('payloads and object names of any characters and length are stored unchanged', async t => {
      const payload = { object: `${'\u{1f600}'.repeat(2_000)}\0`, half: '\ud800', nested: { nul: '\0' } }

      const id = await enqueueOne(
        jobs,
        stateJob('', { payload, idempotencyKey: `${randomUUID()}${'k'.repeat(20_000)}` })
      )

      t.strictSame((await read(jobs, id)).payload, payload)
      await enqueueOne(jobs, stateJob('half \ud800 and nul \0'))
    })

    async function count (): Promise<{ ledger: number, queue: number }> {
      const [row] = await jobs.database.query<
        { ledger: number, queue: number }
      >('select count(*)::int as ledger, (count(*) filter (where state is not null))::int as queue from jobs')
      return row ?? { ledger: -1, queue: -1 }
    }
  })
}
