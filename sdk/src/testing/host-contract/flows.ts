import { deepStrictEqual, doesNotMatch, equal, match, notEqual, rejects } from 'node:assert/strict'
import { AdapterErrorCode } from '../../errors.ts'
import {
  askRoute,
  openProbe,
  runRoute,
  type ContractTest,
  type HostUnderTest,
  type RouteOptions
} from './host-under-test.ts'
import type { RouteStep } from './steps.ts'

const callers = 10
const data = { verifier: 'zażółć-verifier', list: [1, null, { deep: true }] }

async function begin (host: HostUnderTest, { ttlSeconds = 600, kept = data as unknown } = {}): Promise<string> {
  return String(await askRoute(host, { do: 'begin', data: kept, ttlSeconds }))
}

const complete = (state: string, more: Partial<Extract<RouteStep, { do: 'complete' }>> = {}): RouteStep => ({
  do: 'complete',
  state,
  ...more
})

/** Counts the runs of a flow's work by its log lines. The lines do not contain the state. */
function worked (host: HostUnderTest): number {
  return host.logs.filter(({ message }) => message === 'worked').length
}

/** Begins a flow and its work. The work continues until the test calls the returned function. */
async function beginWork (
  host: HostUnderTest,
  ending: readonly RouteStep[] = [],
  options: RouteOptions = {},
  proof?: string
) {
  const { id, ask } = await openProbe(host)
  const state = await begin(host)
  const during: RouteStep[] = [
    { do: 'setValue', id, key: 'begun', value: true },
    { do: 'waitForValue', id, key: 'go' },
    ...ending
  ]
  const working = askRoute(host, complete(state, { proof, during, answer: 'of the first' }), options)
  // Handle it from the start: it may fail before the test awaits it.
  working.catch(() => undefined)
  await ask({ do: 'waitFor', key: 'begun' })
  return { state, working, end: () => ask({ do: 'set', key: 'go', value: true }) }
}

