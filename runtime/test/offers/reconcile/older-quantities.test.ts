import t from 'tap'
import { olderQuantities } from '../../../src/offers/reconcile/older-quantities.ts'

const succeeded = (result: object) => ({ outcome: 'succeeded' as const, result })
const wrote = (quantity: number, more: object = {}) => succeeded({ quantity, frozen: [], ...more })

t.test('what a marketplace may still show beside the last write', async t => {
  const cases: [string, Parameters<typeof olderQuantities>, number[] | undefined][] = [
    ['what was there before the only write', [[wrote(5, { before: 4 })], false], [5, 4]],
    ['earlier writes within the lag', [[wrote(6, { before: 4 }), wrote(5, { before: 6 })], false], [6, 4, 5, 6]],
    [
      'what somebody had set there before the write',
      [[wrote(5, { before: 4, replaced: { shown: 20, written: 4, readAt: null } })], false],
      [5, 4, 20]
    ],
    ['nothing else, for an offer that was just created', [[], true], []],
    ['the first write of an offer that was just created', [[wrote(5)], true], [5]],
    ['a job that had nothing to write', [[wrote(5, { before: 4 }), succeeded({ skipped: 'written' })], false], [5, 4]],
    [
      'a job that the freeze kept from writing',
      [[wrote(9, { frozen: ['stock'], before: 8 }), wrote(5, { before: 4 })], false],
      [5, 4]
    ]
  ]
  for (const [name, given, expected] of cases) t.strictSame(olderQuantities(...given), expected, name)
})

t.test('is not known for sure', async t => {
  const cases: [string, Parameters<typeof olderQuantities>][] = [
    ['without any job', [[], false]],
    ['before the first write of a linked offer', [[wrote(5), wrote(6, { before: 5 })], false]],
    [
      'after a job that died: it may have written',
      [[wrote(5, { before: 4 }), { outcome: 'dead', result: null }], false]
    ],
    ['after a job that was cancelled', [[{ outcome: 'cancelled', result: null }, wrote(5, { before: 4 })], true]]
  ]
  for (const [name, given] of cases) t.equal(olderQuantities(...given), undefined, name)
})
