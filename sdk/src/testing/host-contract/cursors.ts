import { deepStrictEqual, equal, match, ok, rejects } from 'node:assert/strict'
import type { CommittedCursor } from '../../context.ts'
import { AdapterErrorCode } from '../../errors.ts'
import { openProbe, type ContractTest } from './host-under-test.ts'
import type { Step } from './steps.ts'

const read = (name = 'feed'): Step => ({ do: 'readCursor', name })
const set = (value: string, name = 'feed'): Step => ({ do: 'setCursor', name, value })
const set1: Step = { do: 'set', key: 'is set', value: true }

export const cursorContract: readonly ContractTest[] = [
  {
    name: 'the end of a call commits its cursor, and until then only this call sees the cursor',
    async run (host) {
      const probe = await openProbe(host)
      await probe.run([set('1')])

      const moving = probe.run([read(), set('2'), read(), set1, { do: 'waitFor', key: 'go' }, set('3'), read()])
      await probe.ask({ do: 'waitFor', key: 'is set' })
      equal(await probe.ask(read()), '1', 'another call meanwhile')
      await probe.ask({ do: 'set', key: 'go', value: true })

      deepStrictEqual(await moving, ['1', undefined, '2', undefined, undefined, undefined, '3'])
      equal(await probe.ask(read()), '3')
    }
  },
  {
    name: 'a call that fails leaves the old position',
    async run (host) {
      const probe = await openProbe(host)
      await probe.run([set('1')])

      await rejects(probe.run([set('2'), { do: 'fail', message: 'after the cursor' }]), {
        code: AdapterErrorCode.rejected
      })

      equal(await probe.ask(read()), '1')
    }
  },
  {
    name: 'an aborted call leaves the old position',
    async run (host) {
      const probe = await openProbe(host)
      const controller = new AbortController()
      await probe.run([set('1')])

      const broken = probe.run([set('2'), set1, { do: 'untilAborted' }], { signal: controller.signal })
      await probe.ask({ do: 'waitFor', key: 'is set' })
      controller.abort()
      await rejects(broken, { code: AdapterErrorCode.transient })
      await probe.ask({ do: 'waitFor', key: 'aborted' })

      equal(await probe.ask(read()), '1')
    }
  },
  {
    name: 'cursors have names, and a new connection has no cursor',
    async run (host) {
      const probe = await openProbe(host)
      await probe.run([set('1', 'orders'), set('', 'offers')])

      deepStrictEqual(await probe.run([read('orders'), read('offers'), read('constructor'), read('toString')]), [
        '1',
        '',
        undefined,
        undefined
      ])
    }
  },
  {
    name: 'the list of cursors has the committed positions with their times',
    async run (host) {
      const probe = await openProbe(host)
      deepStrictEqual(await probe.ask({ do: 'listCursors' }), [])
      const from = host.now().getTime()
      await probe.run([set('1', 'orders'), set('', 'Offers')])

      const [, , staged] = await probe.run([set('2', 'orders'), set('x', 'more'), { do: 'listCursors' }])
      const listed = await probe.ask({ do: 'listCursors' })

      const positions = (cursors: unknown): string[][] =>
        (cursors as CommittedCursor[]).map(({ name, value }) => [name, value])
      deepStrictEqual(positions(staged), [['Offers', ''], ['orders', '1']])
      deepStrictEqual(positions(listed), [['Offers', ''], ['more', 'x'], ['orders', '2']])
      for (const { updatedAt } of listed as CommittedCursor[]) {
        equal(new Date(updatedAt).toISOString(), updatedAt)
        ok(Math.abs(Date.parse(updatedAt) - from) < 60_000, updatedAt)
      }
    }
  },
  {
    name: 'set refuses a position that the host could not store, before the end of the call',
    async run (host) {
      const probe = await openProbe(host)

      const answers = await probe
        .run(['a\0b', '\ud800', 'a'.repeat(65_537)].map(value => ({ do: 'attempt', steps: [set(value)] })))

      for (const answer of answers) match(JSON.stringify(answer), /RangeError/)
      equal(await probe.ask(read()), undefined)
    }
  }
]
