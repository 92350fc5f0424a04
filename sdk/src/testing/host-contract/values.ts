import { deepStrictEqual, equal, match, ok } from 'node:assert/strict'
import type { ListOptions } from '../../context.ts'
import { AdapterErrorCode } from '../../errors.ts'
import { openProbe, type ContractTest } from './host-under-test.ts'
import type { Step } from './steps.ts'

const get = (key: string): Step => ({ do: 'get', key })
const set = (key: string, value: unknown, options: { ttlSeconds?: number } = {}): Step => ({
  do: 'set',
  key,
  value,
  options
})
const failureOf = (...steps: Step[]): Step => ({ do: 'attempt', steps })

export const valueContract: readonly ContractTest[] = [
  {
    name: 'a value is read as it was written, replaced and deleted',
    async run (host) {
      const probe = await openProbe(host)
      const value = {
        text: 'zażółć \u{1F4E6} \\u0000 "',
        list: [1, -0.5, 1e21, null, true],
        empty: {},
        nested: { list: [[]] }
      }

      deepStrictEqual(await probe.run([get('a'), set('a', value), get('a')]), [undefined, undefined, value])
      deepStrictEqual(await probe.ask(get('a')), value, 'in the next call')
      deepStrictEqual(await probe.run([set('a', null), get('a'), set('a', 0), get('a')]), [
        undefined,
        null,
        undefined,
        0
      ])
      deepStrictEqual(await probe.run([{ do: 'delete', key: 'a' }, get('a'), { do: 'delete', key: 'a' }]), [
        undefined,
        undefined,
        undefined
      ])
    }
  },
  {
    name: 'a value is stored at once, also when its call fails later',
    async run (host) {
      const probe = await openProbe(host)

      await probe.run([set('a', 1), { do: 'fail', message: 'after the value' }]).then(() => {
        throw new Error('it did not fail')
      }, () => undefined)

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
      deepStrictEqual(
        await probe.run([get('short'), get('long')]),
        [4, 5],
        'a value that is written again without a time stays'
      )
    }
  },
  {
    name: 'an invalid time to live is refused',
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
      // Two bytes per letter, plus the quotes.
      const largest = 'ż'.repeat(32_767)

      equal((await probe.run([set('a', largest), get('a')]))[1], largest)
      match(nameOf(await probe.ask(failureOf(set('a', `${largest}!`)))), /RangeError/)
      equal(await probe.ask(get('a')), largest, 'the previous value stays')
    }
  },
  {
    name: 'the values of a connection have at most 32 MiB together, and deletions make room again',
    async run (host) {
      const probe = await openProbe(host)
      const other = await openProbe(host)

      const { stored, failure } = await probe.ask({ do: 'fill', characters: 60_000 }) as {
        stored: number,
        failure: object
      }
      equal(stored, 558)
      match(JSON.stringify(failure), new RegExp(`${AdapterErrorCode.rejected}|at most 33554432 bytes together`))
      equal(await probe.ask(get(`fill-${stored}`)), undefined)
      await other.run([set('a', 'of another connection')])
      const large = 'x'.repeat(60_000)
      await probe.run([
        set('fill-0', large),
        { do: 'delete', key: 'fill-1' },
        set('again', large),
        set('fill-2', 'short'),
        set('more', large.slice(0, 50_000))
      ])
      match(nameOf(await probe.ask(failureOf(set('too-much', 'x'.repeat(60_000))))), /Error/)
    }
  },
  {
    name: 'a value must be JSON data, and a read returns it as JSON keeps it',
    async run (host) {
      const probe = await openProbe(host)

      for (const kind of ['undefined', 'function', 'cyclic', 'bigint', 'nul', 'halfPair'] as const) {
        const [failure, value] = await probe.run([failureOf({ do: 'setUnstorable', kind }), get('unstorable')])
        match(nameOf(failure), /TypeError/, kind)
        equal(value, undefined, kind)
      }
      deepStrictEqual(await probe.run([{ do: 'setDate', key: 'date', iso: '2025-01-02T03:04:05.000Z' }, get('date')]), [
        undefined,
        { at: '2025-01-02T03:04:05.000Z' }
      ])
    }
  },
  {
    name: 'an invalid key is refused',
    async run (host) {
      const probe = await openProbe(host)

      for (const key of ['', 'a'.repeat(201), 'a\0b', '\ud800', '__proto__']) {
        match(nameOf(await probe.ask(failureOf(set(key, 1)))), /RangeError/, JSON.stringify(key))
      }
      deepStrictEqual(await probe.run([set('ż'.repeat(200), 1), get('ż'.repeat(200)), get('constructor')]), [
        undefined,
        1,
        undefined
      ])
    }
  },
  {
    name: 'a list has the values whose keys have a prefix, in the order of the bytes',
    async run (host) {
      const probe = await openProbe(host)
      const keys = ['a/10', 'a/2', 'a/B', 'a/b', 'a/\u{ffff}', 'a/\u{1F4E6}', 'a', 'a0', 'A/1', 'a%1', 'a_1', 'a\\1']
      await probe.run(keys.map((key, index) => set(key, { index })))
      const list = async (options: ListOptions): Promise<string[]> => keysOf(await probe.ask({ do: 'list', options }))
      const inOrder = ['a/10', 'a/2', 'a/B', 'a/b', 'a/\u{ffff}', 'a/\u{1F4E6}']

      deepStrictEqual(await list({ prefix: 'a/' }), inOrder)
      deepStrictEqual(await list({ prefix: 'a/', order: 'descending' }), inOrder.toReversed())
      deepStrictEqual(await list({ prefix: '' }), ['A/1', 'a', 'a%1', ...inOrder, 'a0', 'a\\1', 'a_1'])
      deepStrictEqual(await probe.ask({ do: 'list', options: { prefix: 'a/2' } }), [{
        key: 'a/2',
        value: { index: 1 }
      }])
      for (const key of ['a%', 'a_', 'a\\']) {
        deepStrictEqual(await list({ prefix: key }), [`${key}1`], 'no character of a prefix is a pattern')
      }
      for (const prefix of ['b', 'a/\u{10ffff}', '\u{10ffff}', '\ud7ff']) deepStrictEqual(await list({ prefix }), [])
    }
  },
  {
    name: 'values can be listed in parts, and each part begins after a given key',
    async run (host) {
      const probe = await openProbe(host)
      await probe.run(['a', 'b', 'c', 'd', 'e'].map(key => set(`k/${key}`, key)))
      const list = async (options: Omit<ListOptions, 'prefix'>): Promise<string[]> =>
        keysOf(await probe.ask({ do: 'list', options: { prefix: 'k/', ...options } }))

      deepStrictEqual(await list({ limit: 2 }), ['k/a', 'k/b'])
      deepStrictEqual(await list({ limit: 2, after: 'k/b' }), ['k/c', 'k/d'])
      deepStrictEqual(await list({ after: 'k/bb' }), ['k/c', 'k/d', 'k/e'], 'the given key need not exist')
      deepStrictEqual(await list({ limit: 2, order: 'descending', after: 'k/d' }), ['k/c', 'k/b'])
      deepStrictEqual(await list({ after: 'k/e' }), [])
    }
  },
  {
    name: 'a list has at most a hundred values unless more are asked for, and no expired ones',
    async run (host) {
      const probe = await openProbe(host)
      await probe.run(Array.from({ length: 101 }, (_, index) => set(`n/${String(index).padStart(3, '0')}`, index)))
      await probe.run([set('n/000', 0, { ttlSeconds: 60 })])
      const list = async (limit?: number): Promise<string[]> =>
        keysOf(await probe.ask({ do: 'list', options: { prefix: 'n/', limit } }))

      deepStrictEqual([(await list()).length, (await list(1_000)).length], [100, 101])
      await host.pass(61_000)
      deepStrictEqual((await list(1_000))[0], 'n/001')
    }
  },
  {
    name: 'invalid options of a list are refused',
    async run (host) {
      const probe = await openProbe(host)
      const refused = [{ limit: 0 }, { limit: 1_001 }, { limit: 1.5 }, { prefix: 'a'.repeat(201) }, { prefix: 'a\0' }, {
        after: '\ud800'
      }, { order: 'upwards' as 'ascending' }]

      for (const options of refused) {
        match(
          nameOf(await probe.ask(failureOf({ do: 'list', options: { prefix: '', ...options } }))),
          /RangeError/,
          JSON.stringify(options)
        )
      }
    }
  },
  {
    name: 'a connection never sees the values, cursors and jobs of another connection',
    async run (host) {
      const [one, other] = [await openProbe(host), await openProbe(host)]
      const enqueue: Step = { do: 'enqueue', jobType: 'probe.next', payload: {}, key: 'same' }
      const [, , made] = await one.run([set('a', 1), { do: 'setCursor', name: 'feed', value: '5' }, enqueue])

      deepStrictEqual(await other.run([get('a'), { do: 'readCursor', name: 'feed' }, { do: 'delete', key: 'a' }]), [
        undefined,
        undefined,
        undefined
      ])
      deepStrictEqual(await other.run([{ do: 'list', options: { prefix: '' } }, { do: 'listCursors' }]), [[], []])
      deepStrictEqual(await host.jobs(other.id), [])
      ok(JSON.stringify(await other.ask(enqueue)) !== JSON.stringify(made), 'the same key means another job')
      deepStrictEqual(await one.run([get('a'), { do: 'readCursor', name: 'feed' }]), [1, '5'])
    }
  }
]

function keysOf (listed: unknown): string[] {
  return (listed as { key: string }[]).map(({ key }) => key)
}

function nameOf (failure: unknown): string {
  return typeof failure === 'object' && failure !== null && 'name' in failure
    ? String(failure.name)
    : `no failure but ${String(failure)}`
}
