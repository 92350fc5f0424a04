import { deepStrictEqual, match, rejects } from 'node:assert/strict'
import { AdapterErrorCode } from '../../errors.ts'
import { capabilityUnavailableCode } from '../../host/called-capability.ts'
import { openProbe, type ContractTest, type HostUnderTest, type Probe } from './host-under-test.ts'
import type { Step } from './steps.ts'

/** Opens two connections. The config of the first one names the second. */
async function openPair (host: HostUnderTest): Promise<{ caller: Probe, called: Probe }> {
  const called = await openProbe(host)
  return { caller: await openProbe(host, undefined, { calls: called.id }), called }
}

function nested (levels: number, innermost: Step): Step {
  return levels === 0 ? innermost : { do: 'call', steps: [nested(levels - 1, innermost)] }
}

/** The calls that adapters make of capabilities of third parties. */
export const capabilityContract: readonly ContractTest[] = [
  {
    name: 'a call gets the answer of an own capability, as a copy',
    async run (host) {
      const probe = await openProbe(host)

      const answer = await probe.ask({
        do: 'call',
        steps: [{ do: 'set', key: 'one', value: { a: [1] } }, { do: 'get', key: 'one' }]
      })

      deepStrictEqual(answer, [undefined, { a: [1] }])
    }
  },
  {
    name: 'a call reaches the connection that the config names, and no other one',
    async run (host) {
      const { caller, called } = await openPair(host)
      const stranger = await openProbe(host)
      const set: Step = { do: 'set', key: 'who', value: 'caller' }

      await caller.ask({ do: 'call', connectionId: called.id, steps: [set] })
      const refused = await caller.ask({
        do: 'attempt',
        steps: [{ do: 'call', connectionId: stranger.id, steps: [set] }]
      })

      deepStrictEqual(await called.ask({ do: 'get', key: 'who' }), 'caller')
      deepStrictEqual(await caller.ask({ do: 'get', key: 'who' }), undefined)
      deepStrictEqual(await stranger.ask({ do: 'get', key: 'who' }), undefined)
      match(JSON.stringify(refused), new RegExp(AdapterErrorCode.configuration))
    }
  },
  {
    name: 'a member of the config that is not marked with connection: true permits no call',
    async run (host) {
      const called = await openProbe(host)
      const caller = await openProbe(host, undefined, { label: called.id })

      const refused = await caller.ask({
        do: 'attempt',
        steps: [{ do: 'call', connectionId: called.id, steps: [] }]
      })

      match(JSON.stringify(refused), /connection: true.*marked: calls.*LNK_ADAPTER_CONFIGURATION/)
    }
  },
  {
    name: 'a call of a capability of the hub, of one that the manifest does not permit, and of no method is refused',
    async run (host) {
      const { caller, called: { id: connectionId } } = await openPair(host)
      const attempt = (step: Extract<Step, { do: 'call' }>): Step => ({ do: 'attempt', steps: [step] })

      const answers = await caller.run([
        attempt({ do: 'call', connectionId, steps: [], capability: 'OfferManager' as 'a/B' }),
        attempt({ do: 'call', connectionId, steps: [], capability: 'acme/Labels' }),
        attempt({ do: 'call', connectionId, steps: [], method: 'walk' })
      ])

      for (const answer of answers) match(JSON.stringify(answer), new RegExp(AdapterErrorCode.configuration))
      match(JSON.stringify(answers[1]), /permissions\.capabilities is \[.*probe\/Steps/)
    }
  },
  {
    name: 'the jobs and cursors of a called capability are stored with the end of the calling call',
    async run (host) {
      const { caller, called } = await openPair(host)
      const store: Step = {
        do: 'call',
        connectionId: called.id,
        steps: [{ do: 'setCursor', name: 'feed', value: '1' }, {
          do: 'enqueue',
          jobType: 'probe.next',
          payload: { n: 1 },
          key: 'one'
        }]
      }
      const cursor: Step = { do: 'readCursor', name: 'feed' }

      await rejects(caller.run([store, { do: 'fail', message: 'after the call' }]), { code: AdapterErrorCode.rejected })
      deepStrictEqual([await host.jobs(called.id), await called.ask(cursor)], [[], undefined], 'not when it fails')

      await caller.run([store])
      deepStrictEqual((await host.jobs(called.id)).map(({ jobType }) => jobType), ['probe.next'])
      deepStrictEqual([await called.ask(cursor), await caller.ask(cursor)], ['1', undefined])
    }
  },
  {
    name: 'an error of the called adapter keeps its code, but refused credentials are not those of the caller',
    async run (host) {
      const { caller, called: { id: connectionId } } = await openPair(host)
      const call = (...steps: Step[]) => caller.ask({ do: 'call', connectionId, steps })

      await rejects(call({ do: 'fail', message: 'no such label' }), {
        code: AdapterErrorCode.rejected,
        message: 'no such label'
      })
      await rejects(call({ do: 'refuse', message: 'a wrong key' }), {
        code: capabilityUnavailableCode,
        message: /a wrong key/
      })
    }
  },
  {
    name: 'refused credentials in an own capability are those of the caller',
    async run (host) {
      const probe = await openProbe(host)

      await rejects(probe.ask({ do: 'call', steps: [{ do: 'refuse', message: 'a wrong key' }] }), {
        code: AdapterErrorCode.authentication,
        message: 'a wrong key'
      })
    }
  },
  {
    name: 'a disabled connection cannot be called now',
    async run (host) {
      const { caller, called } = await openPair(host)
      await host.setStatus(called.id, 'disabled')

      await rejects(caller.ask({ do: 'call', connectionId: called.id, steps: [] }), {
        code: capabilityUnavailableCode
      })
    }
  },
  {
    name: 'a called capability has the deadline of the call and ends with it',
    async run (host) {
      const probe = await openProbe(host)
      const deadline = host.now().getTime() + 60_000
      deepStrictEqual(await probe.ask({ do: 'call', steps: [{ do: 'deadline' }] }, { deadline }), [
        new Date(deadline).toISOString()
      ])

      const controller = new AbortController()
      const waiting = probe.ask(
        { do: 'call', steps: [{ do: 'set', key: 'begun', value: true }, { do: 'untilAborted' }] },
        { signal: controller.signal }
      )
      await probe.ask({ do: 'waitFor', key: 'begun' })
      controller.abort()
      await rejects(waiting, { code: AdapterErrorCode.transient })
    }
  },
  {
    name: 'calls go three levels deep, and a call makes at most a hundred',
    async run (host) {
      const probe = await openProbe(host)
      const read: Step = { do: 'get', key: 'none' }

      deepStrictEqual(await probe.ask(nested(3, read)), [[[undefined]]])
      await rejects(probe.ask(nested(4, read)), { code: AdapterErrorCode.rejected })
      await probe.ask({ do: 'callMany', count: 100 })
      await rejects(probe.ask({ do: 'callMany', count: 101 }), { code: AdapterErrorCode.rejected })
    }
  }
]
