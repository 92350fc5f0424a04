import t from 'tap'
import { oneByOneOnError, repeat } from '../../src/streams/batch-repeats.ts'

function open (run: (items: readonly number[]) => Promise<string[]>) {
  const runs: (readonly number[])[] = []
  const warnings: object[] = []
  return {
    runs,
    warnings,
    runAll: oneByOneOnError(async (items: readonly number[]) => {
      runs.push(items)
      return run(items)
    }, {
      warn (fields) {
        warnings.push(fields)
      }
    })
  }
}

const named = (items: readonly number[]): string[] => items.map(String)

t.test('one statement serves all items while none is bad', async t => {
  const { runAll, runs, warnings } = open(async items => named(items))

  t.strictSame(await runAll([1, 2, 3]), ['1', '2', '3'])
  t.strictSame([runs, warnings], [[[1, 2, 3]], []])
})

t.test('an item that breaks the statement fails alone', async t => {
  const { runAll, runs, warnings } = open(async items => {
    if (items.includes(2)) throw new Error('bad')
    return named(items)
  })

  t.match(await runAll([1, 2, 3]), ['1', { message: 'bad' }, '3'])
  t.strictSame(runs, [[1, 2, 3], [1], [2], [3]])
  t.match(warnings, [{ items: 3 }])
})

t.test('a server that is away fails all items at once: to send each alone would not help', async t => {
  const { runAll, runs } = open(() => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' })))

  await t.rejects(runAll([1, 2, 3]), { code: 'ECONNREFUSED' })
  t.equal(runs.length, 1)
})

t.test('a single item fails with its own error and is not sent again', async t => {
  const { runAll, runs } = open(() => Promise.reject(new Error('bad')))

  await t.rejects(runAll([1]), /bad/)
  t.equal(runs.length, 1)
})

t.test('only items whose result is not final run again, and keep their places', async t => {
  const runs: (readonly string[])[] = []
  const results = await repeat(['a', 'b', 'c', 'd'], [1, 0, 2, 0], (_index, result) => result === 0, async items => {
    runs.push(items)
    return items.map((_, index) => 10 + index)
  })

  t.strictSame(results, [1, 10, 2, 11])
  t.strictSame(runs, [['b', 'd']])
})

t.test('final results are kept without another run', async t => {
  t.strictSame(await repeat(['a'], [1], () => false, () => Promise.reject(new Error('it ran'))), [1])
})
