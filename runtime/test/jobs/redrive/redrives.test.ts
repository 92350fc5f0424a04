import { RejectedError } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import type { JobRequest } from '../../../src/jobs/job.ts'
import { createRedrives } from '../../../src/jobs/redrive/redrives.ts'
import type { RedriveBody, RedriveView } from '../../../src/jobs/redrive/schemas.ts'
import { createSteps, type StepsOptions } from '../../../src/jobs/redrive/steps.ts'
import { groupDead, removeOld, storeJobs } from '../../../src/jobs/redrive/store.ts'
import type { JobHandler } from '../../../src/jobs/running-job.ts'
import { blocked, commandJob, drained, enqueueOne, kinds, openJobsFor, read, stateJob, type Kind } from '../support.ts'

const { signal } = new AbortController()

const openRedrives = async (kind: Kind, given: Parameters<typeof openJobsFor>[0]) => {
  const jobs = await openJobsFor(given, kind)
  const { database, enqueueJobs, log } = jobs
  const common: StepsOptions = {
    database,
    enqueueJobs,
    log,
    findObstacles: async () => () => undefined,
    findRetryEffects: () => undefined
  }
  const redrives = createRedrives({
    ...common,
    wake: () => undefined,
    objectKeysOf: async () => [],
    redactorsOf: async () => () => value => value,
    connectionStates: async ids =>
      ids.map(id => ({ id, name: `connection ${id}`, status: 'active' as const, pauses: [] }))
  })

  return {
    jobs,
    redrives,
    stepsWith: (more: Partial<StepsOptions> = {}) => createSteps({ ...common, ...more }),

    /** Makes jobs that die. Their worker has stopped then. */
    async dead (...requests: JobRequest[]): Promise<string[]> {
      const ids = (await enqueueJobs(requests)).map(({ id }) => id)
      const worker = jobs.startWorker(async () => {
        // The order of commands is that of their deaths, which the database keeps in milliseconds.
        await wait(callMs)
        throw new RejectedError('the platform says no')
      })
      await drained(jobs)
      await worker.stop()
      return ids
    },

    async start (body: Omit<RedriveBody, 'dryRun'>): Promise<string> {
      return (await redrives.start(body, { operationId: randomUUID(), requestId: 'redrive' })).id
    },

    /** Runs the jobs that wait, and counts the runs of each. */
    async runAll (handler: JobHandler = async () => ({})): Promise<Map<string, number>> {
      const runs = new Map<string, number>()
      const worker = jobs.startWorker(async job => {
        runs.set(job.id, (runs.get(job.id) ?? 0) + 1)
        return handler(job)
      })
      await drained(jobs)
      await worker.stop()
      return runs
    }
  }
}

/** A platform takes longer for any call. */
const callMs = 3

const many = (count: number, more: Partial<JobRequest> = {}): JobRequest[] =>
  Array.from({ length: count }, (_, index) => stateJob(String(index), more))
const filter = { jobType: 'state.sync' }

