import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { silentLog } from '../streams/drivers.ts'
import { acknowledge, consumerOf, entry, streamOf, until } from './scripted-stream.ts'

t.test('the consumer looks for abandoned entries before it reads', async t => {
  const { streams, calls } = streamOf([entry('1')])
  const consumer = consumerOf(streams, async entries => {
    t.equal(calls.claims, 1)
    return entries.map(() => acknowledge)
  })
  t.teardown(consumer.stop)
  await consumer.start()

  await until(() => calls.reads === 2)
})

t.test('the consumer reads no more batches than it may handle at once', async t => {
  const { streams, acknowledged } = streamOf([entry('1')], [entry('2')], [entry('3')])
  const { promise, resolve } = Promise.withResolvers<void>()
  const inHand: string[] = []
  const consumer = consumerOf(streams, async entries => {
    inHand.push(...entries.map(({ id }) => id))
    await promise
    return entries.map(() => acknowledge)
  }, { concurrency: 2 })
  t.teardown(consumer.stop)
  await consumer.start()
  await until(() => inHand.length === 2)
  for (let index = 0; index < 20; index++) await turn()

  t.strictSame(inHand, ['1', '2'])

  resolve()
  await until(() => acknowledged.length === 3)
})

t.test('while a server is away the consumer reads nothing more and handles no settled entry again', async t => {
  const { streams, acknowledged } = streamOf([entry('1'), entry('2')], [], [entry('3')])
  const handled: string[][] = []
  const trouble = Promise.withResolvers<void>()
  let reads = 0
  let outages = 5
  const consumer = consumerOf({
    ...streams,
    async read (request) {
      // The second read is under way when the server fails, and returns nothing.
      if (++reads === 2) await trouble.promise
      return streams.read(request)
    }
  }, async entries => {
    handled.push(entries.map(({ id }) => id))
    return entries.map(({ id }) =>
      id === '2' && outages-- > 0 ? { kind: 'failed', error: new Error('Connection is closed.') } : acknowledge
    )
  }, {
    log: {
      ...silentLog,
      warn: () => {
        trouble.resolve()
      }
    }
  })
  t.teardown(consumer.stop)
  await consumer.start()

  await until(() => acknowledged.length === 3)

  t.strictSame(handled, [['1', '2'], ['2'], ['2'], ['2'], ['2'], ['2'], ['3']])
})

t.test('a read that fails is tried again', async t => {
  const { streams, acknowledged } = streamOf([entry('1')])
  let failures = 3
  const consumer = consumerOf({
    ...streams,
    read: request => failures-- > 0 ? Promise.reject(new Error('WRONGTYPE')) : streams.read(request)
  }, async entries => entries.map(() => acknowledge))
  t.teardown(consumer.stop)
  await consumer.start()

  await until(() => acknowledged.length === 1)
})

t.test('an entry that fails stays pending before its fifth delivery, and is dead at it', async t => {
  const { streams, acknowledged, dead } = streamOf([entry('1', 4), entry('2', 5), entry('3', 6)])
  const consumer = consumerOf(
    streams,
    async entries => entries.map(() => ({ kind: 'failed', error: new RangeError('no') }))
  )
  t.teardown(consumer.stop)
  await consumer.start()

  await until(() => dead.length === 2)

  t.strictSame(dead, [{ id: '2', reason: 'failed 5 times: no' }, { id: '3', reason: 'failed 6 times: no' }])
  t.strictSame(acknowledged, [])
})

t.test('an entry without a verdict is not acknowledged', async t => {
  const { streams, acknowledged, dead } = streamOf([entry('1'), entry('2', 5)])
  const consumer = consumerOf(streams, async () => [acknowledge])
  t.teardown(consumer.stop)
  await consumer.start()

  await until(() => dead.length === 1)

  t.strictSame(acknowledged, ['1'])
  t.match(dead, [{ id: '2', reason: /no verdict/ }])
})

t.test('a long reason is cut, so that it does not fill the dead stream', async t => {
  const { streams, dead } = streamOf([entry('1')])
  const consumer = consumerOf(streams, async () => [{ kind: 'malformed', reason: 'x'.repeat(10_000) }])
  t.teardown(consumer.stop)
  await consumer.start()

  await until(() => dead.length === 1)

  t.equal(dead[0]?.reason.length, 500)
})

t.test('stopping finishes the batch in hand and the entries of the aborted read', async t => {
  const { streams, acknowledged } = streamOf([entry('1')])
  const { promise, resolve } = Promise.withResolvers<void>()
  let isHandling = false
  const consumer = consumerOf({
    ...streams,
    async read (request) {
      const batch = await streams.read(request)
      return batch.length > 0 ? batch : [entry('handed out while aborting')]
    }
  }, async entries => {
    isHandling = true
    await promise
    return entries.map(() => acknowledge)
  })
  await consumer.start()
  await until(() => isHandling)

  const stopped = consumer.stop()
  resolve()
  await stopped

  t.strictSame(acknowledged, ['1', 'handed out while aborting'])
})

t.test('stopping does not wait longer than it may for a handler that hangs', async t => {
  const { streams, acknowledged } = streamOf([entry('1')])
  let isHandling = false
  const consumer = consumerOf(streams, () => {
    isHandling = true
    return new Promise(() => undefined)
  }, { stopTimeoutMs: 20 })
  await consumer.start()
  await until(() => isHandling)

  await consumer.stop()

  t.strictSame(acknowledged, [])
})

t.test('stopping ends a wait for a server at once and leaves the entries pending', async t => {
  const { streams, acknowledged } = streamOf([entry('1')])
  let attempts = 0
  const consumer = consumerOf(streams, async () => {
    attempts++
    throw new Error('Connection is closed.')
  }, { backoffMs: () => 60_000 })
  await consumer.start()
  await until(() => attempts === 1)

  await consumer.stop()

  t.equal(attempts, 1)
  t.strictSame(acknowledged, [])
})
