import fc from 'fast-check'
import t from 'tap'
import { InvalidRequestError } from '../../src/errors.ts'
import { jobIdOf } from '../../src/jobs/identity.ts'
import type { JobRequest } from '../../src/jobs/job.ts'
import type { Schedule } from '../../src/schedules/plan.ts'
import { createScheduler, type Scheduler } from '../../src/schedules/scheduler.ts'
import { slotAt, slotKey, timingOf } from '../../src/schedules/slots.ts'

const scheduleOf = (number: number, everyMs: number): Schedule => ({
  ...timingOf(`00000000-0000-4000-8000-${String(number).padStart(12, '0')}`, 'poll', everyMs),
  every: `${everyMs / 1_000}s`,
  enabled: true,
  job: 'feedshop.poll',
  payload: { full: true }
})

/** The state that the processes of a hub share: a clock that the test sets, and the jobs by key. */
function createWorld (plan: readonly Schedule[]) {
  const jobs = new Map<string, JobRequest>()
  const world = {
    nowMs: 1_000_000_000_000,
    plan,
    plansRead: 0,
    asked: 0,
    failure: undefined as Error | undefined,
    log: [] as string[],
    jobs,
    start: (): Scheduler =>
      createScheduler({
        now: () => new Date(world.nowMs),
        random: () => 0,
        log: {
          info: () => undefined,
          warn: (_fields, message) => {
            world.log.push(message)
          },
          error: (_fields, message) => {
            world.log.push(message)
          }
        },
        async readPlan () {
          world.plansRead += 1
          return world.plan
        },
        async enqueueJobs (requests) {
          world.asked += 1
          if (world.failure !== undefined) throw world.failure
          if (requests.some(({ jobType }) => jobType === 'bad')) throw new InvalidRequestError('a bad job')
          return requests.map(request => {
            const isNew = !jobs.has(request.idempotencyKey)
            if (isNew) jobs.set(request.idempotencyKey, request)
            return { id: jobIdOf(request.idempotencyKey), isNew }
          })
        }
      })
  }
  return world
}

const outage = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

t.test(
  'every slot in which anybody looks has one job and no other slot has one, whoever looks and however the clock ' +
    'is set',
  async t => {
    const schedules = fc.uniqueArray(
      fc.record({ number: fc.nat(9), everyMs: fc.constantFrom(1_000, 7_000, 60_000, 86_400_000) }),
      { selector: ({ number }) => number, minLength: 1, maxLength: 5 }
    )
    const steps = fc.array(
      fc.record({
        process: fc.nat(2),
        stepMs: fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: -200_000, max: 200_000 })),
        event: fc.constantFrom('look', 'look', 'look', 'restart', 'outage', 'wake')
      }),
      { maxLength: 60 }
    )

    await t.resolves(fc.assert(fc.asyncProperty(schedules, steps, async (given, events) => {
      const world = createWorld(given.map(({ number, everyMs }) => scheduleOf(number, everyMs)))
      const processes = [world.start(), world.start(), world.start()]
      const seen = new Set<string>()
      for (const { process, stepMs, event } of events) {
        world.nowMs += stepMs
        if (event === 'restart') processes[process] = world.start()
        if (event === 'wake') processes[process]?.wake()
        world.failure = event === 'outage' ? outage : undefined
        await processes[process]?.look().then(() => {
          for (const schedule of world.plan) seen.add(slotKey(schedule, slotAt(schedule, world.nowMs)))
        }, () => undefined)
      }
      return seen.size === world.jobs.size && [...seen].every(key => world.jobs.has(key))
    })))
  }
)

t.test('the first look fires every slot that has begun, with the unchanged payload of the schedule', async t => {
  const schedule = scheduleOf(1, 60_000)
  const world = createWorld([schedule])

  await world.start().look()

  t.strictSame([...world.jobs.values()], [{
    jobType: 'feedshop.poll',
    connectionId: schedule.connectionId,
    payload: { full: true },
    idempotencyKey: slotKey(schedule, slotAt(schedule, world.nowMs))
  }])
})

t.test('hours that were missed are one job', async t => {
  const world = createWorld([scheduleOf(1, 60_000)])
  const scheduler = world.start()
  await scheduler.look()

  world.nowMs += 5 * 3_600_000
  await scheduler.look()
  await world.start().look()

  t.equal(world.jobs.size, 2)
})

t.test('a look in a slot that is seen to asks nobody, and the connections are read every tenth time', async t => {
  const world = createWorld([scheduleOf(1, 60_000)])
  const scheduler = world.start()
  for (let looks = 0; looks < 21; looks += 1) await scheduler.look()

  t.equal(world.asked, 1)
  t.equal(world.plansRead, 3)
})

t.test('after a wake-up the next look sees new and changed connections; deleted ones fire no more', async t => {
  const [old, added] = [scheduleOf(1, 60_000), scheduleOf(2, 60_000)]
  const world = createWorld([old])
  const scheduler = world.start()
  await scheduler.look()

  world.plan = [added]
  await scheduler.look()
  t.equal(world.jobs.size, 1)
  scheduler.wake()
  world.nowMs += 60_000
  await scheduler.look()

  t.strictSame([...world.jobs.values()].map(({ connectionId }) => connectionId), [old.connectionId, added.connectionId])
})

t.test('a schedule that fires at another interval from now on fires at once', async t => {
  const world = createWorld([scheduleOf(1, 86_400_000)])
  const scheduler = world.start()
  await scheduler.look()

  world.plan = [scheduleOf(1, 30_000)]
  scheduler.wake()
  await scheduler.look()

  t.equal(world.jobs.size, 2)
})

t.test('while the database is away nothing counts as fired', async t => {
  const world = createWorld([scheduleOf(1, 60_000)])
  const scheduler = world.start()
  world.failure = outage

  await t.rejects(scheduler.look(), { code: 'ECONNREFUSED' })
  world.failure = undefined
  await scheduler.look()

  t.equal(world.jobs.size, 1)
})

t.test('a job that cannot be stored takes no other with it, is logged, and is not tried again in its slot', async t => {
  const world = createWorld([scheduleOf(1, 60_000), { ...scheduleOf(2, 60_000), job: 'bad' }, scheduleOf(3, 60_000)])
  const scheduler = world.start()

  await scheduler.look()
  const asked = world.asked
  await scheduler.look()

  t.equal(world.jobs.size, 2)
  t.equal(world.log.length, 1)
  t.match(world.log[0], /storing the job/)
  t.equal(world.asked, asked)
})

t.test('many connections are stored in batches', async t => {
  const world = createWorld(Array.from({ length: 1_200 }, (_, number) => scheduleOf(number, 60_000)))

  await world.start().look()

  t.equal(world.asked, 3)
  t.equal(world.jobs.size, 1_200)
})

t.test('the loop goes on after an outage, and ends when it is stopped', async t => {
  const world = createWorld([scheduleOf(1, 60_000)])
  world.failure = outage
  const scheduler = world.start()
  const alive = setInterval(() => undefined, 1_000)
  t.teardown(() => {
    clearInterval(alive)
  })

  scheduler.start()
  while (world.asked === 0) await new Promise(setImmediate)
  world.failure = undefined
  while (world.jobs.size === 0) {
    await new Promise(resolve => {
      setTimeout(resolve, 10)
    })
  }
  await scheduler.stop()

  t.strictSame(world.log, ['the schedules wait for the database; trying again'])
})
