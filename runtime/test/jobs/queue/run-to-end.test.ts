import { RejectedError, TransientError, WriteUnderWayError } from '@linker/sdk'
import t from 'tap'
import { InvalidConfigurationError } from '../../../src/errors.ts'
import type { ClaimedJob } from '../../../src/jobs/queue/claim.ts'
import { createRun, type Run } from '../../../src/jobs/queue/job-run.ts'
import { createRunToEnd } from '../../../src/jobs/queue/run-to-end.ts'
import type { Settle } from '../../../src/jobs/queue/settle.ts'
import { CredentialsRefusedError } from '../../../src/jobs/refused-credentials.ts'
import type { JobHandler } from '../../../src/jobs/running-job.ts'
import type { SettledRun } from '../../../src/observability/instruments.ts'
import { recordingLog } from '../support.ts'

const job: ClaimedJob = {
  id: 'a',
  lane: 'state',
  claim: 0,
  jobType: 'shopa.stock.refresh',
  connectionId: '123e4567-e89b-12d3-a456-426614174000',
  payload: {},
  requestId: null,
  claimedAt: '2026-01-01 00:00:00+00',
  failures: 0,
  crashes: 0,
  unavailableMs: 0,
  cancellation: null,
  isSuspect: false
}
const stored: Settle = { end: async () => true, putBack: async () => true, cancellationOf: async () => undefined }

/** Returns the reports about one run of `handler`. */
async function settle (
  handler: JobHandler | 'later' | undefined,
  { settle = stored, before = () => undefined, log = recordingLog() }: {
    settle?: Settle,
    before?: (run: Run) => void,
    log?: ReturnType<typeof recordingLog>
  } = {}
): Promise<Omit<SettledRun, 'seconds'>[]> {
  const settled: SettledRun[] = []
  const runToEnd = createRunToEnd({
    settle,
    findHandler: () => handler,
    log,
    onAuthenticationFailure: async () => undefined,
    random: () => 1,
    onConcluded: () => undefined,
    onPutBack: () => undefined,
    onSettled: run => {
      settled.push(run)
    }
  })
  const limits = { deadlineMs: 10_000, graceMs: 1_000 }
  const run = createRun(job, { ...limits, now: () => new Date(), onAbandoned: () => undefined })
  before(run)
  await runToEnd(run)
  return settled.map(({ seconds, ...rest }) => {
    if (!(seconds >= 0 && seconds < 10)) throw new Error(`a run of ${seconds} s`)
    return rest
  })
}

const served = (error: Error): JobHandler => async running => {
  running.servedBy('shopa.webservice.v1@1.0.0')
  throw error
}

t.test('the report of a run has its job type, its adapter and its end', async t => {
  const adapter = 'shopa.webservice.v1@1.0.0'
  const { jobType } = job
  const succeeded = { jobType, ending: 'succeeded', code: undefined, hasFailed: false } as const

  t.strictSame(await settle(async () => ({ adapter })), [{ ...succeeded, adapter }])
  t.strictSame(await settle(async () => ({})), [{ ...succeeded, adapter: undefined }])
  t.strictSame(await settle(served(new RejectedError('no'))), [{
    jobType,
    adapter,
    ending: 'dead',
    code: 'LNK_ADAPTER_REJECTED',
    hasFailed: true
  }])
  t.strictSame(await settle(served(new TransientError('later'))), [{
    jobType,
    adapter,
    ending: 'put back',
    code: 'LNK_ADAPTER_TRANSIENT',
    hasFailed: true
  }])
  t.strictSame(
    await settle(served(new CredentialsRefusedError('who', { connectionId: 'c', credentialsVersion: 'db:a:1' }))),
    [{
      jobType,
      adapter,
      ending: 'put back',
      code: 'LNK_ADAPTER_AUTHENTICATION',
      hasFailed: true
    }]
  )
  t.strictSame(await settle(served(new WriteUnderWayError('wait'))), [{
    jobType,
    adapter,
    ending: 'put back',
    code: 'LNK_ADAPTER_WRITE_UNDER_WAY',
    hasFailed: false
  }])
  t.strictSame(await settle('later'), [{
    jobType,
    adapter: undefined,
    ending: 'put back',
    code: 'LNK_ADAPTER_MISSING',
    hasFailed: true
  }])
  t.strictSame(await settle(undefined), [{
    jobType,
    adapter: undefined,
    ending: 'dead',
    code: 'LNK_JOB_TYPE_UNKNOWN',
    hasFailed: true
  }])
})

t.test('the log shows the stack of an error without a code, also when the job runs again', async t => {
  const log = recordingLog()
  const failure = new TypeError('undefined is not a function')
  await settle(served(failure), { log })
  await settle(served(new TransientError('later')), { log })

  t.match(log.entries, [{ level: 'warn', fields: { err: failure, code: 'LNK_JOB_FAILED' } }, {
    level: 'info',
    fields: { reason: 'later' }
  }])
})

t.test('the log warns of a job that waits for a person to correct the configuration of the hub', async t => {
  const log = recordingLog()
  await settle(served(new InvalidConfigurationError('another key')), { log })

  t.match(log.entries, [{ level: 'warn', fields: { code: 'LNK_CONFIG_INVALID' }, message: 'job will run again' }])
})

t.test('a run that was only broken off is put back without a code', async t => {
  t.match(
    await settle(async () => ({}), {
      before: run => {
        run.interrupt()
      }
    }),
    [{ ending: 'put back', code: undefined, hasFailed: false }]
  )
})

t.test('a success whose effects are refused is reported as a failure', async t => {
  const refusing: Settle = {
    ...stored,
    async end (_job, { kind }) {
      if (kind === 'succeeded') throw new RejectedError('the effects do not fit')
      return true
    }
  }

  t.match(await settle(async () => ({}), { settle: refusing }), [{ ending: 'dead', code: 'LNK_ADAPTER_REJECTED' }])
})

t.test('a run is not reported when another worker has the job by then', async t => {
  const lost: Settle = { ...stored, end: async () => false, putBack: async () => false }

  t.strictSame(await settle(async () => ({}), { settle: lost }), [])
})

t.test('the job of a run that somebody cancelled ends so, whatever its handler throws', async t => {
  const cancellation = { requestedAt: '2026-01-01T00:00:00.000Z', by: 'Anna', reason: 'wrong shop' }
  const adapter = 'shopa.webservice.v1@1.0.0'
  const before = (run: Run): void => {
    run.cancel(cancellation)
  }
  const ends: unknown[] = []
  const recording: Settle = {
    ...stored,
    async end (_job, end) {
      ends.push(end)
      return true
    },
    putBack: async () => false,
    cancellationOf: async () => cancellation
  }
  const end = {
    kind: 'cancelled',
    problem: { code: 'LNK_JOB_CANCELLED', message: "cancelled by 'Anna': wrong shop" }
  }

  t.match(await settle(served(new RejectedError('no')), { before, settle: recording }), [
    { adapter: undefined, ending: 'cancelled', code: 'LNK_JOB_CANCELLED' }
  ], 'before it began')
  t.match(await settle(served(new TransientError('later')), { settle: recording }), [
    { adapter, ending: 'cancelled', code: 'LNK_JOB_CANCELLED' }
  ], 'when the queue did not take it back')
  t.strictSame(ends, [end, end])
})
