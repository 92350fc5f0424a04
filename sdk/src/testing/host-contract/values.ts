import { deepStrictEqual, equal, match, ok } from 'node:assert/strict'
import { openProbe, type ContractTest } from './host-under-test.ts'
import type { Step } from './steps.ts'

const get = (key: string): Step => ({ do: 'get', key })
const set = (key: string, value: unknown, options: { ttlSeconds?: number } = {}): Step => ({ do: 'set', key, value, options })
const failureOf = (...steps: Step[]): Step => ({ do: 'attempt', steps })

export const valueContract: readonly ContractTest[] = [
  {
    name: 'a value is read as it was written, replaced and deleted',
    async run (host) {
      const probe = await openProbe(host)
      const value = { text: 'zażółć \u{1F4E6} \\u0000 "', list: [1, -0.5, 1e21, null, true], empty: {}, nested: { list: [[]] } }

      deepStrictEqual(await probe.run([get('a'), set('a', value), get('a')]), [undefined, undefined, value])
      deepStrictEqual(await probe.ask(get('a')), value, 'in the next call')
      deepStrictEqual(await probe.run([set('a', null), get('a'), set('a', 0), get('a')]), [undefined, null, undefined, 0])
      deepStrictEqual(await probe.run([{ do: 'delete', key: 'a' }, get('a'), { do: 'delete', key: 'a' }]), [undefined, undefined, undefined])
    }
  },
  {
    name: 'a value is stored at once, also when its call fails later',
    async run (host) {
      const probe = await openProbe(host)

      await probe.run([set('a', 1), { do: 'fail', message: 'after the value' }]).then(() => { throw new Error('it did not fail') }, () => undefined)

      equal(await probe.ask(get('a')), 1)
    }
  },
  {
    name: 'a value expires after its time, and a value without one stays',
    async run (host) {
      const probe = await openProbe(host)
      await probe.run([set('short', 1, { ttlSeconds: 60 }), set('long', 2, { ttlSeconds: 3_600 }), set('always', 3)])

      await host.pass(59_000)
      equal(await probe.ask(get('short')), 1, 'before it')
      await host.pass(2_000)

      deepStrictEqual(await probe.run([get('short'), get('long'), get('always')]), [undefined, 2, 3])
      await probe.run([set('short', 4), set('long', 5)])
      await host.pass(7_200_000)
      deepStrictEqual(await probe.run([get('short'), get('long')]), [4, 5], 'written again without one it stays')
    }
  },
  {
    name: 'what is no time to live is refused',
    async run (host) {
      const probe = await openProbe(host)

      for (const ttlSeconds of [0, -1, NaN, Infinity, 1e12]) {
        const [failure, value] = await probe.run([failureOf(set('a', 1, { ttlSeconds })), get('a')])
        match(nameOf(failure), /RangeError/, String(ttlSeconds))
        equal(value, undefined)
      }
    }
  },
  {
    name: 'a value has at most 64 KiB as JSON',
    async run (host) {
      const probe = await openProbe(host)
      // Two bytes a letter, and the quotes.
      const largest = 'ż'.repeat(32_767)

      equal((await probe.run([set('a', largest), get('a')]))[1], largest)
      match(nameOf(await probe.ask(failureOf(set('a', `${largest}!`)))), /RangeError/)
      equal(await probe.ask(get('a')), largest, 'the one before stays')
    }
  },
  {
    name: 'only JSON data is a value, and it comes back through JSON',
    async run (host) {
      const probe = await openProbe(host)

      for (const kind of ['undefined', 'function', 'cyclic', 'bigint', 'nul', 'halfPair'] as const) {
        const [failure, value] = await probe.run([failureOf({ do: 'setUnstorable', kind }), get('unstorable')])
        match(nameOf(failure), /TypeError/, kind)
        equal(value, undefined, kind)
      }
      deepStrictEqual(await probe.run([{ do: 'setDate', key: 'date', iso: '2025-01-02T03:04:05.000Z' }, get('date')]), [undefined, { at: '2025-01-02T03:04:05.000Z' }])
    }
  },
  {
    name: 'what is no key is refused',
    async run (host) {
      const probe = await openProbe(host)

      for (const key of ['', 'a'.repeat(201), 'a\0b', '\ud800', '__proto__']) match(nameOf(await probe.ask(failureOf(set(key, 1)))), /RangeError/, JSON.stringify(key))
      deepStrictEqual(await probe.run([set('ż'.repeat(200), 1), get('ż'.repeat(200)), get('constructor')]), [undefined, 1, undefined])
    }
  },
  {
    name: 'a connection never sees the values, cursors and jobs of another',
    async run (host) {
      const [one, other] = [await openProbe(host), await openProbe(host)]
      const enqueue: Step = { do: 'enqueue', jobType: 'probe.next', payload: {}, key: 'same' }
      const [, , made] = await one.run([set('a', 1), { do: 'setCursor', name: 'feed', value: '5' }, enqueue])

      deepStrictEqual(await other.run([get('a'), { do: 'readCursor', name: 'feed' }, { do: 'delete', key: 'a' }]), [undefined, undefined, undefined])
      deepStrictEqual(await host.jobs(other.id), [])
      ok(JSON.stringify(await other.ask(enqueue)) !== JSON.stringify(made), 'the same key is another job')
      deepStrictEqual(await one.run([get('a'), { do: 'readCursor', name: 'feed' }]), [1, '5'])
    }
  }
]

function nameOf (failure: unknown): string {
  return typeof failure === 'object' && failure !== null && 'name' in failure ? String(failure.name) : `no failure but ${String(failure)}`
}
