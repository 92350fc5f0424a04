import { mock } from 'node:test'
import t from 'tap'
import { createBatch } from '../../src/streams/batch.ts'

const limits = { maxItems: 100, maxRunning: 1, maxWaiting: 1_000 }

t.test('the calls of one turn are one run, in order, and each gets its own result', async t => {
  const runs: number[][] = []
  const batch = createBatch<number, number>({
    ...limits,
    run: async items => {
      runs.push([...items])
      return items.map(item => item * 2)
    }
  })

  t.strictSame(await Promise.all([1, 2, 3].map(batch.add)), [2, 4, 6])
  t.strictSame(runs, [[1, 2, 3]])
})

t.test('while all runs are busy the calls gather for the next, up to its size', async t => {
  const runs: number[][] = []
  const gates = [Promise.withResolvers<void>()]
  const batch = createBatch<number, number>({
    ...limits,
    maxItems: 3,
    async run (items) {
      runs.push([...items])
      await gates[runs.length - 1]?.promise
      return [...items]
    }
  })
  const first = batch.add(0)
  await new Promise(setImmediate)

  const rest = [1, 2, 3, 4].map(batch.add)
  gates[0]?.resolve()

  t.strictSame(await Promise.all([first, ...rest]), [0, 1, 2, 3, 4])
  t.strictSame(runs, [[0], [1, 2, 3], [4]])
})

t.test('an error among the results rejects its own call', async t => {
  const batch = createBatch<number, number>({
    ...limits,
    run: async items => items.map(item => item === 2 ? new RangeError('two') : item)
  })

  const results = await Promise.allSettled([1, 2, 3].map(batch.add))

  t.match(results, [{ value: 1 }, { reason: { message: 'two' } }, { value: 3 }])
})

t.test('a run that fails rejects all of its calls and none of the next', async t => {
  let isBroken = true
  const batch = createBatch<number, number>({
    ...limits,
    async run (items) {
      if (isBroken) throw new Error('away')
      return [...items]
    }
  })
  const results = await Promise.allSettled([1, 2].map(batch.add))
  isBroken = false

  t.strictSame(results.map(result => result.status), ['rejected', 'rejected'])
  t.equal(await batch.add(3), 3)
})

t.test('a run with too few results rejects the calls that got none', async t => {
  const batch = createBatch<number, number>({ ...limits, run: async () => [1] })

  t.match(await Promise.allSettled([1, 2].map(batch.add)), [{ value: 1 }, { reason: /a batch of 2 had 1 results/ }])
})

t.test('a call too many is refused at once', async t => {
  const batch = createBatch<number, number>({ ...limits, maxWaiting: 2, run: async items => [...items] })
  const accepted = [batch.add(1), batch.add(2)]

  await t.rejects(batch.add(3), /2 calls are waiting/)
  t.strictSame(await Promise.all(accepted), [1, 2])
})

t.test('drained waits for waiting and running calls', async t => {
  const done: number[] = []
  const batch = createBatch<number, number>({
    ...limits,
    maxItems: 1,
    async run (items) {
      await new Promise(setImmediate)
      done.push(...items)
      return [...items]
    }
  })
  const calls = [1, 2, 3].map(batch.add)

  await batch.drained()

  t.strictSame(done, [1, 2, 3])
  await Promise.all(calls)
})

t.test('a call that waits too long is rejected, and runs only if it ran already', async t => {
  const gate = Promise.withResolvers<void>()
  const runs: number[][] = []
  const batch = createBatch<number, number>({
    ...limits,
    maxWaitMs: 20,
    async run (items) {
      runs.push([...items])
      await gate.promise
      return [...items]
    }
  })

  await t.rejects(Promise.all([1, 2].map(batch.add)), { code: 'ETIMEDOUT' })
  await t.rejects(batch.add(3), { code: 'ETIMEDOUT' })
  gate.resolve()
  await batch.drained()

  t.strictSame(runs, [[1, 2]], 'the third had not begun')
  t.equal(await batch.add(4), 4)
  t.strictSame(runs, [[1, 2], [4]])
})

t.test('while more calls are expected, they gather for a moment, unless a run is full', async t => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => {
    mock.timers.reset()
  })
  const runs: number[][] = []
  let isMoreExpected = true
  const batch = createBatch<number, number>({
    ...limits,
    maxItems: 3,
    gather: { ms: 20, isMoreExpected: () => isMoreExpected },
    async run (items) {
      runs.push([...items])
      return [...items]
    }
  })
  const nextTurn = (): Promise<void> => new Promise(setImmediate)

  await batch.add(0)
  t.strictSame(runs.splice(0), [[0]], 'the first does not wait')

  const gathered = [batch.add(1)]
  await nextTurn()
  gathered.push(batch.add(2))
  await nextTurn()
  t.strictSame(runs, [])
  mock.timers.tick(20)
  await Promise.all(gathered)
  t.strictSame(runs.splice(0), [[1, 2]])

  await Promise.all([3, 4, 5].map(batch.add))
  t.strictSame(runs.splice(0), [[3, 4, 5]], 'a full run does not wait')

  const last = batch.add(6)
  await nextTurn()
  t.strictSame(runs, [])
  isMoreExpected = false
  await Promise.all([last, batch.add(7)])
  t.strictSame(runs.splice(0), [[6, 7]], 'nothing waits when the last one has come')
})
