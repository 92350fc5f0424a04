import t from 'tap'
import type { MessageOutcome } from '../../src/events/message-outcome.ts'
import { acknowledge, consumerOf, entry, streamOf, until } from './scripted-stream.ts'

t.test('after a full read the consumer looks behind the backlog, and settles the entries there', async t => {
  const { streams, acknowledged, ahead, calls } = streamOf([entry('1'), entry('2')])
  ahead.push([entry('9')])
  const consumer = consumerOf(streams, async entries => entries.map(() => acknowledge), { batchSize: 2 })
  t.teardown(consumer.stop)

  await consumer.start()
  await until(() => acknowledged.length === 3)

  t.ok(calls.looks >= 1)
  t.strictSame(acknowledged.toSorted(), ['1', '2', '9'])
})

t.test('without a backlog the consumer does not look behind it', async t => {
  const { streams, acknowledged, calls } = streamOf([entry('1')], [entry('2')])
  const consumer = consumerOf(streams, async entries => entries.map(() => acknowledge), { batchSize: 2 })
  t.teardown(consumer.stop)

  await consumer.start()
  await until(() => acknowledged.length === 2)

  t.equal(calls.looks, 0)
})

t.test('the consumer handles entries that it is only shown, and judges them when their turn comes', async t => {
  const { streams, acknowledged, dead, ahead, calls } = streamOf([entry('1'), entry('2')])
  const handled: string[] = []
  ahead.push([entry('8', 0), entry('9', 0)])
  const consumer = consumerOf(streams, async entries => {
    handled.push(...entries.map(({ id }) => id))
    return entries.map(({ id }): MessageOutcome =>
      id === '9' ? { kind: 'malformed', reason: 'no fields' } : acknowledge
    )
  }, { batchSize: 2, lookAheadEveryMs: 1 })
  t.teardown(consumer.stop)

  await consumer.start()
  await until(() => calls.looks >= 2)

  t.strictSame(handled.toSorted(), ['1', '2', '8', '9'])
  t.strictSame(acknowledged, ['1', '2'])
  t.strictSame(dead, [])
})

t.test('a look that fails is repeated', async t => {
  const { streams, acknowledged, ahead, calls } = streamOf([entry('1'), entry('2')])
  const look = streams.readAhead
  streams.readAhead = async () => calls.looks++ === 0 ? Promise.reject(new Error('the server is away')) : look()
  ahead.push([entry('9')])
  const consumer = consumerOf(streams, async entries => entries.map(() => acknowledge), { batchSize: 2 })
  t.teardown(consumer.stop)

  await consumer.start()
  await until(() => acknowledged.length === 3)

  t.strictSame(acknowledged.toSorted(), ['1', '2', '9'])
})

t.test('reading goes on when the batch that recovers last is one from behind the backlog', async t => {
  const { streams, acknowledged, ahead } = streamOf([entry('1'), entry('2')], [entry('3')])
  ahead.push([entry('9')])
  const trouble = Promise.withResolvers<void>()
  const consumer = consumerOf(streams, async entries => {
    if (entries[0]?.id === '1') await trouble.promise
    if (entries[0]?.id !== '9' || acknowledged.includes('1')) return entries.map(() => acknowledge)
    trouble.resolve()
    throw Object.assign(new Error('the server is away'), { code: 'ECONNREFUSED' })
  }, { batchSize: 2, concurrency: 1 })
  t.teardown(consumer.stop)

  await consumer.start()
  await until(() => acknowledged.length === 4)

  t.strictSame(acknowledged, ['1', '2', '9', '3'])
})

t.test('the consumer tries entries that it is only shown again while a server is away', async t => {
  const { streams, ahead, calls } = streamOf([entry('1'), entry('2')])
  ahead.push([entry('9', 0)])
  let failures = 3
  let isHandled = false
  const consumer = consumerOf(streams, async entries => {
    if (entries[0]?.id === '9') {
      if (failures-- > 0) throw Object.assign(new Error('the server is away'), { code: 'ECONNREFUSED' })
      isHandled = true
    }
    return entries.map(() => acknowledge)
  }, { batchSize: 2 })
  t.teardown(consumer.stop)

  await consumer.start()
  await until(() => isHandled)

  t.equal(failures, -1)
  t.ok(calls.looks <= 2, 'nothing further is looked for meanwhile')
})