for (const kind of kinds(t)) {
  t.test(`running many dead jobs again, ${kind}`, async t => {
    const { jobs, redrives, stepsWith, dead, start, runAll } = await openRedrives(kind, t)
    const { database: { query } } = jobs
    const advance = stepsWith()

    t.test('each runs again once, and its end is noted', async t => {
      const ids = await dead(...many(620))
      const id = await start({ filter })
      await advance(id, signal)
      const running = await redrives.get(id)
      const runs = await runAll()
      await advance(id, signal)

      t.match(running, { state: 'running', total: 620, retried: 620, inProgress: 620, remaining: 0 })
      t.match(await redrives.get(id), {
        state: 'done',
        retried: 620,
        succeeded: 620,
        deadAgain: 0,
        inProgress: 0,
        skipped: { length: 0 },
        endedAt: /Z$/
      })
      t.strictSame([...new Set(runs.values())], [1])
      t.strictSame([...runs.keys()].toSorted(), ids.toSorted())
    })

    t.test('a plan changes nothing, and counts what a start takes', async t => {
      const connectionId = await jobs.addConnection()
      const ids = await dead(...many(12), ...many(3, { connectionId }))
      const queued = await enqueueOne(jobs, commandJob('a'))
      const plan = await redrives.plan(filter)

      t.match(plan, {
        matched: 15,
        eligible: 15,
        skipped: { length: 0 },
        byGroup: [
          { connectionId: null, connectionName: null, jobType: 'state.sync', code: 'LNK_ADAPTER_REJECTED', count: 12 },
          { connectionId, connectionName: `connection ${connectionId}`, count: 3 }
        ],
        atMost: false
      })
      t.equal(plan.sample.length, 10)
      t.strictSame(await query('select id from redrives'), [])
      t.match(await redrives.plan({ connectionId }), { matched: 3, eligible: 3 })
      t.match(await redrives.plan({ connectionId, jobType: 'command.run' }), {
        matched: 0,
        byGroup: { length: 0 },
        sample: { length: 0 }
      })
      t.match(await redrives.plan({ until: '2000-01-01T00:00:00Z' }), { matched: 0 })
      t.match(await redrives.plan({ code: 'LNK_ADAPTER_REJECTED' }), { matched: 15 })
      t.match(await redrives.plan({ code: 'LNK_ADAPTER_TRANSIENT' }), { matched: 0 })
      const jobIds = [ids[0] ?? '', String(ids[1]).toUpperCase(), ids[1] ?? '', queued, randomUUID()]
      t.match(await redrives.plan({ jobIds }), {
        matched: 4,
        eligible: 2,
        skipped: [{ reason: 'job-not-found', count: 1 }, { reason: 'not-dead', count: 1 }]
      })
      const id = await start({ filter: { jobIds } })
      await advance(id, signal)
      t.match(await redrives.get(id), {
        total: 4,
        retried: 2,
        skipped: [{ reason: 'job-not-found', count: 1 }, { reason: 'not-dead', count: 1 }]
      })
    })

    t.test('dead jobs that meet a filter are cancelled, and others are not', async t => {
      const [connectionId, other] = [await jobs.addConnection(), await jobs.addConnection()]
      const ids = await dead(...many(620, { connectionId }))
      const [kept = ''] = await dead(stateJob('kept', { connectionId: other }))
      const plan = await redrives.cancelDead({ filter: { connectionId }, dryRun: true }, randomUUID())
      const before = await redrives.plan({ connectionId })
      const result = await redrives.cancelDead(
        { filter: { connectionId }, dryRun: false, reason: 'gone' },
        randomUUID()
      )

      t.match(plan, { matched: 620, cancelled: 0, skipped: { length: 0 }, byGroup: [{ count: 620 }], atMost: false })
      t.equal(plan.sample.length, 10)
      t.equal(before.eligible, 620)
      t.match(result, { matched: 620, cancelled: 620 })
      t.match(await redrives.plan({ connectionId }), { matched: 0 })
      t.match(await read(jobs, ids[619] ?? ''), {
        status: 'cancelled',
        problem: { message: "cancelled by 'hub': gone; it had died of LNK_ADAPTER_REJECTED" }
      })
      t.match(await read(jobs, kept), { status: 'dead', cancellation: null })
      const audited = await query<{ count: number }>(`
        select (change.value ->> 'to')::integer as count
        from audit_entries, jsonb_array_elements(changes) as change
        where action = 'job.cancel' and change.value ->> 'pointer' = '/cancelled'
        order by count`)
      t.strictSame(audited.map(({ count }) => count), [120, 500])
      t.match(
        await redrives.cancelDead(
          { filter: { jobIds: [kept, ids[0] ?? '', randomUUID()] }, dryRun: false },
          randomUUID()
        ),
        {
          matched: 3,
          cancelled: 1,
          skipped: [{ reason: 'job-not-found', count: 1 }, { reason: 'not-dead', count: 1 }]
        }
      )
      await t.rejects(redrives.cancelDead({ filter: {}, dryRun: false }, randomUUID()), { code: 'LNK_REQUEST_INVALID' })
    })

    t.test('named jobs have to meet the other members, too', async t => {
      const connectionId = await jobs.addConnection()
      const [own = '', other = ''] = await dead(stateJob('own', { connectionId }), stateJob('other'))
      const queued = await enqueueOne(jobs, commandJob('own', { connectionId }))
      const queuedOther = await enqueueOne(jobs, commandJob('other'))
      const nobody = randomUUID()
      const named = { connectionId, jobIds: [own, other, queued, queuedOther, nobody] }
      const skipped = [
        { reason: 'does-not-match', count: 2 },
        { reason: 'job-not-found', count: 1 },
        { reason: 'not-dead', count: 1 }
      ]
      const plan = await redrives.plan(named)
      const id = await start({ filter: named })
      await advance(id, signal)

      t.match(plan, { matched: 5, eligible: 1, skipped })
      t.match(await redrives.get(id), { total: 5, retried: 1, skipped })
      t.match(await read(jobs, other), { status: 'dead' })
      t.match((await redrives.plan({ code: 'LNK_ADAPTER_TRANSIENT', jobIds: [other, queuedOther] })).skipped, [
        { reason: 'does-not-match', count: 2 }
      ])
    })

    t.test('it takes the oldest jobs up to a limit, and says that there are more', async t => {
      const [oldest] = await dead(stateJob('oldest'))
      await dead(...many(5))
      const id = await start({ filter: { until: '2000-01-01T00:00:00Z' } })
      await storeJobs(query, id, filter, 3)

      t.match(await groupDead(query, filter, 3), { groups: [{ count: 3 }], atMost: true })
      t.match(await groupDead(query, filter, 6), { groups: [{ count: 6 }], atMost: false })
      t.match(await redrives.get(id), { atMost: true })
      const taken = await query('select position, job_id as id from redrive_jobs order by position')
      t.match(taken, [{ position: 1, id: oldest }, { position: 2 }, { position: 3 }])
      t.equal(taken.length, 3)
    })

    t.test('a filter without a member is refused', async t => {
      const refusal = { code: 'LNK_REQUEST_INVALID', errors: [{ pointer: '/filter' }] }
      await t.rejects(redrives.plan({}), refusal)
      await t.rejects(start({ filter: {} }), refusal)
      t.strictSame(await query('select id from redrives'), [])
    })

    t.test('a redrive that no job meets is done at once', async t => {
      const request = { operationId: randomUUID(), requestId: 'r' }
      const started = await redrives.start({ filter: { code: 'LNK_TYPO' }, first: 1 }, request)

      t.match(started, { state: 'done', total: 0 })
      t.match(await redrives.get(started.id), { state: 'done', endedAt: /Z$/, detail: 'no dead job met the filter' })
      t.match(await redrives.start({ filter: { code: 'LNK_TYPO' }, first: 1 }, request), {
        id: started.id,
        state: 'done'
      })
    })

    t.test('a repetition of the request begins nothing new', async t => {
      await dead(...many(3))
      const request = { operationId: randomUUID(), requestId: 'r' }
      const first = await redrives.start({ filter }, request)
      await advance(first.id, signal)

      t.match(await redrives.start({ filter }, request), { id: first.id, total: 3 })
      t.strictSame(await query('select count(*)::integer as count from redrive_jobs'), [{ count: 3 }])
    })

    t.test('the first job runs alone, and the others wait until somebody continues', async t => {
      const [oldest] = await dead(stateJob('oldest'))
      await dead(...many(4))
      const id = await start({ filter, first: 1 })
      await advance(id, signal)
      await t.rejects(redrives.resume(id), { code: 'LNK_REDRIVE_TRYING', statusCode: 409 })
      const runs = await runAll()
      await advance(id, signal)
      const waiting = await redrives.get(id)
      await advance(id, signal)

      t.strictSame([...runs.keys()], [oldest])
      t.match(waiting, { state: 'waiting', retried: 1, succeeded: 1, remaining: 4, endedAt: null })
      t.match(await redrives.get(id), { state: 'waiting', retried: 1 }, 'it does not go on by itself')

      await redrives.resume(id)
      await redrives.resume(id)
      await advance(id, signal)
      t.equal((await runAll()).size, 4)
      await advance(id, signal)
      t.match(await redrives.get(id), { state: 'done', retried: 5, succeeded: 5 })
      await t.rejects(redrives.resume(id), { code: 'LNK_REDRIVE_ENDED', statusCode: 409 })
      await t.rejects(redrives.stop(id), { code: 'LNK_REDRIVE_ENDED', statusCode: 409 })
    })

    t.test('it says when the first jobs die again, and of what', async t => {
      await dead(...many(5))
      const id = await start({ filter, first: 2 })
      await advance(id, signal)
      await runAll(async () => {
        throw new RejectedError('still no')
      })
      await advance(id, signal)

      t.match(await redrives.get(id), {
        state: 'waiting',
        detail: /^2 of the first 2 jobs died again/,
        deadAgain: 2,
        deaths: [{ code: 'LNK_ADAPTER_REJECTED', count: 2 }]
      })
      await redrives.stop(id)
      await redrives.stop(id)
      await advance(id, signal)
      t.match(await redrives.get(id), { state: 'stopped', remaining: 3, endedAt: /Z$/ })
      await t.rejects(redrives.resume(id), { code: 'LNK_REDRIVE_ENDED' })
      t.equal((await runAll()).size, 0)
    })

    t.test('stopped half-way, it still notes how its jobs end', async t => {
      await dead(...many(4))
      const id = await start({ filter, first: 2 })
      await advance(id, signal)
      await redrives.stop(id)
      const runs = await runAll()
      await advance(id, signal)

      t.equal(runs.size, 2)
      t.match(await redrives.get(id), { state: 'stopped', retried: 2, succeeded: 2, inProgress: 0, remaining: 2 })
      t.strictSame(await query('select id from redrives where is_open'), [])
    })

    t.test('its rate bounds the jobs of one step, and lets it rest', async t => {
      await dead(...many(5))
      const id = await start({ filter, perMinute: 120 })
      const restMs = await advance(id, signal)
      await advance(id, signal)

      t.match(await redrives.get(id), { retried: 2, remaining: 3, perMinute: 120 })
      t.ok(restMs !== undefined && restMs > 0 && restMs <= 1_000)
      await query("update redrives set next_at = now() - interval '1 minute'")
      await advance(id, signal)
      t.match(await redrives.get(id), { retried: 4, remaining: 1 })
    })

    t.test('two redrives of the same jobs, and several processes, retry each once', async t => {
      const ids = await dead(...many(620))
      const both = [await start({ filter }), await start({ filter })]
      const others = [advance, stepsWith(), stepsWith()]
      await Promise.all(both.flatMap(id => others.map(step => step(id, signal))))
      for (const id of both) await advance(id, signal)
      const runs = await runAll()
      for (const id of both) await advance(id, signal)

      t.equal(runs.size, ids.length)
      t.strictSame([...new Set(runs.values())], [1])
      const found: RedriveView[] = []
      for (const id of both) found.push(await redrives.get(id))
      t.strictSame(found.map(({ state, total, remaining }) => [state, total, remaining]), [
        ['done', 620, 0],
        ['done', 620, 0]
      ])
      t.equal(found.reduce((sum, { retried }) => sum + retried, 0), ids.length)
      const skipped = found.flatMap(redrive => redrive.skipped)
      t.strictSame([...new Set(skipped.map(({ reason }) => reason))], ['not-dead'])
    })

    t.test('a job that somebody else ran again since is skipped, even when it died of that', async t => {
      const [again = '', other = ''] = await dead(...many(2))
      const id = await start({ filter })
      const first = await start({ filter: { jobIds: [again] } })
      await advance(first, signal)
      await runAll(async () => {
        throw new RejectedError('no')
      })
      await advance(id, signal)

      t.match(await read(jobs, again), { status: 'dead' })
      t.match(await read(jobs, other), { status: 'queued' })
      t.match(await redrives.get(id), { retried: 1, skipped: [{ reason: 'not-dead', count: 1 }] })
      await advance(first, signal)
      t.match(await redrives.get(first), { state: 'done', deadAgain: 1 })
    })

    t.test('a job that died again and was retried before the hub looked counts as dead again', async t => {
      const [job = ''] = await dead(...many(1))
      const id = await start({ filter })
      await advance(id, signal)
      await runAll(async () => {
        throw new RejectedError('no')
      })
      await advance(await start({ filter: { jobIds: [job] } }), signal)
      await advance(id, signal)

      t.match(await redrives.get(id), { state: 'done', deadAgain: 1, deaths: [{ code: null, count: 1 }] })
    })

    t.test('dead jobs of one object run once, together with a newer one that waits', async t => {
      const first = await dead(stateJob('a'))
      const second = await dead(stateJob('a'), stateJob('b'))
      const third = await dead(stateJob('a'))
      const waiting = await enqueueOne(jobs, stateJob('b'))
      const id = await start({ filter })
      await advance(id, signal)
      const runs = await runAll()
      await advance(id, signal)

      t.strictSame([...runs.keys()].toSorted(), [first[0], waiting].toSorted())
      t.match(await redrives.get(id), { state: 'done', retried: 4, succeeded: 4 })
      t.match(await read(jobs, second[0] ?? ''), { status: 'succeeded', coalescedInto: first[0] })
      t.match(await read(jobs, second[1] ?? ''), { status: 'succeeded', coalescedInto: waiting })
      t.match(await read(jobs, third[0] ?? ''), { status: 'succeeded', coalescedInto: first[0] })
    })

    t.test('commands of one object run in the order in which they were made, behind those that wait', async t => {
      const wanted: string[] = []
      for (let count = 0; count < 5; count++) wanted.push(...await dead(commandJob('a')))
      const waiting = await enqueueOne(jobs, commandJob('a'))
      await advance(await start({ filter: { jobType: 'command.run' } }), signal)

      t.strictSame([...(await runAll()).keys()], [waiting, ...wanted])
    })

    t.test('so do commands that one transaction made: the tracking before the news that it was shipped', async t => {
      const wanted = await dead(...['ready', 'tracking', 'shipped', 'delivered', 'returned', 'refunded'].map(step =>
        commandJob('order', { payload: { object: 'order', step } })
      ))
      const { sample } = await redrives.plan({ jobType: 'command.run' })
      await advance(await start({ filter: { jobType: 'command.run' } }), signal)

      t.strictSame(
        sample.map(({ id }) =>
          id
        ),
        wanted
      )
      t.strictSame([...(await runAll()).keys()], wanted)
    })

    t.test('jobs that cannot run are skipped with the reason', async t => {
      const connectionId = await jobs.addConnection()
      await dead(...many(2), ...many(3, { connectionId }))
      const id = await start({ filter })
      await stepsWith({
        findObstacles: async () => job => job.connectionId === null ? undefined : 'connection-disabled'
      })(id, signal)

      t.match(await redrives.get(id), { retried: 2, skipped: [{ reason: 'connection-disabled', count: 3 }] })
    })

    t.test('a job that fails to run again does not keep the others from it', async t => {
      const ids = await dead(...many(8))
      const id = await start({ filter })
      await stepsWith({
        findRetryEffects: () => async (_transaction, job) => {
          if (job.id === ids[4]) throw new Error('a fault in its effects')
          return []
        }
      })(id, signal)

      t.match(await redrives.get(id), {
        retried: 7,
        remaining: 0,
        skipped: [{ reason: 'retry-failed', count: 1 }]
      })
      t.match(await read(jobs, ids[4] ?? ''), { status: 'dead' })
      t.ok(jobs.log.entries.some(({ level, fields }) => level === 'error' && 'redriveId' in fields))
    })

    t.test('effects are stored with the job that they belong to', async t => {
      await dead(...many(60))
      const follows = stateJob('follows')
      const seen = new Set<string>()
      const id = await start({ filter })
      await stepsWith({
        findRetryEffects: () => async (_transaction, job, requestId) => {
          t.equal(requestId, 'redrive')
          seen.add(job.id)
          return [follows]
        }
      })(id, signal)

      t.equal(seen.size, 60)
      t.match(await redrives.get(id), { retried: 60, remaining: 0 })
      t.match(await jobs.enqueueJobs([follows]), [{ isNew: false }])
    })

    t.test('who started, continued and stopped it is recorded', async t => {
      await query('delete from audit_entries')
      await dead(...many(3))
      const id = await start({ filter, first: 1 })
      await advance(id, signal)
      await runAll()
      await advance(id, signal)
      await redrives.resume(id)
      await redrives.stop(id)

      t.match(await query('select action, object_id as id, changes from audit_entries order by at, id'), [
        { action: 'job.redrive', id },
        { action: 'job.redrive.continue', id, changes: [{ pointer: '/state', from: 'waiting', to: 'running' }] },
        { action: 'job.redrive.stop', id, changes: [{ pointer: '/state', from: 'running', to: 'stopped' }] }
      ])
    })

    t.test('old ones are removed with their jobs, but not those with work left or that wait', async t => {
      await dead(...many(2))
      const [open, old, recent] = [await start({ filter }), await start({ filter }), await start({ filter })]
      for (const id of [old, recent]) {
        await redrives.stop(id)
        await advance(id, signal)
      }
      await query("update redrives set created_at = now() - interval '40 days' where id = any($1)", [[open, old]])
      await query("update redrives set ended_at = now() - interval '31 days' where id = $1", [old])

      const waiting = await start({ filter })
      await query(
        "update redrives set state = 'waiting', is_open = false, created_at = now() - interval '50 days' " +
          'where id = $1',
        [waiting]
      )

      t.equal(await removeOld(query, 30, 10), 1)
      t.strictSame((await redrives.list({ limit: 10 })).map(({ id }) => id), [recent, open, waiting])
      t.strictSame(await query('select from redrive_jobs where redrive_id = $1', [old]), [])
    })

    t.test('they are listed newest first, page by page', async t => {
      const ids: string[] = []
      for (let count = 0; count < 4; count++) ids.unshift(await start({ filter }))
      const found: string[] = []
      let after: { createdAt: string, id: string } | undefined
      do {
        const page = await redrives.list({ limit: 3, after })
        found.push(...page.map(({ id }) => id))
        const last = page.at(-1)
        after = page.length < 3 || last === undefined ? undefined : { createdAt: last.startedAt, id: last.id }
      } while (after !== undefined)

      t.strictSame(found.toSorted(), ids.toSorted())
      await t.rejects(redrives.get(randomUUID()), { code: 'LNK_REDRIVE_NOT_FOUND', statusCode: 404 })
      await t.rejects(redrives.stop(randomUUID()), { code: 'LNK_REDRIVE_NOT_FOUND' })
    })

    if (kind === 'postgres') {
      t.test('a stop waits for the step under way, and no later one begins', async t => {
        await dead(...many(2))
        const id = await start({ filter })
        const started = Promise.withResolvers<undefined>()
        const going = Promise.withResolvers<undefined>()
        const step = stepsWith({
          findRetryEffects: () => async () => {
            started.resolve(undefined)
            await going.promise
            return []
          }
        })(id, signal)
        await started.promise
        const stopping = redrives.stop(id)
        await blocked(query)
        going.resolve(undefined)
        await Promise.all([step, stopping])

        t.match(await redrives.get(id), { state: 'stopped', retried: 2 })
      })
    }
  })
}
