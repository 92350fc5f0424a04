import { deepStrictEqual, equal, rejects } from 'node:assert/strict'
import { AdapterErrorCode } from '../../errors.ts'
import { credentialsOf, openProbe, type ContractTest } from './host-under-test.ts'
import type { Step } from './steps.ts'

const lock = (steps: readonly Step[], name = 'stock'): Step => ({ do: 'lock', name, steps })
const note = (key: string): Step => ({ do: 'set', key, value: true })
const waitFor = (key: string): Step => ({ do: 'waitFor', key })
/** The number of calls after which another call would long have got a free lock. */
const roundsToGetIt = 10

export const lockContract: readonly ContractTest[] = [
  {
    name: 'one call at a time holds a lock',
    async run (host) {
      const probe = await openProbe(host)

      await Promise.all(Array.from({ length: 8 }, () => probe.run([lock([{ do: 'add', key: 'counted' }])])))

      equal(await probe.ask({ do: 'get', key: 'counted' }), 8)
    }
  },
  {
    name: 'a held lock does not block locks with other names or of other connections',
    async run (host) {
      const [probe, other] = [await openProbe(host), await openProbe(host)]
      const holding = probe.run([lock([note('held'), waitFor('go')])])
      await probe.ask(waitFor('held'))

      await probe.run([lock([note('of another name')], 'orders')])
      await other.run([lock([note('of another connection')])])

      await probe.ask(note('go'))
      await holding
    }
  },
  {
    name: 'the caller gets the result or the error of the action, and the lock is then free',
    async run (host) {
      const probe = await openProbe(host)

      deepStrictEqual(await probe.ask(lock([{ do: 'credentials' }, note('a')])), [
        await host.credentials(probe.id),
        undefined
      ])
      await rejects(probe.run([lock([{ do: 'fail', message: 'inside' }])]), {
        code: AdapterErrorCode.rejected,
        message: 'inside'
      })
      await probe.run([lock([])])
    }
  },
  {
    name: 'a call whose signal aborts stops waiting for a lock and does not run its action',
    async run (host) {
      const probe = await openProbe(host)
      const controller = new AbortController()
      const holding = probe.run([lock([note('held'), waitFor('go')])])
      await probe.ask(waitFor('held'))
      const waiting = probe.run([note('begun'), lock([note('entered')])], { signal: controller.signal })
      await probe.ask(waitFor('begun'))

      controller.abort()

      await rejects(waiting, { code: AdapterErrorCode.transient })
      await probe.ask(note('go'))
      await holding
      await probe.run([lock([])])
      equal(await probe.ask({ do: 'get', key: 'entered' }), undefined)
    }
  },
  {
    name: 'a lock lapses at the deadline of its call, and the late release of that call frees no other lock',
    async run (host) {
      const probe = await openProbe(host)
      // The host may abort it at its deadline; its code goes on all the same.
      const holding = probe.run([lock([note('held'), waitFor('go')]), note('left')], {
        deadline: host.now().getTime() + 30_000
      }).catch(() => 'broken off')
      await probe.ask(waitFor('held'))

      await host.pass(31_000)
      const next = probe.run([lock([note('held by the next'), waitFor('end')])])
      await probe.ask(waitFor('held by the next'))
      await probe.ask(note('go'))
      await probe.ask(waitFor('left'))
      await holding
      const third = probe.run([note('third asks'), lock([note('held by the third')])])
      await probe.ask(waitFor('third asks'))
      for (let round = 0; round < roundsToGetIt; round++) {
        equal(
          await probe.ask({ do: 'get', key: 'held by the third' }),
          undefined,
          'a late release freed the lock of another call'
        )
      }
      await probe.ask(note('end'))

      await Promise.all([next, third])
      equal(await probe.ask({ do: 'get', key: 'held by the third' }), true)
    }
  },
  {
    name: "a lock may have the name of the host's own for tokens",
    async run (host) {
      const probe = await openProbe(host, credentialsOf(host, 'old-token', 0))

      const [answers] = await probe.run([lock([{ do: 'token', renewed: credentialsOf(host, 'new-token') }], 'oauth')])

      deepStrictEqual(answers, ['new-token'])
    }
  },
  {
    name: 'an invalid name of a lock is refused',
    async run (host) {
      const probe = await openProbe(host)

      for (const name of ['', 'a\0b', 'a'.repeat(201)]) {
        const [failure] = await probe.run([{ do: 'attempt', steps: [lock([], name)] }]) as { name?: string }[]
        equal(failure?.name, 'RangeError', JSON.stringify(name))
      }
    }
  }
]
