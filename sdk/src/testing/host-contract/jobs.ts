import { deepStrictEqual, equal, match, notEqual, rejects } from 'node:assert/strict'
import { AdapterErrorCode } from '../../errors.ts'
import { openProbe, type ContractTest } from './host-under-test.ts'
import type { Step } from './steps.ts'

const enqueue = (
  key: string,
  payload: Readonly<Record<string, unknown>> = { n: 1 },
  jobType = 'probe.next'
): Extract<Step, { do: 'enqueue' }> => ({ do: 'enqueue', jobType, payload, key })

export const jobContract: readonly ContractTest[] = [
  {
    name: 'the end of a call stores its job, with the payload and the returned id',
    async run (host) {
      const probe = await openProbe(host)
      const payload = { text: 'zażółć', list: [1, { a: null }] }

      const waiting = probe.run([enqueue('one', payload), { do: 'set', key: 'enqueued', value: true }, {
        do: 'waitFor',
        key: 'go'
      }])
      await probe.ask({ do: 'waitFor', key: 'enqueued' })
      deepStrictEqual(await host.jobs(probe.id), [], 'not before')
      await probe.ask({ do: 'set', key: 'go', value: true })
      const [made] = await waiting

      const [job, ...others] = await host.jobs(probe.id)
      deepStrictEqual(made, { jobId: job?.id })
      deepStrictEqual([job?.jobType, job?.payload, others], ['probe.next', payload, []])
    }
  },
  {
    name: 'the same type and key mean the same job, in one call and in the next',
    async run (host) {
      const probe = await openProbe(host)

      const [first, second] = await probe.run([enqueue('one', { n: 1 }), enqueue('one', { n: 2 })])
      const third = await probe.ask(enqueue('one', { n: 3 }))
      const [otherKey, otherType] = await probe.run([enqueue('two'), enqueue('one', {}, 'probe.other')])

      deepStrictEqual([second, third], [first, first])
      notEqual(JSON.stringify(otherKey), JSON.stringify(first))
      notEqual(JSON.stringify(otherType), JSON.stringify(first))
      const jobs = await host.jobs(probe.id)
      equal(jobs.length, 3)
      deepStrictEqual(jobs.find(({ id }) => id === (first as { jobId: string }).jobId)?.payload, { n: 1 })
    }
  },
  {
    name: 'a call that fails makes no job',
    async run (host) {
      const probe = await openProbe(host)

      await rejects(probe.run([enqueue('one'), { do: 'fail', message: 'after the job' }]), {
        code: AdapterErrorCode.rejected
      })

      deepStrictEqual(await host.jobs(probe.id), [])
    }
  },
  {
    name: 'the host refuses a job type that the manifest does not permit, and the call may continue',
    async run (host) {
      const probe = await openProbe(host)

      const [failure] = await probe.run([{
        do: 'attempt',
        steps: [enqueue('one', {}, 'master.product.syncByExternalId')]
      }, enqueue('two')])

      match(JSON.stringify(failure), new RegExp(AdapterErrorCode.configuration))
      deepStrictEqual((await host.jobs(probe.id)).map(({ jobType }) => jobType), ['probe.next'])
    }
  },
  {
    name: 'a job may wait for a time, and another time makes no second job',
    async run (host) {
      const probe = await openProbe(host)

      const [first, again] = await probe.run([
        { ...enqueue('one'), delayMs: 86_400_000 },
        { ...enqueue('one'), delayMs: 0 },
        { ...enqueue('two'), delayMs: 1_500 },
        enqueue('three')
      ])

      deepStrictEqual(again, first)
      const waits = (await host.jobs(probe.id)).map(({ delayMs = 0 }) => delayMs)
      deepStrictEqual(waits.toSorted((a, b) => a - b), [0, 1_500, 86_400_000])
    }
  },
  {
    name: 'an invalid time to wait is refused',
    async run (host) {
      const probe = await openProbe(host)

      const answers = await probe
        .run([-1, NaN, 1.5, 86_400_001].map(delayMs => ({ do: 'attempt', steps: [{ ...enqueue('one'), delayMs }] })))

      for (const answer of answers) match(JSON.stringify(answer), /RangeError/)
      deepStrictEqual(await host.jobs(probe.id), [])
    }
  },
  {
    name: 'a call enqueues at most a thousand jobs, of at most 8 MiB together',
    async run (host) {
      const probe = await openProbe(host)

      await rejects(probe.run([{ do: 'enqueueMany', count: 1_001, characters: 1 }]), {
        code: AdapterErrorCode.rejected
      })
      await rejects(probe.run([{ do: 'enqueueMany', count: 50, characters: 200_000 }]), {
        code: AdapterErrorCode.rejected
      })
      match(
        JSON.stringify(await probe.ask({ do: 'attempt', steps: [enqueue('one', { text: 'x'.repeat(300_000) })] })),
        /a payload has at most 262144 bytes/
      )
      deepStrictEqual(await host.jobs(probe.id), [])

      await probe.run([{ do: 'enqueueMany', count: 1_000, characters: 1 }])
      equal((await host.jobs(probe.id)).length, 1_000)
    }
  },
  {
    name: 'enqueue refuses a key that the host could not store, before the end of the call',
    async run (host) {
      const probe = await openProbe(host)

      const answers = await probe.run(['', 'a\0b', '\ud800'].map(key => ({ do: 'attempt', steps: [enqueue(key)] })))

      for (const answer of answers) match(JSON.stringify(answer), /RangeError/)
      deepStrictEqual(await host.jobs(probe.id), [])
    }
  }
]
