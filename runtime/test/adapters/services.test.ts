import { hostContract, type ProbeCredentials } from '@linker/sdk/testing'
import t from 'tap'
import { keepEffects } from '../../src/handlers/kept-effects.ts'
import type { JobRequest } from '../../src/jobs/job.ts'
import type { JobHandler } from '../../src/jobs/running-job.ts'
import { cheapestKind, ended, kinds, makePlace, openJobs, stateJob, type Kind } from '../jobs/support.ts'
import { openDriver, type Isolation, type ServicesDriver } from './services-driver.ts'

const credentials: ProbeCredentials = {
  accessToken: 'first-token',
  refreshToken: 'refresh',
  expiresAt: '2100-01-01T00:00:00.000Z'
}

/** Runs the steps in the payload of a job as the core's handler runs an adapter's job. */
function handlerOf ({ carrier, connections }: ServicesDriver): JobHandler {
  return keepEffects(async ({ id, connectionId, payload, signal, deadline, keep }) => {
    const { snapshot } = await connections.open(connectionId ?? '')
    const { value, effects } = await carrier.call({
      connection: snapshot,
      target: { kind: 'job', jobType: 'probe.run' },
      args: [{ id, type: 'probe.run', payload }],
      signal,
      deadline
    })
    keep(snapshot.id, effects)
    if (payload.failsLater === true) throw Object.assign(new Error('after the call'), { code: 'LNK_ADAPTER_REJECTED' })
    return { result: value }
  })
}

/** A thread passes the calls on to the same services, so it needs no second database. */
const isolationsOn = (kind: Kind): Isolation[] => kind === cheapestKind ? ['inline', 'worker'] : ['inline']

for (const kind of kinds(t)) {
  t.test(`services on ${kind}`, async t => {
    const place = await makePlace(kind)
    const jobs = await openJobs(place)
    t.teardown(async () => {
      await jobs.close()
      await place.remove()
    })

    for (const isolation of isolationsOn(kind)) {
      t.test(isolation, async t => {
        const driver = openDriver(t, jobs, isolation)

        for (const { name, run } of hostContract) t.test(name, () => run(driver))

        t.test(
          'what a call of a job wants stored is stored with the end of the job, and not when the job fails ' +
            'after it',
          async t => {
            const connectionId = await driver.open(credentials)
            const move = (value: string, more = {}): JobRequest =>
              stateJob(value, {
                jobType: 'probe.run',
                connectionId,
                payload: {
                  object: value,
                  steps: [{ do: 'readCursor', name: 'feed' }, { do: 'setCursor', name: 'feed', value }, {
                    do: 'enqueue',
                    jobType: 'probe.next',
                    payload: { value },
                    key: value
                  }],
                  ...more
                }
              })
            const worker = jobs.startWorker(handlerOf(driver), {
              findHandler: jobType => jobType === 'probe.run' ? handlerOf(driver) : 'later'
            })
            const run = async (request: JobRequest) =>
              ended(jobs, (await jobs.enqueueJobs([request])).map(({ id }) => id))

            const [first] = await run(move('1'))
            const [failed] = await run(move('2', { failsLater: true }))
            const [third] = await run(move('3'))
            await worker.stop()

            t.match([first, failed, third].map(job => job?.status), ['succeeded', 'dead', 'succeeded'])
            t.match(third?.result, { result: ['1', undefined] }, 'the cursor of the one that failed was never there')
            t.strictSame(
              (await driver.jobs(connectionId)).filter(({ jobType }) => jobType === 'probe.next').map(({ payload }) =>
                payload
              ),
              [{ value: '1' }, { value: '3' }]
            )
          }
        )
      })
    }

    t.test('a connection is not put into error for credentials that it no longer has', async t => {
      const driver = openDriver(t, jobs, 'inline')
      const id = await driver.open(credentials)
      const statusAfter = async (credentialsVersion: string) => {
        await driver.connections.suspend({ connectionId: id, credentialsVersion }, 'refused')
        return (await driver.connections.get(id)).status
      }
      const { version: former } = await driver.connections.readCredentials(id)
      await driver.setCredentials(id, { ...credentials, accessToken: 'second-token' })
      const { version: current } = await driver.connections.readCredentials(id)

      t.equal(await statusAfter(former), 'active')
      t.equal(await statusAfter(current), 'error')
    })
  })
}
