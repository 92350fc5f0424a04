import { TransientError } from '@linker/sdk'
import { once } from 'node:events'
import t from 'tap'
import type { ClaimedJob } from '../../../src/jobs/queue/claim.ts'
import { createRun, type Run } from '../../../src/jobs/queue/job-run.ts'
import type { RunningJob } from '../../../src/jobs/running-job.ts'

const job: ClaimedJob = {
  id: 'a',
  lane: 'state',
  claim: 0,
  jobType: 'state.sync',
  connectionId: null,
  payload: { object: 'p' },
  requestId: null,
  claimedAt: '2026-01-01 00:00:00+00',
  failures: 0,
  crashes: 0,
  unavailableMs: 0,
  cancellation: null,
  isSuspect: false
}

function open (more: Partial<ClaimedJob> = {}, limits = {}): { run: Run, abandoned: Run[] } {
  const abandoned: Run[] = []
  const run = createRun({ ...job, ...more }, {
    deadlineMs: 600_000,
    graceMs: 600_000,
    now: () => new Date('2026-01-01T00:00:00.000Z'),
    onAbandoned (given) {
      abandoned.push(given)
    },
    ...limits
  })
  return { run, abandoned }
}

/** A handler that ends as the call of an adapter does when its signal aborts. */
async function waitForAbort ({ signal }: RunningJob): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort')
  throw new TransientError('the call was broken off', { cause: signal.reason })
}

t.test('the handler gets the job, without the members of the queue, and its deadline on the clock', async t => {
  const { run } = open({ requestId: 'r-1' })
  let seen: RunningJob | undefined
  await run.execute(async running => {
    seen = running
    running.servedBy('feed.api.v1@1.0.0')
    return {}
  })

  t.match(seen, { id: 'a', jobType: 'state.sync', payload: { object: 'p' }, requestId: 'r-1' })
  t.notOk(seen !== undefined && 'claim' in seen)
  t.equal(seen?.deadline, Date.parse('2026-01-01T00:10:00.000Z'))
  t.equal(run.adapter(), 'feed.api.v1@1.0.0')
})

t.test('a call that the deadline broke off fails with the deadline, another error stays as it is', async t => {
  const limits = { deadlineMs: 5 }
  const other = new TransientError('the platform is away')

  await t.rejects(open({}, limits).run.execute(waitForAbort), { code: 'LNK_JOB_DEADLINE' })
  await t.rejects(
    open({}, limits).run.execute(async running => waitForAbort(running).catch(() => Promise.reject(other))),
    other
  )
})

t.test('a handler that ignores its deadline is given up after the grace', async t => {
  const { run, abandoned } = open({}, { deadlineMs: 5, graceMs: 5 })

  await t.rejects(run.execute(() => new Promise(() => undefined)), { code: 'LNK_JOB_DEADLINE' })
  t.strictSame(abandoned.map(({ job: { id } }) => id), ['a'])
  t.equal(run.isInterrupted(), false, 'its own deadline is no interruption')
})

t.test('a run that is interrupted sees its signal abort, and does not fail with the deadline', async t => {
  const { run, abandoned } = open()
  const executing = run.execute(waitForAbort)
  run.interrupt()

  await t.rejects(executing, { code: 'LNK_ADAPTER_TRANSIENT' })
  t.equal(run.isInterrupted(), true)
  t.strictSame(abandoned, [])
})

t.test('nobody waits for a run that is given up', async t => {
  const { run } = open()
  const executing = run.execute(() => new Promise(() => undefined))
  run.giveUp()

  await t.rejects(executing, /the worker stopped/)
})

const cancellation = { requestedAt: '2026-01-01T00:00:00.000Z', by: 'Anna', reason: null }

t.test('a run that is cancelled sees its signal abort, and a handler that goes on is given up', async t => {
  const breaksOff = open()
  const executing = breaksOff.run.execute(waitForAbort)
  breaksOff.run.cancel(cancellation)
  await t.rejects(executing, { code: 'LNK_ADAPTER_TRANSIENT' })
  t.strictSame([breaksOff.run.cancellation(), breaksOff.run.isInterrupted()], [cancellation, false])

  const goesOn = open({}, { graceMs: 5 })
  const ignoring = goesOn.run.execute(() => new Promise(() => undefined))
  goesOn.run.cancel(cancellation)
  goesOn.run.cancel({ ...cancellation, by: 'Ben' })
  await t.rejects(ignoring, /cancelled/)
  t.strictSame(goesOn.abandoned.map(({ job: { id } }) => id), ['a'])
  t.match(goesOn.run.cancellation(), { by: 'Anna' })
})

t.test('a run whose handler has ended is not broken off', async t => {
  const { run, abandoned } = open({}, { graceMs: 0 })
  let signal: AbortSignal | undefined
  t.strictSame(
    await run.execute(async running => {
      signal = running.signal
      return { result: 1 }
    }),
    { result: 1 }
  )
  run.cancel(cancellation)

  t.equal(signal?.aborted, false)
  t.strictSame(abandoned, [])
})

t.test('a job that was cancelled before this claim is known to be', t => {
  t.strictSame(open({ cancellation }).run.cancellation(), cancellation)
  t.end()
})