export const flowContract: readonly ContractTest[] = [
  {
    name: 'the first caller works on the data of a flow, and callers of the next five minutes get its answer',
    async run (host) {
      const state = await begin(host)
      const before = worked(host)

      match(state, /^[A-Za-z0-9_-]{43}$/)
      notEqual(await begin(host), state)
      deepStrictEqual(await askRoute(host, complete(state)), data)
      equal(worked(host), before + 1)
      deepStrictEqual(await runRoute(host, [complete(state, { answer: 'another' }), complete(state)]), [data, data])
      // The clock of the host goes on meanwhile, so leave it half a minute.
      await host.pass(270_000)
      deepStrictEqual(await askRoute(host, complete(state)), data)
      await host.pass(31_000)
      equal(await askRoute(host, complete(state)), undefined)
      equal(worked(host), before + 1)
    }
  },
  {
    name: 'a spent state answers again only to the proof that it was spent with',
    async run (host) {
      const { state, working, end } = await beginWork(host, [], {}, 'the code')
      const [same, other] = [complete(state, { proof: 'the code' }), complete(state, { proof: 'another' })]
      const waiting = [same, other, complete(state)].map(step => askRoute(host, step))
      await end()

      deepStrictEqual(await working, 'of the first')
      const expected = ['of the first', undefined, undefined]
      deepStrictEqual(await Promise.all(waiting), expected)
      deepStrictEqual(await runRoute(host, [same, other, complete(state)]), expected)
    }
  },
  {
    name: 'when many callers complete a flow at once, one of them works and all get its answer',
    async run (host) {
      const { id, ask } = await openProbe(host)
      const state = await begin(host)
      const before = worked(host)

      const completing = Array.from(
        { length: callers },
        (_, index) =>
          askRoute(
            host,
            complete(state, {
              during: [{ do: 'setValue', id, key: 'begun', value: true }, { do: 'waitForValue', id, key: 'go' }],
              answer: { by: index }
            })
          )
      )
      await ask({ do: 'waitFor', key: 'begun' })
      await ask({ do: 'set', key: 'go', value: true })
      const answers = await Promise.all(completing)

      equal(new Set(answers.map(answer => JSON.stringify(answer))).size, 1)
      match(JSON.stringify(answers[0]), /^{"by":\d}$/)
      equal(worked(host), before + 1)
    }
  },
  {
    name: 'a flow that is unknown, expired or of another platform cannot be completed',
    async run (host) {
      const before = worked(host)
      const [short, long] = [await begin(host, { ttlSeconds: 60 }), await begin(host, { ttlSeconds: 120 })]

      for (const state of ['', 'a', `${'a'.repeat(42)}%`, 'a'.repeat(43), `${short}a`, short.toLowerCase()]) {
        equal(await askRoute(host, complete(state)), undefined, state)
      }
      equal(await askRoute(host, complete(short), { platformType: 'other' }), undefined)
      await host.pass(61_000)
      equal(await askRoute(host, complete(short)), undefined)
      equal(worked(host), before)
      deepStrictEqual(await askRoute(host, complete(long)), data, 'these attempts did not use up the flow')
    }
  },
  {
    name: 'work that fails gives its caller the error and ends the flow',
    async run (host) {
      const { state, working, end } = await beginWork(host, [{ do: 'fail', message: 'the platform says no' }])
      const waiting = askRoute(host, complete(state))

      await end()

      await rejects(working, { code: AdapterErrorCode.rejected, message: 'the platform says no' })
      deepStrictEqual([await waiting, await askRoute(host, complete(state))], [undefined, undefined])
    }
  },
  {
    name: 'a caller stops waiting for the work of another when the lease of that work lapses',
    async run (host) {
      const { state, working, end } = await beginWork(host, [], { deadline: host.now().getTime() + 30_000 })
      const before = worked(host)
      const waiting = askRoute(host, complete(state))

      await host.pass(31_000)

      equal(await waiting, undefined)
      equal(worked(host), before)
      await end()
      await working.catch(() => undefined)
    }
  },
  {
    name: 'a caller waits for the work of another no longer than its own call lasts',
    async run (host) {
      const { state, working, end } = await beginWork(host)
      const controller = new AbortController()
      const waiting = askRoute(host, complete(state), { signal: controller.signal })

      controller.abort()

      await rejects(waiting, { code: AdapterErrorCode.transient })
      await end()
      equal(await working, 'of the first')
      equal(await askRoute(host, complete(state)), 'of the first')
    }
  },
  {
    name: 'a flow keeps only JSON data of at most 64 KiB, and only for a valid time',
    async run (host) {
      const state = await begin(host, { kept: 'ż'.repeat(32_767) })
      const refused: [RouteStep, RegExp][] = [
        [{ do: 'begin', ttlSeconds: 60 }, /TypeError/],
        [{ do: 'begin', data: { text: 'a\0' }, ttlSeconds: 60 }, /TypeError/],
        [{ do: 'begin', data: 'ż'.repeat(32_768), ttlSeconds: 60 }, /RangeError/],
        [{ do: 'begin', data, ttlSeconds: 0 }, /RangeError/],
        [{ do: 'begin', data, ttlSeconds: NaN }, /RangeError/],
        [complete(state, { answersNothing: true }), /TypeError/]
      ]

      for (const [step, error] of refused) {
        match(
          JSON.stringify(await askRoute(host, { do: 'attempt', steps: [step] })),
          error,
          JSON.stringify(step).slice(0, 80)
        )
      }
      equal(await askRoute(host, complete(state)), undefined, 'the host could not keep the answer of the work')
    }
  },
  {
    name: 'the state, the data and the answer of a flow reach no log and no error',
    async run (host) {
      const [state, answer] = [await begin(host), 'the-answer-of-the-work']
      const told = `${state} ${data.verifier} ${answer}`
      const tell: RouteStep = { do: 'log', fields: { told: { state, text: [data.verifier, answer] } }, message: told }

      await rejects(runRoute(host, [complete(state, { answer }), tell, { do: 'fail', message: told }]), {
        message: '[redacted] [redacted] [redacted]'
      })
      await runRoute(host, [complete(state), { do: 'log', fields: { state }, message: answer }])
      await runRoute(host, [{ do: 'begin', data, ttlSeconds: 60 }, { do: 'log', fields: {}, message: data.verifier }])

      const logged = JSON.stringify(host.logs)
      for (const secret of [state, data.verifier, answer]) doesNotMatch(logged, new RegExp(secret))
    }
  }
]
